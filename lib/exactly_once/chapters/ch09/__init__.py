"""Chapter 09: the lock-free queue."""
