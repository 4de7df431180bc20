# %% 10b reads first
from exactly_once.errors import OutcomeUnknown
from exactly_once.lockfree.queue import emptied


def answer(registers, name, message, since):
    index = since
    while True:
        version, held = registers.read(f"{name}.{index}")
        if version == 0 and registers.cas(f"{name}.{index}", 0, message):
            return index
        if version == 0:
            continue  # somebody was faster: look what it is
        if held in (message, emptied(message)):
            return index
        index += 1

# %% 10b looks first and not again → is in the queue 2 times
from exactly_once.errors import OutcomeUnknown
from exactly_once.lockfree.queue import emptied


def answer(registers, name, message, since):
    index = since
    while (cell := registers.read(f"{name}.{index}"))[0]:
        if cell[1] in (message, emptied(message)):
            return index
        index += 1
    while not registers.cas(f"{name}.{index}", 0, message):
        index += 1
    return index

# %% 10b takes an unknown for full → One lost request: after this schedule cell 0 is empty
from exactly_once.errors import OutcomeUnknown
from exactly_once.lockfree.queue import emptied


def answer(registers, name, message, since):
    index = since
    while True:
        try:
            if registers.cas(f"{name}.{index}", 0, message):
                return index
            if registers.read(f"{name}.{index}")[1] in (message, emptied(message)):
                return index
        except OutcomeUnknown:
            pass
        index += 1

# %% 10c without hint
from exactly_once.lockfree import Queue


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

# %% 10c writes at once → One crash: after this schedule the queue
from exactly_once.lockfree import Queue


def answer(node, stage):
    _, state, positions, messages = stage
    if not messages:
        return ["HANDLING", state, positions]

    queues = [Queue(node.store("queues"), queue) for queue, _ in messages]
    places = [queue.push(message) for queue, (_, message) in zip(queues, messages, strict=False)]
    return ["WRITING", state, positions, messages, places]

# %% 10e
import contextlib
from exactly_once.errors import OutcomeUnknown


def handled(node, function, queues, name, state, positions):
    [inputs], positions = node.read(positions)
    state, outputs = function(state, inputs)
    step = sum(positions.values())
    sent = zip(queues, outputs, strict=False)
    messages = [[queue, [name, step, one]] for queue, one in sent if one is not None]
    return after(state, positions, messages)


def after(state, positions, messages):
    return ["PREPARING", state, positions, messages] if messages else ["HANDLING", state, positions]


def answer(node, function, queues, name):
    ended = False
    while not ended:
        with contextlib.suppress(OutcomeUnknown):
            ended = go_on(node, function, queues, name)

# %% 10e without a place
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
    # from cell to cell: whoever repeats it finds the message, or comes to the same empty cell
    index = 0
    while not cells.cas(f"{queue}.{index}", 0, message):
        if cells.read(f"{queue}.{index}")[1] == message:
            return
        index += 1

# %% 10e waits for its turn → Two nodes at once: after this schedule node 2, left alone, goes on for ever
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


def go_on(node, function, queues, name):
    machines = node.store("machines")
    while not machines.cas(f"{name}.turn", 0, node.number) and machines.read(f"{name}.turn")[1] != node.number:
        pass
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

# %% 10-loop goes on from its own → Two nodes at once, one hour: 
def answer(registers, name, first, follow):
    version, stage = registers.read(name)
    stage = stage or first
    while (following := follow(stage)) is not None:
        registers.cas(name, version, following)
        version, stage = version + 1, following
