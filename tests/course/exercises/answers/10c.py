"""Answers to the exercise 10c."""

from tests.course.answers import Answers

given = """
    from exactly_once.lockfree import Queue
"""
answers = Answers("10c", given)

answers.right("one message at a time").code("""
    def answer(node, stage):
        _, state, positions, messages = stage
        if not messages:
            return ["HANDLING", state, positions]
        cells, places, given = node.store("queues"), [], set()
        for queue, _ in messages:
            index = Queue(cells, queue).next_index()
            while f"{queue}.{index}" in given or cells.read(f"{queue}.{index}")[0]:
                index += 1
            given.add(f"{queue}.{index}")
            places.append(index)
        return ["WRITING", state, positions, messages, places]
""")

answers.right("without hint").code("""
    def answer(node, stage):
        _, state, positions, messages = stage
        if not messages:
            return ["HANDLING", state, positions]

        cells, places = node.store("queues"), []
        for queue, _ in messages:
            index = 0
            given = [place for (other, _), place in zip(messages, places, strict=False) if other == queue]
            while index in given or cells.read(f"{queue}.{index}")[0]:
                index += 1
            places.append(index)
        return ["WRITING", state, positions, messages, places]
""")

# Plausible: the step as a place needs no look.
answers.plausible(
    "place by the step",
    ('first = Queue(node.store("queues"), messages[0][0]).next_index()', "step = sum(positions.values())"),
    ("list(range(first, first + len(messages)))", "[step for _ in messages]"),
    of="counts for all queues",
    reason="a cell of shipments is empty, and a later one is full",
)

# Plausible: an index that is empty is not taken.
answers.plausible(
    "the same place twice",
    ('first = Queue(node.store("queues"), messages[0][0]).next_index()', 'cells = node.store("queues")'),
    ("list(range(first, first + len(messages)))", "[Queue(cells, queue).next_index() for queue, _ in messages]"),
    of="counts for all queues",
    reason="One order with two equal messages to one queue: after this schedule the queue shipments holds shipment",
)

# Plausible: a process that dies after the push begins again.
answers.plausible("writes at once", of="number of places", reason="One crash: after this schedule the queue").diff("""
    -    return ["WRITING", state, positions, messages, [Queue(node.store("queues"), messages[0][0]).next_index()]]
    +    queues = [Queue(node.store("queues"), queue) for queue, _ in messages]
    +    places = [queue.push(message) for queue, (_, message) in zip(queues, messages, strict=False)]
    +    return ["WRITING", state, positions, messages, places]
""")

# Plausible: one queue is all it thinks of.
answers.plausible("counts for all queues", reason="a cell of shipments is empty, and a later one is full").code("""
    def answer(node, stage):
        _, state, positions, messages = stage
        if not messages:
            return ["HANDLING", state, positions]

        first = Queue(node.store("queues"), messages[0][0]).next_index()
        return ["WRITING", state, positions, messages, list(range(first, first + len(messages)))]
""")

answers.wrong(
    "first message alone",
    ('first = Queue(node.store("queues"), messages[0][0]).next_index()', "queue = messages[0][0]"),
    (", list(range(first, first + len(messages)))", '[:1], [Queue(node.store("queues"), queue).next_index()]'),
    of="counts for all queues",
    reason="the queue shipments holds nothing; right is shipment",
)

answers.wrong(
    "in another order",
    ("for queue, _ in messages:", "for queue, _ in reversed(messages):"),
    ("places.append(index)", "places.insert(0, index)"),
    reason="One order with two equal messages to one queue: after this schedule a cell of shipments is empty",
)

answers.wrong("number of places", reason="There are 1 places for 2 messages; give one for each.").code("""
    def answer(node, stage):
        _, state, positions, messages = stage
        if not messages:
            return ["HANDLING", state, positions]

        return ["WRITING", state, positions, messages, [Queue(node.store("queues"), messages[0][0]).next_index()]]
""")

answers.wrong("stays in preparing", reason="is PREPARING again; it is WRITING, or HANDLING, that follows").code("""
    def answer(node, stage):
        _, state, positions, messages = stage
        if messages:
            places = [Queue(node.store("queues"), queue).next_index() for queue, _ in messages]
            return ["WRITING", state, positions, messages, places]
        return stage
""")

answers.wrong("without a message", reason="IndexError").code("""
    def answer(node, stage):
        _, state, positions, messages = stage
        cells, places = node.store("queues"), []
        place = Queue(cells, messages[0][0]).next_index()
        for queue, _ in messages:
            place = Queue(cells, queue).next_index() if not places else place + 1
            places.append(place)
        return ["WRITING", state, positions, messages, places]
""")
