"""Chapter 11: the batch that keeps up, a mutant of your own, a shared decision, and four gaps."""
