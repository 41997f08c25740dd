"""What a conversation proves."""
