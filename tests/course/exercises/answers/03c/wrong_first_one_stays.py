"""Writes only where nothing is, so that the first reading stays."""

REASON = "Even when nothing goes wrong: After this schedule latest.seattle holds [1,"


def answer(node, item):
    node.registers.cas(f"latest.{item.stream}", 0, [item.hour, item.value])
