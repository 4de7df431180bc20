# Plausible: right for one process.
"""A log of calls, of which only those before a hint are looked at; the hint lags."""

REASON = "No order of these calls"


class SortedSet:
    def __init__(self, registers, name):
        self.registers, self.name = registers, name

    def read(self):
        held = set()
        end = self.registers.read(self.name)[1] or 0
        for index in range(end):
            call = self.registers.read(f"{self.name}.{index}")[1]
            (held.add if call[0] == "add" else held.discard)(call[1])
        return held, end

    def change(self, kind, value, wanted):
        while True:
            held, index = self.read()
            if (value in held) != wanted:
                return False
            while not self.registers.cas(f"{self.name}.{index}", 0, [kind, value]):
                index += 1
            self.registers.cas(self.name, self.registers.read(self.name)[0], index + 1)
            return True

    def add(self, value):
        return self.change("add", value, False)

    def remove(self, value):
        return self.change("remove", value, True)

    def smallest(self):
        return min(self.read()[0], default=None)


answer = SortedSet
