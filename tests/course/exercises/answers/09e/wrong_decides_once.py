# Plausible: right for one process.
"""A log of calls, with an answer from before its own call found its place."""

REASON = "A: add tea, True; B: add tea, True"


class SortedSet:
    def __init__(self, registers, name):
        self.registers, self.name = registers, name

    def read(self):
        held, index = set(), 0
        while (found := self.registers.read(f"{self.name}.{index}"))[0]:
            (held.add if found[1][0] == "add" else held.discard)(found[1][1])
            index += 1
        return held, index

    def change(self, kind, value, wanted):
        held, index = self.read()
        if (value in held) != wanted:
            return False
        while not self.registers.cas(f"{self.name}.{index}", 0, [kind, value]):
            index += 1
        return True

    def add(self, value):
        return self.change("add", value, False)

    def remove(self, value):
        return self.change("remove", value, True)

    def smallest(self):
        return min(self.read()[0], default=None)


answer = SortedSet
