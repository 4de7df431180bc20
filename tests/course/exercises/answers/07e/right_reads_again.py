"""Begins each round with the index."""


def answer(node):
    shop = node.store("shop")
    while True:
        version, index = shop.read("index")
        index = index or 0
        if not node.running({"numbers": index}):
            return
        items, _ = node.read({"numbers": index})
        number, amount = items[0].key, items[0].value
        enough = amount <= shop.total("tea")
        operations = [("cas", "index", version, index + 1)]
        operations.append(("append", "orders", [number, "shipped" if enough else "refused"]))
        if enough:
            operations.append(("add", "tea", -amount))
        shop.transact(*operations)
