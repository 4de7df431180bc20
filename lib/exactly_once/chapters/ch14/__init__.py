"""Chapter 14, what a guarantee costs: its exercises, gaps and replies."""
