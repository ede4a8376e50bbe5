"""Examples of programs that use the library."""
