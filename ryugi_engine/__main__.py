"""``ryugi-engine`` and ``python -m ryugi_engine``: a process of its own for a command line."""


def main() -> None:
    """Run the command line of this process and end the process."""
    # first of all: Ctrl-C is to be quiet while the rest is imported
    from ryugi_engine.processes import process

    process.fill_closed_streams()
    process.catch_interrupts()
    process.watch_output()
    from ryugi_engine.commands import cli

    try:
        code = cli.main()
    except SystemExit as leaving:  # of the command line's parser
        code = leaving.code if isinstance(leaving.code, int) else process.WRONG
    process.end(code)


if __name__ == "__main__":
    main()
