# Plausible: right, if nothing goes wrong, and after a crash.
"""Writes the index in the transaction, whatever it was."""

REASON = "One request that arrives twice"


def answer(node):
    shop = node.store("shop")
    while True:
        _, index = shop.read("index")
        index = index or 0
        if not node.running({"numbers": index}):
            return
        items, _ = node.read({"numbers": index})
        number, amount = items[0].key, items[0].value
        enough = amount <= shop.total("tea")
        operations = [("write", "index", index + 1)]
        operations.append(("append", "orders", [number, "shipped" if enough else "refused"]))
        if enough:
            operations.append(("add", "tea", -amount))
        shop.transact(*operations)
