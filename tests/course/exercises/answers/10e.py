"""Answers to the exercise 10e."""

from tests.course.answers import Answers

given = """
import contextlib
from exactly_once.errors import OutcomeUnknown


def go_on(node, function, queues, name):
    machines = node.store("machines")
    version, stage = machines.read(name)
    kind, state, positions, *rest = stage or ["HANDLING", None, node.start]
    if kind == "HANDLING":
        if not node.running(positions):
            return True
        following = handled(node, function, queues, name, state, positions)
    elif kind == "PREPARING":
        following = prepared(node, state, positions, *rest)
    else:
        following = written(node, state, positions, *rest)
    machines.cas(name, version, following)
    return False


def handled(node, function, queues, name, state, positions):
    [inputs], positions = node.read(positions)
    state, outputs = function(state, inputs)
    step = sum(positions.values())
    messages = [[queue, [name, step, one]] for queue, one in zip(queues, outputs, strict=False) if one is not None]
    return after(state, positions, messages)


def after(state, positions, messages):
    return ["PREPARING", state, positions, messages] if messages else ["HANDLING", state, positions]


def prepared(node, state, positions, messages):
    index, cells = 0, node.store("queues")
    while cells.read(f"{messages[0][0]}.{index}")[0]:
        index += 1
    return ["WRITING", state, positions, messages, index]


def written(node, state, positions, messages, index):
    (queue, message), cells = messages[0], node.store("queues")
    if cells.cas(f"{queue}.{index}", 0, message) or cells.read(f"{queue}.{index}")[1] == message:
        return after(state, positions, messages[1:])
    return ["PREPARING", state, positions, messages]
"""
answers = Answers("10e", given)

answers.right("gives up its incarnation").code("""
    def answer(node, function, queues, name):
        ended = False
        while not ended:
            ended = go_on(node, function, queues, name)  # an unknown outcome is the next incarnation's business
""")

answers.right("all places at once").code("""
    def answer(node, function, queues, name):
        ended = False
        while not ended:
            with contextlib.suppress(OutcomeUnknown):
                ended = go_on(node, function, queues, name)


    def prepared(node, state, positions, messages):
        cells, places = node.store("queues"), []
        for queue, _ in messages:
            index = 0
            while cells.read(f"{queue}.{index}")[0]:
                index += 1
            places.append(index)
        return ["WRITING", state, positions, messages, places]


    def written(node, state, positions, messages, places):
        cells = node.store("queues")
        for done, ((queue, message), index) in enumerate(zip(messages, places, strict=False)):
            if not cells.cas(f"{queue}.{index}", 0, message) and cells.read(f"{queue}.{index}")[1] != message:
                return ["PREPARING", state, positions, messages[done:]]
        return ["HANDLING", state, positions]
""")

answers.right("transition by transition").code("""
    def answer(node, function, queues, name):
        ended = False
        while not ended:
            with contextlib.suppress(OutcomeUnknown):
                ended = go_on(node, function, queues, name)
""")

answers.right("without a place").code('''
def answer(node, function, queues, name):
    ended = False
    while not ended:
        with contextlib.suppress(OutcomeUnknown):
            ended = go_on(node, function, queues, name)


def go_on(node, function, queues, name):
    machines = node.store("machines")
    version, stage = machines.read(name)
    kind, state, positions, *rest = stage or ["HANDLING", None, node.start]
    if kind == "HANDLING":
        if not node.running(positions):
            return True
        following = handled(node, function, queues, name, state, positions)
    else:
        for queue, message in rest[0]:
            put(node.store("queues"), queue, message)
        following = ["HANDLING", state, positions]
    machines.cas(name, version, following)
    return False


def put(cells, queue, message):
    """Go from cell to cell, and compare: whoever repeats it finds the message, or comes to the same empty cell."""
    index = 0
    while not cells.cas(f"{queue}.{index}", 0, message):
        if cells.read(f"{queue}.{index}")[1] == message:
            return
        index += 1
''')

answers.wrong("one transaction", reason="is no read or cas of one cell in the stores machines and queues").code("""
def answer(node, function, queues, name):
    store = node.store("everything")
    while True:
        version, held = store.read(name)
        state, positions, lengths = held or [None, node.start, {}]
        if not node.running(positions):
            return
        [inputs], positions = node.read(positions)
        state, outputs = function(state, inputs)
        store.transact(("cas", name, version, [state, positions, lengths]), ("write", "output.0", [name, outputs]))
""")

