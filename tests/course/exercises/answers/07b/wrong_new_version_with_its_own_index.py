"""Writes the index that it finds, one higher, with the order that it has."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.faults import Fault, FaultPlan

REASON = "One lost reply"


def sink(node):
    shop = node.store("shop")
    _, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        while True:
            version, found = shop.read("index")
            try:
                if shop.transact(("cas", "index", version, (found or 0) + 1), ("append", "orders", items[0].value)):
                    break
            except OutcomeUnknown:
                continue
        index += 1


answer = {"plan": FaultPlan([Fault("store.transact", 2, "lost reply")]), "sink": sink}
