"""Chapter 06, transactions: its exercises, gaps and replies."""
