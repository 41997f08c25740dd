"""All that ccc believes about Claude Code."""
