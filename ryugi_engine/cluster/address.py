"""What ``--cluster`` may say; light, as the command line reads it before anything is imported."""

from __future__ import annotations

import argparse
import re

from ryugi_engine.errors import UserError
from ryugi_engine.text.numbers import whole

_MOST_WORKERS = 256
_SCHEDULER = re.compile(r"(?:tcp|tls|ws|wss)://[^\s/]+:\d{1,5}")


def cluster_workers(text: str) -> int | None:
    """Return N of ``local:N``, None for a scheduler's address; UserError for others."""
    kind, _, number = text.partition(":")
    if kind == "local":
        try:
            return whole(number, 1, _MOST_WORKERS)
        except ValueError as error:
            raise UserError(f"'{text[:40]}': workers: {error}") from None
    if not _SCHEDULER.fullmatch(text):
        raise UserError(f"'{text[:80]}' is neither like local:4 nor like tcp://scheduler:8786")
    return None


def cluster_address(text: str) -> str:
    """Check the value of ``--cluster``, for argparse."""
    try:
        cluster_workers(text)
    except UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text
