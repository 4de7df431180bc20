"""Answers to the gap 03-ask."""

from tests.course.answers import Answers

given = """
    from exactly_once.errors import OutcomeUnknown
    from exactly_once.handlers.logs.producer import insist
"""
answers = Answers("03-ask", given)

answers.right("asks before every push").code("""
    from exactly_once.handlers.logs.producer import attempt


    def answer(node, record):
        while record.value not in insist(node.output.read):
            attempt(node.output.push, record.value, record.key)
""")

answers.right("by recursion").code("""
    def answer(node, record):
        try:
            node.output.push(record.value, record.key)
        except OutcomeUnknown:
            if record.value not in insist(node.output.read):
                answer(node, record)
""")

# Another producer's record may be the last one, and may be the one that makes the log longer.
answers.wrong(
    "looks at the last record",
    ("record.value not in insist(node.output.read)", "insist(node.output.read)[-1:] != [record.value]"),
    of="by recursion",
    reason="Another producer appends, too, and one reply is lost",
)

answers.wrong(
    "counts the records",
    ("record.value not in insist(node.output.read)", "len(insist(node.output.read)) <= record.offset"),
    of="by recursion",
    reason="Another producer appends, too, and one request is lost",
)

answers.wrong(
    "asks once without insisting",
    ("if record in insist(node.output.read)", "if record.value in node.output.read()"),
    of="looks for the record itself",
    reason="One request and one reply are lost",
)

answers.wrong(
    "only asks",
    ("attempt(node.output.push, record.value, record.key)", "continue"),
    of="asks before every push",
    reason="do not come to an end",
)

answers.wrong(
    "sends no key",
    ("value, record.key", "value"),
    ("if record", "if record.value"),
    of="looks for the record itself",
    reason="record 1 is in the log under the key None",
)

answers.wrong(
    "lets it rest", reason="One request is lost. After this schedule the log holds [1], and should hold [1, 2]"
).code("""
    def answer(node, record):
        try:
            node.output.push(record.value, record.key)
        except OutcomeUnknown:
            return
""")

answers.wrong("looks for the key", reason="One reply is lost").code("""
    def answer(node, record):
        try:
            node.output.push(record.value, record.key)
        except OutcomeUnknown:
            if record.key not in insist(node.output.read):
                insist(node.output.push, record.value, record.key)
            else:
                return
        if insist(node.output.read).count(record.value) > 1:
            insist(node.output.push, record.value, record.key)
""")

answers.wrong("looks for the record itself", reason="the log holds [1, 1]").code("""
    def answer(node, record):
        while True:
            try:
                return node.output.push(record.value, record.key)
            except OutcomeUnknown:
                if record in insist(node.output.read):
                    return None
""")

answers.wrong("pushes nothing when all is well", reason="it should hold each record once").code("""
    def answer(node, record):
        node.output.push(record.value, record.key)
        if record.value in insist(node.output.read):
            node.output.push(record.value, record.key)
""")

answers.wrong(
    "sends again without asking", reason="One reply is lost. After this schedule the log holds [1, 1]"
).code("""
    def answer(node, record):
        insist(node.output.push, record.value, record.key)
""")

answers.wrong("the answer upside down", reason="One request is lost").code("""
    def answer(node, record):
        try:
            node.output.push(record.value, record.key)
        except OutcomeUnknown:
            if record.value in insist(node.output.read):
                node.output.push(record.value, record.key)
""")
