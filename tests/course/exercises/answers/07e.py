"""Answers to the exercise 07e."""

from tests.course.answers import Answers

answers = Answers("07e")

# Keeps no index: the version that is guarded is that of a cell beside the orders.
answers.right("counts the orders").code("""
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
""")

# Goes on after a refusal: version and index grow together, so nobody writes an order out of its turn.
answers.right("goes on after a refusal").code("""
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
""")

# Begins each round with the index.
answers.right("reads again").code("""
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
""")

# Writes the index in the transaction, over any old value. Plausible: right, if nothing goes wrong, and after a crash.
answers.plausible(
    "index written without looking",
    ("version, index =", "_, index ="),
    ('"cas", "index", version', '"write", "index"'),
    of="reads again",
    reason="One request that arrives twice",
)

# Both tables in one transaction, and the index after it. Plausible: right, if nothing goes wrong.
answers.plausible("index by itself", reason="One crash").code("""
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
""")

# Ships each order.
answers.wrong(
    "ships everything",
    ('enough = amount <= shop.total("tea")', "enough = True"),
    of="reads again",
    reason="Even when nothing goes wrong",
)

# Reads the stock first: it may be another one by then.
answers.wrong("stock before the index", of="reads again", reason="One late request").diff("""
         while True:
    +        stock = shop.total("tea")
    @@
    -        enough = amount <= shop.total("tea")
    +        enough = amount <= stock
""")

# Fails by itself.
answers.wrong("fails", reason="ZeroDivisionError").code("""
    def answer(node):
        node.store("shop").transact(("cas", "index", 0, 1), ("append", "orders", 1 / 0))
""")

# Keeps the stock in its memory, as it found it at first.
answers.wrong("looks at the stock of its own", reason="One late request").code("""
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
""")

# Reads the version again after an unknown outcome, and not the index.
answers.wrong("retries by itself", reason="One lost reply").code("""
    from exactly_once.errors import OutcomeUnknown


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
""")

# Each table by itself, and then the index.
answers.wrong("three steps", reason="Even when nothing goes wrong").code("""
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
""")
