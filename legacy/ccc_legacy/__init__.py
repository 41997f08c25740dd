"""Pty mode: ccc runs the agent itself and sees it stop."""
