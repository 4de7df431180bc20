"""A run whose scheduler is a person: what is open, what it can still come to, and its cost."""
