"""Chapter 03: losses and duplicates on both sides of a log, and their repair."""
