"""Tests of the course. `core` holds those of clocks, trace, faults, stores, node, verdict and the simulated world."""
