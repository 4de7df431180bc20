from exactly_once.handlers.stream.two_phase import EPOCH
from exactly_once.log.errors import ProducerFenced


def answer(node, engine):
    engine.fence()
    while True:
        version, newest = node.database.read(EPOCH)
        if newest is not None and newest > engine.epoch:
            raise ProducerFenced("A later life has taken over.")
        if node.database.cas(EPOCH, version, engine.epoch):
            return version + 1
