"""What people see and press in a terminal."""
