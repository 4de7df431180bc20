"""Looks at the index before each attempt."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.faults import Fault, FaultPlan


def sink(node):
    shop = node.store("shop")
    _, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        while True:
            version, found = shop.read("index")
            if (found or 0) > index:
                break
            try:
                if shop.transact(("cas", "index", version, index + 1), ("append", "orders", items[0].value)):
                    break
            except OutcomeUnknown:
                continue
        index += 1


answer = {"plan": FaultPlan([Fault("store.transact", 2, "lost reply")]), "sink": sink}
