"""Goes on after a refusal: version and index grow together, so nobody writes an order out of its turn."""


def answer(node):
    shop = node.store("shop")
    version, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        number, amount = items[0].key, items[0].value
        changes = [("append", "orders", [number, "refused"])]
        if amount <= shop.total("tea"):
            changes = [("append", "orders", [number, "shipped"]), ("add", "tea", -amount)]
        shop.transact(("cas", "index", version, index + 1), *changes)
        version += 1
        index += 1
