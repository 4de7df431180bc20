"""Keeps its position in a register instead."""


def answer(node):
    version, positions = node.registers.read("mine")
    positions = positions or node.start
    while node.running(positions):
        items, positions = node.read(positions)
        for _ in items:
            node.database.increment()
        node.registers.cas("mine", version, positions)
        version += 1
