"""The demo: console, scrubber and adversary on one page for a projector, without code."""
