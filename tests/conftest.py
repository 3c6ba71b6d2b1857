"""What all tests share: property tests draw the same examples on every machine, busy or not."""

from __future__ import annotations

import signal

from hypothesis import settings

pytest_plugins = ["pytester"]

settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.load_profile("steady")


def _heed_signals() -> None:
    """Heed what a shell lets jobs in the background ignore, so that programs under test do too."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            is_interrupt = number == signal.SIGINT
            signal.signal(number, signal.default_int_handler if is_interrupt else signal.SIG_DFL)


_heed_signals()
