"""Handlers as tasks of the cluster, and every world's conformance there."""
