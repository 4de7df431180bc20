from typing import NamedTuple
from ..errors import *
from ..errors import ConcurrentTransactions, ProducerFenced, InvalidTxnState
from .rules import *
class Due(NamedTuple):
    transactional_id: str
    producer: int
    epoch: int
    result: str
    partitions: tuple
class Coordinator:
    def __init__(self, kept, clock, protocol=2, **_):
        self.kept, self.clock, self.protocol, self.epoch = kept, clock, protocol, 0
    def init_producer(self, i, timeout_ms=60000, producer=None, epoch=None):
        t = self.kept.get(i)
        if t is None:
            t = self.kept[i] = Transaction(self.kept.new_producer_id(), 0, -1, "Empty", (), timeout_ms)
            return t.producer, 0
        if t.state in PREPARED:
            raise ConcurrentTransactions(f"{i} is {t.state}")
        if t.state == "Ongoing":
            self.kept[i] = t._replace(epoch=t.epoch + 1, state="PrepareAbort")
            raise ConcurrentTransactions(f"{i} was open")
        t = self.kept[i] = t._replace(epoch=t.epoch + 1, state="Empty", partitions=())
        return t.producer, t.epoch
    def _known(self, i, producer, epoch):
        t = self.kept[i]
        if epoch != t.epoch:
            raise ProducerFenced(f"{i} has epoch {t.epoch}, not {epoch}")
        return t
    def add_partitions(self, i, producer, epoch, partitions):
        t = self._known(i, producer, epoch)
        if t.state in PREPARED:
            raise ConcurrentTransactions(f"{i} is {t.state}")
        old = t.partitions if t.state == "Ongoing" else ()
        self.kept[i] = t._replace(state="Ongoing", partitions=tuple(sorted({*old, *partitions})))
    def end(self, i, producer, epoch, result):
        t = self.kept[i]
        if self.protocol == 2 and epoch == t.epoch - 1 and PREPARED.get(t.state) == result:
            return t.producer, t.epoch
        if self.protocol == 2 and epoch == t.epoch - 1 and t.state == f"Complete{result.title()}":
            return t.producer, t.epoch
        t = self._known(i, producer, epoch)
        if t.state == f"Complete{result.title()}":
            return t.producer, t.epoch
        if t.state in PREPARED:
            raise ConcurrentTransactions(f"{i} is {t.state}")
        if t.state != "Ongoing":
            raise InvalidTxnState(f"{i} is {t.state}")
        t = self.kept[i] = t._replace(state=f"Prepare{result.title()}", epoch=t.epoch + (self.protocol == 2))
        return t.producer, t.epoch
    def due(self):
        return [Due(i, t.producer, t.epoch, PREPARED[t.state], t.partitions) for i, t in sorted(self.kept.items()) if t.state in PREPARED]
    def complete(self, i, producer, epoch):
        t = self.kept[i]
        if t.epoch == epoch and t.state in PREPARED:
            self.kept[i] = t._replace(state=t.state.replace("Prepare", "Complete"), partitions=())
    def time_out(self):
        return []
