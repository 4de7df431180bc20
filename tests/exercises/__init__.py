"""The exercises: the notebooks that are handed out, the checks, the learner's copies and progress."""
