"""Keeps no index: the version that is guarded is that of a cell beside the orders."""


def answer(node):
    shop = node.store("shop")
    while True:
        version, _ = shop.read("turn")
        answered = shop.scan("orders")
        index = len(answered)
        if not node.running({"numbers": index}):
            return
        items, _ = node.read({"numbers": index})
        left = 3 - sum((2, 2, 1)[number - 1] for number, said in answered if said == "shipped")
        number, amount = items[0].key, items[0].value
        changes = [("append", "orders", [number, "refused"])]
        if amount <= left:
            changes = [("append", "orders", [number, "shipped"]), ("add", "tea", -amount)]
        shop.transact(("cas", "turn", version, number), *changes)
