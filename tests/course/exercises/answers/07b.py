"""Answers to the exercise 07b."""

from tests.course.answers import Answers

given = """
    from exactly_once.errors import OutcomeUnknown
    from exactly_once.faults import Fault, FaultPlan


    def sink(node):
        shop = node.store("shop")
        _, index = shop.read("index")
        index = index or 0
        while node.running({"numbers": index}):
            items, _ = node.read({"numbers": index})
            while True:
                version, found = shop.read("index")
                if (found or 0) > index:
                    break
                try:
                    if shop.transact(("cas", "index", version, index + 1), ("append", "orders", items[0].value)):
                        break
                except OutcomeUnknown:
                    continue
            index += 1
"""
answers = Answers("07b", given)

# Lets an unknown outcome pass: the next life reads the index. A refusal ends the life as well.
answers.right("gives up").code("""
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
""")

# Keeps the version, so that a second attempt is refused if the first took place.
answers.right("keeps the version").code("""
    def sink(node):
        shop = node.store("shop")
        version, index = shop.read("index")
        index = index or 0
        while node.running({"numbers": index}):
            items, _ = node.read({"numbers": index})
            try:
                shop.transact(("cas", "index", version, index + 1), ("append", "orders", items[0].value))
            except OutcomeUnknown:
                version = None
            version, index = shop.read("index")
            index = index or 0


    answer = {"plan": FaultPlan([Fault("store.transact", None, "pause")]), "sink": sink}
""")

# Looks at the index before each attempt.
answers.right("looks at the index").code("""
    answer = {"plan": FaultPlan([Fault("store.transact", 2, "lost reply")]), "sink": sink}
""")

# Goes on after an unknown outcome as if it were done. Plausible: nothing is doubled, if no request is lost.
answers.plausible("tries once", ("continue", "break"), of="the forgetful one", reason="One lost request")

# Moves the index on in a step of its own. Plausible: right, if nothing goes wrong.
answers.plausible("index after", of="raises", reason="One crash").diff("""
    -    while index < 3:
    +    index = index or 0
    +    while node.running({"numbers": index}):
    +        items, _ = node.read({"numbers": index})
    +        shop.append("orders", items[0].value)
    +        shop.write("index", index + 1)
""")

# Leaves an order out whose outcome it does not know.
answers.wrong("gives up the order", ("continue", "break"), of="the forgetful one", reason="One lost request")

# Writes the index that it finds, one higher, with the order that it has.
answers.wrong("new version with its own index", of="the forgetful one", reason="One lost reply").diff("""
-            version, _ = shop.read("index")
+            version, found = shop.read("index")
             try:
-                if shop.transact(("cas", "index", version, index + 1), ("append", "orders", items[0].value)):
+                if shop.transact(("cas", "index", version, (found or 0) + 1), ("append", "orders", items[0].value)):
""")

# Looks whether the order is in the table, and writes it then.
answers.wrong("looks at the table", of="the forgetful one", reason="One late request").diff("""
    -        while True:
    +        order = items[0].value
    +        while order not in shop.scan("orders"):
    @@
    -                if shop.transact(("cas", "index", version, index + 1), ("append", "orders", items[0].value)):
    -                    break
    +                shop.transact(("cas", "index", version, index + 1), ("append", "orders", order))
""")

# A crash, which the forgetful sink stands.
answers.wrong("plan that does no harm", reason="leaves each order once").code("""
    answer = {"plan": FaultPlan([Fault("store.transact", 2, "crash after")]), "sink": sink}
""")

# A fault at a step that the sink does not take.
answers.wrong("plan that strikes nothing", reason="does not strike").code("""
    answer = {"plan": FaultPlan([Fault("output.push", 2, "lost reply")]), "sink": sink}
""")

# Fails by itself.
answers.wrong("raises", reason="TypeError").code("""
    def sink(node):
        shop = node.store("shop")
        _, index = shop.read("index")
        while index < 3:
            index += 1


    answer = {"plan": FaultPlan([Fault("store.transact", 2, "lost reply")]), "sink": sink}
""")

# The sink as it was.
answers.wrong("the forgetful one", reason="One lost reply").code("""
    def sink(node):
        shop = node.store("shop")
        _, index = shop.read("index")
        index = index or 0
        while node.running({"numbers": index}):
            items, _ = node.read({"numbers": index})
            while True:
                version, _ = shop.read("index")
                try:
                    if shop.transact(("cas", "index", version, index + 1), ("append", "orders", items[0].value)):
                        break
                except OutcomeUnknown:
                    continue
            index += 1


    answer = {"plan": FaultPlan([Fault("store.transact", 2, "lost reply")]), "sink": sink}
""")

# Writes the number that an order would have if orders were counted from 1.
answers.wrong("the place for the order", of="gives up", reason="Even when nothing goes wrong").diff("""
-        items, _ = node.read({"numbers": index})
-        shop.transact(("cas", "index", version, index + 1), ("append", "orders", items[0].value))
+        node.read({"numbers": index})
+        shop.transact(("cas", "index", version, index + 1), ("append", "orders", index + 1))
""")
