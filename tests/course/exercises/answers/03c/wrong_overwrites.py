# Plausible: right when nothing goes wrong.
"""Overwrites whatever is there, as the chapter does."""

REASON = "an observer who saw hour 2 under latest.seattle sees hour 1 there a moment later"


def answer(node, item):
    name = f"latest.{item.stream}"
    version, _ = node.registers.read(name)
    node.registers.cas(name, version, [item.hour, item.value])
