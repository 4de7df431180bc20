"""Tests of the lock-free building blocks, alone, hurt at every step, and with a second node in between.

The package has a name of its own so that its helpers can be imported.
"""
