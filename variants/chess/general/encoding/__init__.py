"""A definition as the numbers that kernels read: Python that fills the table block."""
