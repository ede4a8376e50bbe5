"""What the rules of both families of kernels share."""
