"""Chapter 13, real servers and their clients: its exercises, gaps and replies."""
