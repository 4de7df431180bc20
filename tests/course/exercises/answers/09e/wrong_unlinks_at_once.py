# Plausible: right for one process.
"""A list in order, from which an element is unlinked without a mark: what was put behind it meanwhile is lost."""

REASON = "in the end the set holds nothing"


class SortedSet:
    def __init__(self, registers, name):
        self.registers, self.name = registers, name

    def find(self, value):
        before, (version, held) = self.name, self.registers.read(self.name)
        held = held or [None, -1]
        while held[1] != -1:
            index = held[1]
            there, found = self.registers.read(f"{self.name}.{index}")
            if found[0] >= value:
                return before, version, held, index, found
            before, version, held = f"{self.name}.{index}", there, found
        return before, version, held, -1, [None, -1]

    def add(self, value):
        mine, written = 0, 0
        while True:
            before, version, held, index, found = self.find(value)
            if found[0] == value:
                return False
            if not written:
                while not self.registers.cas(f"{self.name}.{mine}", 0, [value, index]):
                    mine += 1
            else:
                self.registers.cas(f"{self.name}.{mine}", written, [value, index])
            written += 1
            if self.registers.cas(before, version, [held[0], mine]):
                return True

    def remove(self, value):
        while True:
            before, version, held, _, found = self.find(value)
            if found[0] != value:
                return False
            if self.registers.cas(before, version, [held[0], found[1]]):
                return True

    def smallest(self):
        return self.find("")[4][0]


answer = SortedSet
