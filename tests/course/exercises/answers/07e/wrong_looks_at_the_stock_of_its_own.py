"""Keeps the stock in its memory, as it found it at first."""

REASON = "One late request"


def answer(node):
    shop = node.store("shop")
    version, index = shop.read("index")
    stock = shop.total("tea")
    while True:
        index = index or 0
        if not node.running({"numbers": index}):
            return
        items, _ = node.read({"numbers": index})
        number, amount = items[0].key, items[0].value
        changes = [("append", "orders", [number, "refused"])]
        if amount <= stock:
            changes = [("append", "orders", [number, "shipped"]), ("add", "tea", -amount)]
        if shop.transact(("cas", "index", version, index + 1), *changes) and amount <= stock:
            stock -= amount
        version, index = shop.read("index")
