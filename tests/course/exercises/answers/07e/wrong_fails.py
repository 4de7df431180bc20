"""Fails by itself."""

REASON = "ZeroDivisionError"


def answer(node):
    node.store("shop").transact(("cas", "index", 0, 1), ("append", "orders", 1 / 0))
