"""What keeps Dask quiet, in the runner and in the workers that it starts."""

from __future__ import annotations

import logging
import signal
import warnings

_PACKAGES = ("distributed", "dask", "tornado", "asyncio", "bokeh")


def be_quiet() -> None:
    """Turn off Dask's logs and warnings; our own messages report what users need."""
    for name in list(logging.root.manager.loggerDict):
        if name.split(".")[0] in _PACKAGES:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module=rf"({'|'.join(_PACKAGES)})(\.|$)")


def dask_setup(worker: object) -> None:
    """Called by a worker before it begins; the terminal's Ctrl-C is the runner's to deal with."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    be_quiet()
