# Plausible: right while every answer comes.
"""Makes its call again when no answer comes, and finds its own first try."""

from exactly_once.errors import OutcomeUnknown

REASON = "A: add tea, False"


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
            try:
                held, index = self.read()
                if (value in held) != wanted:
                    return False
                if self.registers.cas(f"{self.name}.{index}", 0, [kind, value]):
                    return True
            except OutcomeUnknown:
                pass

    def add(self, value):
        return self.change("add", value, False)

    def remove(self, value):
        return self.change("remove", value, True)

    def smallest(self):
        return min(self.read()[0], default=None)


answer = SortedSet
