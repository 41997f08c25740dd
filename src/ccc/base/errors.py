"""The failures ccc expects: each is one line for a person, what happened and what to type next.

Rule: nothing here prints or exits; cli.py turns an error into a line and an exit code, once.
"""

from __future__ import annotations

from ccc.base.messages import msg


class CccError(Exception):
    """An expected failure: what happened and where, and what to do about it; never a secret."""

    exit_code = 1

    def __init__(self, what: str, fix: str = "") -> None:
        super().__init__(what, fix)
        self.what, self.fix = what, fix

    def __str__(self) -> str:
        return str(self.message)

    @property
    def message(self) -> str:
        """Both as one sentence, which can be said in the person's language."""
        return msg("{what}; {fix}", what=self.what, fix=self.fix) if self.fix else self.what


class Misuse(CccError):
    """What was typed means nothing to ccc: nothing was tried, and only other words help."""

    exit_code = 2
