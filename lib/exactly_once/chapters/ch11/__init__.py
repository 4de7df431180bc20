"""Chapter 11: the batch that keeps up, the twelfth mutant, a shared decision, and four gaps."""
