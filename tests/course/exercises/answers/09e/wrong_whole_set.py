# Plausible: right but for the size of its register.
"""Keeps all values in one register."""

REASON = "more than one value of the set"


class SortedSet:
    def __init__(self, registers, name):
        self.registers, self.name = registers, name

    def add(self, value):
        while True:
            version, held = self.registers.read(self.name)
            if value in (held or []):
                return False
            if self.registers.cas(self.name, version, sorted([value, *(held or [])])):
                return True

    def remove(self, value):
        while True:
            version, held = self.registers.read(self.name)
            if value not in (held or []):
                return False
            if self.registers.cas(self.name, version, [one for one in held if one != value]):
                return True

    def smallest(self):
        return min(self.registers.read(self.name)[1] or [], default=None)


answer = SortedSet
