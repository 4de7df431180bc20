"""Clocks and histories of events: stamps, order, files."""
