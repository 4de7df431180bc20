"""Fails by itself."""

from exactly_once.faults import Fault, FaultPlan

REASON = "TypeError"


def sink(node):
    shop = node.store("shop")
    _, index = shop.read("index")
    while index < 3:
        index += 1


answer = {"plan": FaultPlan([Fault("store.transact", 2, "lost reply")]), "sink": sink}
