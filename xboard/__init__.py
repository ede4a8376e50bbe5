"""The XBoard protocol (CECP). Not spoken yet: the UCI loop answers ``xboard`` with a pointer."""
