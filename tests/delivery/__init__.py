"""Producers and consumers: proved as handlers, simulated on both sides of a log, and predicted by counting."""
