# Plausible: right for one process.
"""Keeps the set in the class, where no other process sees it."""

REASON = "No order of these calls"


class SortedSet:
    held = set()  # noqa: RUF012

    def __init__(self, registers, name):
        self.registers, self.name = registers, name

    def add(self, value):
        self.registers.read(self.name)
        said = value not in self.held
        self.held.add(value)
        return said

    def remove(self, value):
        self.registers.read(self.name)
        said = value in self.held
        self.held.discard(value)
        return said

    def smallest(self):
        self.registers.read(self.name)
        return min(self.held, default=None)


answer = SortedSet
