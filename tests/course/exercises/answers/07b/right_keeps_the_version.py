"""Keeps the version, so that a second attempt is refused if the first took place."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.faults import Fault, FaultPlan


def sink(node):
    shop = node.store("shop")
    version, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        try:
            shop.transact(("cas", "index", version, index + 1), ("append", "orders", items[0].value))
        except OutcomeUnknown:
            version = None
        version, index = shop.read("index")
        index = index or 0


answer = {"plan": FaultPlan([Fault("store.transact", None, "pause")]), "sink": sink}
