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
