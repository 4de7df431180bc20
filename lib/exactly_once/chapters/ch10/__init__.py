"""Chapter 10, the lock-free handler: its exercises, gaps and replies."""
