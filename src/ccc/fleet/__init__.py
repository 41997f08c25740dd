"""Many supervised tasks: each in a worktree of its own, under one budget, on one machine or several."""
