"""The failures ccc expects: each is one line for a person, with what to type next.

Rule: nothing here prints or exits; cli.py turns an error into a line and an exit code, once.
"""


class CccError(Exception):
    """An expected failure. Its text says what happened, where, and what to do; never a secret."""

    exit_code = 1
