"""Lets Claude Code work on its own until the task is really done."""

__version__ = "0.1.0"
