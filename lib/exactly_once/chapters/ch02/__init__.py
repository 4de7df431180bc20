"""Chapter 02, the log: its exercises, gaps and replies."""
