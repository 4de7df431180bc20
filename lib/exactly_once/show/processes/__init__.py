"""Runs of real processes, drawn: `leader_death` in a cluster of brokers, a query's `checkpoint`."""
