"""Reads the version again after an unknown outcome, and not the index."""

from exactly_once.errors import OutcomeUnknown

REASON = "One lost reply"


def answer(node):
    shop = node.store("shop")
    _, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        number, amount = items[0].key, items[0].value
        done = None
        while not done:
            version, _ = shop.read("index")
            changes = [("append", "orders", [number, "refused"])]
            if amount <= shop.total("tea"):
                changes = [("append", "orders", [number, "shipped"]), ("add", "tea", -amount)]
            try:
                done = shop.transact(("cas", "index", version, index + 1), *changes)
            except OutcomeUnknown:
                continue
        index += 1