answers.wrong("refused is anothers", reason="One crash: after this schedule").code("""
    def answer(node, function, queues, name):
        ended = False
        while not ended:
            with contextlib.suppress(OutcomeUnknown):
                ended = go_on(node, function, queues, name)


    def written(node, state, positions, messages, index):
        (queue, message), cells = messages[0], node.store("queues")
        if cells.cas(f"{queue}.{index}", 0, message):
            return after(state, positions, messages[1:])
        return ["PREPARING", state, positions, messages]
""")

# Plausible: right as long as there is one handler.
answers.plausible(
    "equal values", of="zero is nothing", reason="Two handlers that send equal values to one queue"
).diff("""
    -    step = sum(positions.values())
    -    messages = [[queue, [name, step, one]] for queue, one in zip(queues, outputs, strict=False) if one]
    +    sum(positions.values())
    +    messages = [[queue, [one]] for queue, one in zip(queues, outputs, strict=False) if one is not None]
""")

# Plausible: alone it is right, and a push that is repeated at the same moment is not.
answers.plausible("without preparing", of="place by the step", reason="One crash: after this schedule").diff("""
    -    return ["WRITING", state, positions, messages, sum(positions.values()) - 1]
    +    index, cells = 0, node.store("queues")
    +    while cells.read(f"{messages[0][0]}.{index}")[0]:
    +        index += 1
    +    return written(node, state, positions, messages, index)
""")

# Plausible: right as long as nobody dies between the push and the cas.
answers.plausible("sends before it is fixed", of="zero is nothing", reason="One crash: after this schedule").diff("""
-    messages = [[queue, [name, step, one]] for queue, one in zip(queues, outputs, strict=False) if one]
-    return after(state, positions, messages)
+    messages = [[queue, [name, step, one]] for queue, one in zip(queues, outputs, strict=False) if one is not None]
+    for queue, message in messages:
+        index, cells = 0, node.store("queues")
+        while not cells.cas(f"{queue}.{index}", 0, message):
+            index += 1
+    return ["HANDLING", state, positions]
""")

# Plausible: inputs that are read again give the same outputs, as long as they arrive together.
answers.plausible("fixes the place alone", reason="Two nodes, and an input that comes when it likes").code("""
    def answer(node, function, queues, name):
        ended = False
        while not ended:
            with contextlib.suppress(OutcomeUnknown):
                ended = go_on(node, function, queues, name)


    def go_on(node, function, queues, name):
        machines, cells = node.store("machines"), node.store("queues")
        version, stage = machines.read(name)
        state, positions, k, index = stage or [None, node.start, 0, -1]
        if not node.running(positions):
            return True
        [inputs], after = node.read(positions)  # read again, and computed again, at each transition
        new, outputs = function(state, inputs)
        while k < len(outputs) and outputs[k] is None:
            k += 1
        if k >= len(outputs):
            following = [new, after, 0, -1]
        elif index < 0:
            index = 0
            while cells.read(f"{queues[k]}.{index}")[0]:
                index += 1
            following = [state, positions, k, index]
        else:
            cell, message = f"{queues[k]}.{index}", [name, sum(positions.values()), outputs[k]]
            fine = cells.cas(cell, 0, message) or cells.read(cell)[1] == message
            following = [state, positions, k + 1, -1] if fine else [state, positions, k, -1]
        machines.cas(name, version, following)
        return False
""")

# Plausible: inputs that are read again give the same messages, as long as they arrive together.
answers.plausible("keeps its state", reason="Two nodes, and an input that comes when it likes").code("""
    def answer(node, function, queues, name):
        state, positions, cells = None, node.start, node.store("queues")
        while node.running(positions):
            [inputs], positions = node.read(positions)
            state, outputs = function(state, inputs)
            for queue, value in zip(queues, outputs, strict=False):
                if value is not None:
                    put(cells, queue, [name, sum(positions.values()), value])


    def put(cells, queue, message):
        index = 0
        while not cells.cas(f"{queue}.{index}", 0, message):
            if cells.read(f"{queue}.{index}")[1] == message:
                return
            index += 1
""")

