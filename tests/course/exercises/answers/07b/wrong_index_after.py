# Plausible: right, if nothing goes wrong.
"""Moves the index on in a step of its own."""

from exactly_once.faults import Fault, FaultPlan

REASON = "One crash"


def sink(node):
    shop = node.store("shop")
    _, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        shop.append("orders", items[0].value)
        shop.write("index", index + 1)
        index += 1


answer = {"plan": FaultPlan([Fault("store.transact", 2, "lost reply")]), "sink": sink}
