from exactly_once.handlers.stream.two_phase import EPOCH
from exactly_once.log.errors import ProducerFenced


def answer(node, engine):
    engine.fence()
    version, newest = node.database.read(EPOCH)
    if (newest or 0) > engine.epoch:
        raise ProducerFenced("A later life has taken over.")
    node.database.write(EPOCH, engine.epoch)
    return version + 1