answers.wrong(
    "version of later",
    ("machines.write(name, following)", "machines.cas(name, machines.read(name)[0], following)"),
    of="writes",
    reason="One pause: a node is taken for dead, and wakes up: after this schedule",
)

answers.wrong(
    "one register for all",
    ("_version, stage = machines.read(name)", 'version, stage = machines.read("machine")'),
    ("machines.write(name, following)", 'machines.cas("machine", version, following)'),
    of="writes",
    reason="Two handlers that send equal values",
)

answers.wrong("the nodes number", of="refused is anothers", reason="Two nodes at once: ").diff("""
    -    if cells.cas(f"{queue}.{index}", 0, message):
    +    message = [node.number, *message]
    +    if cells.cas(f"{queue}.{index}", 0, message) or cells.read(f"{queue}.{index}")[1] == message:
""")

answers.wrong("refused is done", of="refused is anothers", reason="Two handlers that send equal values").diff("""
    -    if cells.cas(f"{queue}.{index}", 0, message):
    -        return after(state, positions, messages[1:])
    -    return ["PREPARING", state, positions, messages]
    +    cells.cas(f"{queue}.{index}", 0, message)  # refused: somebody was faster
    +    return after(state, positions, messages[1:])
""")

answers.wrong(
    "waits for its turn",
    of="writes",
    reason="Two nodes at once: after this schedule node 2, left alone, goes on for ever",
).diff("""
    -    _version, stage = machines.read(name)
    +    while not machines.cas(f"{name}.turn", 0, node.number) and machines.read(f"{name}.turn")[1] != node.number:
    +        pass
    +    version, stage = machines.read(name)
    @@
    -    machines.write(name, following)
    +    machines.cas(name, version, following)
""")

answers.wrong(
    "the articles empty list",
    of="refused is anothers",
    reason="With outputs that are none: the handler itself failed: IndexError",
).diff("""
    +def after(state, positions, messages):
    +    return ["PREPARING", state, positions, messages]
    +
    +
     def written(node, state, positions, messages, index):
    @@
    -    if cells.cas(f"{queue}.{index}", 0, message):
    -        return after(state, positions, messages[1:])
    +    if cells.cas(f"{queue}.{index}", 0, message) or cells.read(f"{queue}.{index}")[1] == message:
    +        return after(state, positions, messages[1:]) if messages[1:] else ["HANDLING", state, positions]
""")

answers.wrong(
    "place by the step",
    reason="With outputs that are none: after this schedule a cell of 'second' is empty, and a later one is full",
).code("""
    def answer(node, function, queues, name):
        ended = False
        while not ended:
            with contextlib.suppress(OutcomeUnknown):
                ended = go_on(node, function, queues, name)


    def prepared(node, state, positions, messages):
        return ["WRITING", state, positions, messages, sum(positions.values()) - 1]
""")

answers.wrong("writes", reason="is no read or cas of one cell").code("""
    def answer(node, function, queues, name):
        ended = False
        while not ended:
            with contextlib.suppress(OutcomeUnknown):
                ended = go_on(node, function, queues, name)


    def go_on(node, function, queues, name):
        machines = node.store("machines")
        _version, stage = machines.read(name)
        kind, state, positions, *rest = stage or ["HANDLING", None, node.start]
        if kind == "HANDLING":
            if not node.running(positions):
                return True
            following = handled(node, function, queues, name, state, positions)
        elif kind == "PREPARING":
            following = prepared(node, state, positions, *rest)
        else:
            following = written(node, state, positions, *rest)
        machines.write(name, following)
        return False
""")

answers.wrong(
    "zero is nothing", reason="With outputs that are none: after this schedule the queue 'first' holds d"
).code("""
    def answer(node, function, queues, name):
        ended = False
        while not ended:
            with contextlib.suppress(OutcomeUnknown):
                ended = go_on(node, function, queues, name)


    def handled(node, function, queues, name, state, positions):
        [inputs], positions = node.read(positions)
        state, outputs = function(state, inputs)
        step = sum(positions.values())
        messages = [[queue, [name, step, one]] for queue, one in zip(queues, outputs, strict=False) if one]
        return after(state, positions, messages)
""")
