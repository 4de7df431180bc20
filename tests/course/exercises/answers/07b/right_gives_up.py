"""Lets an unknown outcome pass: the next life reads the index. A refusal ends the life as well."""

from exactly_once.faults import Fault


def sink(node):
    shop = node.store("shop")
    while True:
        version, index = shop.read("index")
        index = index or 0
        if not node.running({"numbers": index}):
            return
        items, _ = node.read({"numbers": index})
        shop.transact(("cas", "index", version, index + 1), ("append", "orders", items[0].value))


answer = {"plan": Fault("store.transact", 1, "late request", until=1), "sink": sink}
