"""Keeps the temperature alone."""

REASON = "and should hold [3,"


def answer(node, item):
    name = f"latest.{item.stream}"
    version, _ = node.registers.read(name)
    node.registers.cas(name, version, item.value)
