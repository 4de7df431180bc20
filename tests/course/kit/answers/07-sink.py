"""Answers to the gap 07-sink."""

from tests.course.answers import Answers

given = """
    from exactly_once.handlers.stream.offset_in_sink import INDEX, QUEUE
"""
answers = Answers("07-sink", given)

answers.right("count listed first").code("""
    def answer(node):
        version, index = node.database.read(INDEX)
        while node.running():
            _message, positions = node.read({QUEUE: index or 0})
            node.database.transact(("add", "counter", 1), ("cas", INDEX, version, positions[QUEUE]))
            version, index = node.database.read(INDEX)
""")

answers.right("reads no more").code("""
    def answer(node):
        version, index = node.database.read(INDEX)
        while node.running():
            _message, _positions = node.read({QUEUE: index or 0})
            if node.database.transact(("cas", INDEX, version, (index or 0) + 1), ("add", "counter", 1)) is None:
                version, index = node.database.read(INDEX)
                continue
            version, index = version + 1, (index or 0) + 1
""")

answers.wrong("count first", of="count listed first", reason="A process dies").diff("""
    -        node.database.transact(("add", "counter", 1), ("cas", INDEX, version, positions[QUEUE]))
    +        node.database.increment()
    +        node.database.cas(INDEX, version, positions[QUEUE])
""")

answers.wrong("index first", of="count listed first", reason="the counter is 1 and should be 2").diff("""
    -        node.database.transact(("add", "counter", 1), ("cas", INDEX, version, positions[QUEUE]))
    +        node.database.cas(INDEX, version, positions[QUEUE])
    +        node.database.increment()
""")

answers.wrong("count if the index went up", of="count listed first", reason="A process dies").diff("""
    -        node.database.transact(("add", "counter", 1), ("cas", INDEX, version, positions[QUEUE]))
    +        if node.database.cas(INDEX, version, positions[QUEUE]):
    +            node.database.increment()
""")

answers.wrong("counts only", reason="A process dies").code("""
    def answer(node):
        version, index = node.database.read(INDEX)
        while node.running():
            _message, positions = node.read({QUEUE: index or 0})
            node.database.increment()
            version, index = version, positions[QUEUE]
""")

answers.wrong("index of the same message", reason="Nothing goes wrong").code("""
    def answer(node):
        version, index = node.database.read(INDEX)
        while node.running():
            _message, _positions = node.read({QUEUE: index or 0})
            node.database.transact(("cas", INDEX, version, index or 0), ("add", "counter", 1))
            version, index = node.database.read(INDEX)
""")

answers.wrong("write and no cas", reason="A request arrives twice").code("""
    def answer(node):
        _, index = node.database.read(INDEX)
        while node.running():
            _message, positions = node.read({QUEUE: index or 0})
            node.database.transact(("write", INDEX, positions[QUEUE]), ("add", "counter", 1))
            _version, index = node.database.read(INDEX)
""")

answers.wrong(
    "index of the first message",
    ("version, positions[QUEUE])", "version, 1)"),
    of="count listed first",
    reason="do not come to an end",
)

answers.wrong(
    "adds the index",
    ('("add", "counter", 1)', '("add", "counter", positions[QUEUE])'),
    of="count listed first",
    reason="the counter is 3 and should be 2",
)
