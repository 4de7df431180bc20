# Plausible: right alone.
"""Compares with one read, and writes with the version of another."""

REASON = "With two nodes, one of which is behind"


def answer(registers, name, index):
    while (registers.read(name)[1] or 0) < index:
        registers.cas(name, registers.read(name)[0], index)
