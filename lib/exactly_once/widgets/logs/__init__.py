"""The log viewer: a small log in memory, what is done to it, and what came of that in words."""
