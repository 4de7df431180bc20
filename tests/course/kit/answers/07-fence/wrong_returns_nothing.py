from exactly_once.handlers.stream.two_phase import EPOCH
from exactly_once.log.errors import ProducerFenced

REASON = "Nothing goes wrong, and the handler fails"


def answer(node, engine):
    engine.fence()
    version, newest = node.database.read(EPOCH)
    if (newest or 0) > engine.epoch or not node.database.cas(EPOCH, version, engine.epoch):
        raise ProducerFenced("A later life has taken over.")
