"""Chapter 07, into another system: its exercises, gaps and replies."""
