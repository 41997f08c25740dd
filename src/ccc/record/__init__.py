"""ccc's own memory."""
