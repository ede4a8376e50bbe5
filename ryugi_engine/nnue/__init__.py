"""The evaluation nets (NNUE): architecture, quantised and float nets, forward pass, file format."""
