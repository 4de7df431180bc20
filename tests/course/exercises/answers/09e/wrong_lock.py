# Plausible: right for one process.
"""A log of calls, and a lock around each change."""

REASON = "stands still"


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
        while True:
            version, holder = self.registers.read("lock")
            if not holder and self.registers.cas("lock", version, 1):
                break
        held, index = self.read()
        said = (value in held) == wanted
        if said:
            self.registers.cas(f"{self.name}.{index}", 0, [kind, value])
        self.registers.cas("lock", version + 1, 0)
        return said

    def add(self, value):
        return self.change("add", value, False)

    def remove(self, value):
        return self.change("remove", value, True)

    def smallest(self):
        return min(self.read()[0], default=None)


answer = SortedSet
