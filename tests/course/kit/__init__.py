"""A chapter's questions: predictions, gaps, and their kept answers."""
