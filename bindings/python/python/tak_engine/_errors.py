"""Errors of engines."""


class EngineError(RuntimeError):
    """A TEI engine did not do what it should."""


class EngineTerminatedError(EngineError):
    """An engine has ended, or was closed."""
