"""Chapter 13, real servers and their clients: its trials, exercises, gaps and replies."""
