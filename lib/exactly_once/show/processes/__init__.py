"""Runs of real processes, drawn: `leader_death` in a cluster of brokers, `transformed` topics, Spark's `attempts`."""
