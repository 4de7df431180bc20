# Plausible: nothing is doubled, if no request is lost.
"""Goes on after an unknown outcome as if it were done."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.faults import Fault, FaultPlan

REASON = "One lost request"


def sink(node):
    shop = node.store("shop")
    _, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        while True:
            version, _ = shop.read("index")
            try:
                if shop.transact(("cas", "index", version, index + 1), ("append", "orders", items[0].value)):
                    break
            except OutcomeUnknown:
                break
        index += 1


answer = {"plan": FaultPlan([Fault("store.transact", 2, "lost reply")]), "sink": sink}
