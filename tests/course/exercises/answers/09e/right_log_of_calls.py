"""The universal construction: the calls themselves in a lock-free queue, carried out by everybody in its order."""


class SortedSet:
    def __init__(self, registers, name):
        self.registers, self.name = registers, name

    def decide(self, decision):
        held, index = set(), 0
        while True:
            version, call = self.registers.read(f"{self.name}.{index}")
            if version:
                (held.add if call[0] == "add" else held.discard)(call[1])
                index += 1
                continue
            said, change = decision(held)
            if change is None or self.registers.cas(f"{self.name}.{index}", 0, change):
                return said

    def add(self, value):
        return self.decide(lambda held: (False, None) if value in held else (True, ["add", value]))

    def remove(self, value):
        return self.decide(lambda held: (True, ["remove", value]) if value in held else (False, None))

    def smallest(self):
        return self.decide(lambda held: (min(held, default=None), None))


answer = SortedSet
