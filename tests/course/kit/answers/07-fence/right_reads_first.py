from exactly_once.handlers.stream.two_phase import EPOCH
from exactly_once.log.errors import ProducerFenced


def answer(node, engine):
    version, _ = node.database.read(EPOCH)
    engine.fence()
    if not node.database.cas(EPOCH, version, engine.epoch):
        raise ProducerFenced("A later life has taken over.")
    return version + 1
