"""Answers to the gap 05-next-life."""

from tests.course.answers import Answers

given = """
    from exactly_once.handlers.logs.idempotent import kept_id
    from exactly_once.handlers.logs.producer import insist
"""
answers = Answers("05-next-life", given)

answers.right("counts from where it is").code("""
    def answer(node):
        positions, identity = insist(node.positions.load), kept_id(node)
        number = positions["numbers"]
        while node.running(positions):
            items, positions = insist(node.read, positions)
            for item in items:
                insist(node.log.append, "readings", [(item.key, item.value)], "all", identity, 0, number)
                number += 1
            insist(node.positions.save, positions)
""")

answers.right("the value is the number").code("""
    def answer(node):
        identity = kept_id(node)
        positions = insist(node.positions.load)
        while node.running(positions):
            items, next_positions = insist(node.read, positions)
            record, append = (items[0].key, items[0].value), node.log.append
            insist(append, "readings", [record], "all", identity, 0, items[0].value - 1)
            insist(node.positions.save, next_positions)
            positions = next_positions
""")

answers.wrong(
    "the number of the next",
    ("items[0].value - 1", '2 * next_positions["numbers"]'),
    of="the value is the number",
    reason="OutOfOrderSequence",
)

answers.wrong(
    "an id for each incarnation",
    ("identity = kept_id(node)", 'identity = insist(node.log.producer_id, "readings")'),
    ("items[0].value - 1", 'positions["numbers"]'),
    of="the value is the number",
    reason="The producer dies once",
)

answers.wrong(
    "a number of its own",
    ("identity = kept_id(node)", "identity, number = kept_id(node), 0"),
    ("items[0].value - 1", "number"),
    ("positions = next_positions", "positions, number = next_positions, number + 1"),
    of="the value is the number",
    reason="The producer dies once",
)

answers.wrong("notes first", of="the value is the number", reason="The producer dies once").diff("""
    -        insist(append, "readings", [record], "all", identity, 0, items[0].value - 1)
             insist(node.positions.save, next_positions)
    +        insist(append, "readings", [record], "all", identity, 0, positions["numbers"])
""")

answers.wrong("saves nothing", of="the value is the number", reason="Save the position after each record").diff("""
    -        insist(append, "readings", [record], "all", identity, 0, items[0].value - 1)
    -        insist(node.positions.save, next_positions)
    +        insist(append, "readings", [record], "all", identity, 0, positions["numbers"])
""")

answers.wrong("no number", of="the value is the number", reason="The producer dies once").diff("""
    -    identity = kept_id(node)
    @@
    -        insist(append, "readings", [record], "all", identity, 0, items[0].value - 1)
    +        insist(append, "readings", [record])
""")

answers.wrong("saves at the end", reason="Save the position after each record").code("""
    def answer(node):
        identity = kept_id(node)
        positions = insist(node.positions.load)
        while node.running(positions):
            items, positions_then = insist(node.read, positions)
            record, append = (items[0].key, items[0].value), node.log.append
            insist(append, "readings", [record], "all", identity, 0, positions["numbers"])
            positions = positions_then
        insist(node.positions.save, positions)
""")
