"""Returns nothing from add."""

REASON = "add tea returns None; it returns True or False"


class SortedSet:
    def __init__(self, registers, name):
        self.registers, self.name = registers, name

    def add(self, value):
        self.registers.cas(value, self.registers.read(value)[0], True)

    def remove(self, value):
        self.registers.cas(value, self.registers.read(value)[0], False)

    def smallest(self):
        return None


answer = SortedSet
