"""Answers to the exercise 13b."""

from tests.course.answers import Answers

answers = Answers(
    "13b", "from exactly_once import OutcomeUnknown\nfrom exactly_once.stores import SerializationFailure"
)

# The mark first, and a return as soon as it is there.
answers.right("the mark first").code("""
    def answer(database, order, amount):
        while True:
            try:
                database.begin()
                if database.read(f"paid-{order}"):
                    database.rollback()
                    return
                database.write(f"paid-{order}", True)
                database.write("balance", database.read("balance") - amount)
                database.commit()
                return
            except OutcomeUnknown:
                pass
            except SerializationFailure:
                pass
""")

# All orders in one row, a list.
answers.right("a list of orders").code("""
    def answer(database, order, amount):
        done = False
        while not done:
            try:
                database.begin()
                orders = database.read("orders") or []
                if order not in orders:
                    database.write("orders", [*orders, order])
                    database.write("balance", database.read("balance") - amount)
                database.commit()
                done = True
            except Exception:
                database.rollback()
""")

# It runs again after each error, and knows no orders. Plausible: without a redelivery each order is paid once.
answers.plausible("no mark", reason="an order was paid twice").code("""
    def answer(database, order, amount):
        while True:
            try:
                database.begin()
                database.write("balance", database.read("balance") - amount)
                database.commit()
                return
            except (SerializationFailure, OutcomeUnknown):
                continue
""")

# No errors are expected. Plausible: right in a calm run.
answers.plausible("no errors", reason="fails with OutcomeUnknown").code("""
    def answer(database, order, amount):
        database.begin()
        if database.read(order) is None:
            database.write("balance", database.read("balance") - amount)
            database.write(order, amount)
        database.commit()
""")

answers.plausible(
    "only the refusal is tried again",
    ("(SerializationFailure, OutcomeUnknown)", "SerializationFailure"),
    reason="fails with OutcomeUnknown",
)

# "It is done, since the commit was sent."
answers.wrong("no answer is done", reason="an order was not paid").code("""
    def answer(database, order, amount):
        while True:
            try:
                database.begin()
                if database.read(order) is None:
                    database.write("balance", database.read("balance") - amount)
                    database.write(order, amount)
                database.commit()
                return
            except SerializationFailure:
                continue
            except OutcomeUnknown:
                return
""")

answers.wrong(
    "looks in one transaction, pays in another",
    (
        "database.read(paid) is None:\n",
        "database.read(paid) is None:\n                database.commit(), database.begin()\n",
    ),
    reason="an order was paid twice",
)

answers.wrong("a mark for the amount", ('f"order {order}"', 'f"amount {amount}"'), reason="an order was not paid")

answers.wrong("a mark for the last order", reason="an order was paid twice").code("""
    def answer(database, order, amount):
        while True:
            try:
                database.begin()
                if database.read("last") != order:
                    database.write("balance", database.read("balance") - amount)
                    database.write("last", order)
                database.commit()
                return
            except (SerializationFailure, OutcomeUnknown):
                continue
""")

answers.wrong("the mark in a transaction of its own", reason="an order was").code("""
    def answer(database, order, amount):
        while True:
            try:
                database.begin()
                if database.read(order) is None:
                    database.write("balance", database.read("balance") - amount)
                    database.commit()
                    database.begin()
                    database.write(order, amount)
                database.commit()
                return
            except (SerializationFailure, OutcomeUnknown):
                continue
""")

answers.wrong("read once, before the loop", reason="an order was paid twice").code("""
    def answer(database, order, amount):
        balance = None
        while True:
            try:
                database.begin()
                balance = database.read("balance") - amount
                database.write("balance", balance)
                database.commit()
                return
            except (SerializationFailure, OutcomeUnknown):
                continue
""")

answers.wrong("remembers in the process", reason="an order was paid twice").code("""
    paid = set()


    def answer(database, order, amount):
        while order not in paid:
            try:
                database.begin()
                database.write("balance", database.read("balance") - amount)
                database.commit()
                paid.add(order)
            except (SerializationFailure, OutcomeUnknown):
                continue
""")

answers.wrong("the statement alone again", reason="outside of a transaction").code("""
    def answer(database, order, amount):
        def insist(call, *arguments):
            while True:
                try:
                    return call(*arguments)
                except (SerializationFailure, OutcomeUnknown):
                    continue

        insist(database.begin)
        if insist(database.read, order) is None:
            insist(database.write, "balance", insist(database.read, "balance") - amount)
            insist(database.write, order, amount)
        insist(database.commit)
""")

answers.wrong("leaves it open", reason="a transaction is open").code("""
    def answer(database, order, amount):
        database.begin()
        if database.read(order) is None:
            database.write("balance", database.read("balance") - amount)
            database.write(order, amount)
            database.commit()
""")

answers.wrong("swallows everything", reason="an order was not paid").code("""
    def answer(database, order, amount):
        try:
            database.begin()
            if database.read(order) is None:
                database.write("balance", database.read("balance") - amount)
                database.write(order, amount)
            database.commit()
        except Exception:
            pass
""")
