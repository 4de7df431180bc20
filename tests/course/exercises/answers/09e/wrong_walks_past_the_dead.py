# Plausible: right for one process.
"""Harris's list, whose smallest walks past removed elements without a look at what came before them."""

REASON = "A: smallest, 'tea'; B: add egg, True; B: remove milk, True"


class SortedSet:
    def __init__(self, registers, name):
        self.registers, self.name = registers, name

    def at(self, index):
        return self.name if index is None else f"{self.name}.{index}"

    def find(self, value):
        while True:
            before, (version, held) = None, self.registers.read(self.name)
            held = held or [None, -1, False]
            while held[1] != -1:
                index = held[1]
                there, found = self.registers.read(self.at(index))
                if found[2]:
                    if not self.registers.cas(self.at(before), version, [held[0], found[1], False]):
                        break
                    version, held = version + 1, [held[0], found[1], False]
                elif found[0] >= value:
                    return before, version, held, index, there, found
                else:
                    before, version, held = index, there, found
            else:
                return before, version, held, -1, 0, [None, -1, False]

    def add(self, value):
        mine, written = 0, 0
        while True:
            before, version, held, index, _, found = self.find(value)
            if found[0] == value:
                return False
            if not written:
                while not self.registers.cas(self.at(mine), 0, [value, index, False]):
                    mine += 1
            else:
                self.registers.cas(self.at(mine), written, [value, index, False])
            written += 1
            if self.registers.cas(self.at(before), version, [held[0], mine, False]):
                return True

    def remove(self, value):
        while True:
            _, _, _, index, there, found = self.find(value)
            if found[0] != value:
                return False
            if self.registers.cas(self.at(index), there, [value, found[1], True]):
                return True

    def smallest(self):
        index = (self.registers.read(self.name)[1] or [None, -1])[1]
        while index != -1:
            value, index, dead = self.registers.read(self.at(index))[1]
            if not dead:
                return value
        return None


answer = SortedSet
