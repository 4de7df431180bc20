"""Schedules on the cluster: counterexamples replayed with real processes, and searched for at random."""
