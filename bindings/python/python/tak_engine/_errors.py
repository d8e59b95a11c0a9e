"""Errors of engines, and warnings."""

import sys
import warnings


class EngineError(RuntimeError):
    """A TEI engine did not do what it should."""


class EngineTerminatedError(EngineError):
    """An engine has ended, or was closed."""


def warn(message: str) -> None:
    """Warns the code that has called this package, wherever in the package that was noticed."""
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, UserWarning, stacklevel=level)
