"""supervise(): one StopEvent in, one Decision out."""
