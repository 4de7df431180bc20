"""The log viewer: a small log in memory, the learner's actions on it, and their consequences in words."""
