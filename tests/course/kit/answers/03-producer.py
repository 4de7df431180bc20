"""Answers to the gap 03-producer."""

from tests.course.answers import Answers

given = """
    from exactly_once.errors import OutcomeUnknown
    from exactly_once.handlers.logs.producer import attempt, insist
"""
answers = Answers("03-producer", given)

answers.right("its own loop").code("""
    def answer(node):
        positions = insist(node.positions.load)
        while node.running(positions):
            items, next_positions = insist(node.read, positions)
            while True:
                try:
                    node.output.push(items[0].value, items[0].key)
                    node.positions.save(next_positions)
                    break
                except OutcomeUnknown:
                    if insist(node.positions.load) == next_positions:
                        break
            positions = next_positions
""")

answers.right("lets the next incarnation do it").code("""
    def answer(node):  # an error ends the incarnation, and the next one goes on from the positions
        positions = node.positions.load()
        while node.running(positions):
            items, positions = node.read(positions)
            for item in items:
                node.output.push(item.value, item.key)
            node.positions.save(positions)
""")

answers.wrong(
    "gives up",
    ("insist(node.output.push, items[0])", "attempt(node.output.push, items[0].value, items[0].key)"),
    of="sends the record itself",
    reason="One request is lost. After this schedule the log holds [1, 2]: record 3 is lost",
)

answers.wrong(
    "sends no key", ("items[0]", "items[0].value"), of="sends the record itself", reason="under the key None"
)

answers.wrong(
    "notes first", of="notes nothing", reason="The producer dies once. After this schedule the log holds [1, 2]"
).diff("""
             items, next_positions = insist(node.read, positions)
    +        insist(node.positions.save, next_positions)
""")

answers.wrong("always twice", of="notes nothing", reason="the log holds [1, 1, 2, 2, 3, 3]").diff("""
             insist(node.output.push, items[0].value, items[0].key)
    +        insist(node.output.push, items[0].value, items[0].key)
    +        insist(node.positions.save, next_positions)
""")

answers.wrong(
    "tries twice", of="sends the record itself", reason="Two requests are lost. After this schedule the log holds"
).diff("""
    -        insist(node.output.push, items[0])
    +        try:
    +            node.output.push(items[0].value, items[0].key)
    +        except OutcomeUnknown:
    +            attempt(node.output.push, items[0].value, items[0].key)
""")

answers.wrong("notes nothing", reason="may repeat one record, and no more").code("""
    def answer(node):
        positions = insist(node.positions.load)
        while node.running(positions):
            items, next_positions = insist(node.read, positions)
            insist(node.output.push, items[0].value, items[0].key)
            positions = next_positions
""")

answers.wrong("sends the record itself", reason="it should hold records 1, 2 and 3").code("""
    def answer(node):
        positions = insist(node.positions.load)
        while node.running(positions):
            items, next_positions = insist(node.read, positions)
            insist(node.output.push, items[0])
            insist(node.positions.save, next_positions)
            positions = next_positions
""")

answers.wrong("the librarys own", reason="hands the work to the library's producer_that_retries").code("""
    from exactly_once.handlers.logs import producer


    def answer(node):
        return producer.producer_that_retries(node)
""")

# One record too many comes again.
answers.wrong(
    "saves where it began",
    ("insist(node.positions.save, next_positions)", "insist(node.positions.save, positions)"),
    reason="each fault may repeat one record",
)
