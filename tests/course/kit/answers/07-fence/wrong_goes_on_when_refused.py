from exactly_once.handlers.stream.two_phase import EPOCH

REASON = "A life falls asleep, and wakes up beside its successor"


def answer(node, engine):
    engine.fence()
    version, newest = node.database.read(EPOCH)
    if (newest or 0) < engine.epoch:
        node.database.cas(EPOCH, version, engine.epoch)
    return node.database.read(EPOCH)[0]
