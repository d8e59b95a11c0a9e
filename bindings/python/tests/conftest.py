"""Preparation of all tests."""

import signal

# A shell lets programs that it starts in the background ignore Ctrl-C. Then Python sets no handler.
signal.signal(signal.SIGINT, signal.default_int_handler)
