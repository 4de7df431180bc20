# Plausible: right alone.
"""Writes its own index, whatever stands there."""

REASON = "With two nodes, one of which is behind"


def answer(registers, name, index):
    while not registers.cas(name, registers.read(name)[0], index):
        pass
