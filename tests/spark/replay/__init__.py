"""Counterexamples replayed with real processes."""
