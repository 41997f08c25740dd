"""Hooks mode: Claude Code runs the agent and calls ccc at every Stop."""
