"""The command line and its subcommands."""
