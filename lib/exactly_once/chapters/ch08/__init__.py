"""Chapter 08, half-transactions: its exercises, gaps and replies."""
