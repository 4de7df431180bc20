"""The producer lab: three producers, each with its broker's rule, under the same faults."""
