"""Loaded first by the workers that we start: the terminal's Ctrl-C is the runner's to deal with."""

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
