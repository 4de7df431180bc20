"""The exercises of chapter 12: what a restart does, sinks that are replayed, and the conditions of a query."""
