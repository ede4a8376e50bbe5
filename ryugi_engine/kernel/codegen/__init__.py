"""What numba and LLVM make of kernels and operations; imported only to compile something."""
