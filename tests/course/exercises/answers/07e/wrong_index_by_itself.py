# Plausible: right, if nothing goes wrong.
"""Both tables in one transaction, and the index after it."""

REASON = "One crash"


def answer(node):
    shop = node.store("shop")
    _, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        number, amount = items[0].key, items[0].value
        operations = [("append", "orders", [number, "refused"])]
        if amount <= shop.total("tea"):
            operations = [("append", "orders", [number, "shipped"]), ("add", "tea", -amount)]
        shop.transact(*operations)
        index += 1
        shop.write("index", index)
