"""Each table by itself, and then the index."""

REASON = "Even when nothing goes wrong"


def answer(node):
    shop = node.store("shop")
    _, index = shop.read("index")
    index = index or 0
    while node.running({"numbers": index}):
        items, _ = node.read({"numbers": index})
        number, amount = items[0].key, items[0].value
        enough = amount <= shop.total("tea")
        shop.append("orders", [number, "shipped" if enough else "refused"])
        if enough:
            shop.add("tea", -amount)
        index += 1
        shop.write("index", index)
