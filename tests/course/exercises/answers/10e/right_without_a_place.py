import contextlib

from exactly_once.errors import OutcomeUnknown


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


def handled(node, function, queues, name, state, positions):
    [inputs], positions = node.read(positions)
    state, outputs = function(state, inputs)
    step = sum(positions.values())
    messages = [[queue, [name, step, one]] for queue, one in zip(queues, outputs, strict=False) if one is not None]
    return after(state, positions, messages)


def after(state, positions, messages):
    return ["PREPARING", state, positions, messages] if messages else ["HANDLING", state, positions]


def put(cells, queue, message):
    """Go from cell to cell, and compare: whoever repeats it finds the message, or comes to the same empty cell."""
    index = 0
    while not cells.cas(f"{queue}.{index}", 0, message):
        if cells.read(f"{queue}.{index}")[1] == message:
            return
        index += 1
