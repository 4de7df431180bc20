# Plausible: inputs that are read again give the same outputs, as long as they arrive together.
import contextlib

from exactly_once.errors import OutcomeUnknown

REASON = "Two nodes, and an input that comes when it likes"


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
