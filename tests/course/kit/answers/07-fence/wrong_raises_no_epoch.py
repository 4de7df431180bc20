from exactly_once.handlers.stream.two_phase import EPOCH
from exactly_once.log.errors import ProducerFenced

REASON = "A life falls asleep, and wakes up beside its successor"


def answer(node, engine):
    engine.fence()
    version, newest = node.database.read(EPOCH)
    if newest is None and not node.database.cas(EPOCH, version, engine.epoch):
        raise ProducerFenced("A later life has taken over.")
    return node.database.read(EPOCH)[0]
