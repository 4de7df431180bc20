"""Looks whether the order is in the table, and writes it then."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.faults import Fault, FaultPlan

REASON = "One late request"


def sink(node):
    shop = node.store("shop")
    _, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        order = items[0].value
        while order not in shop.scan("orders"):
            version, _ = shop.read("index")
            try:
                shop.transact(("cas", "index", version, index + 1), ("append", "orders", order))
            except OutcomeUnknown:
                continue
        index += 1


answer = {"plan": FaultPlan([Fault("store.transact", 2, "lost reply")]), "sink": sink}
