"""The requests of a producer's client in the timeline's world: answered at once, late, or not until later."""

from ...log import Pair
from ...log.errors import LogError
from ...log.transactions.requests import LogRequests
from .parts import PARTITION, Request


class Waits(Exception):
    """There is no answer yet, and the client asks again; `kafka` is Kafka's name for the reason."""

    def __init__(self, kafka, message):
        super().__init__(message)
        self.kafka = kafka


class NoAnswer(LogError):
    """The client has waited its full time (delivery.timeout.ms) for the answer to a batch."""

    kafka = "REQUEST_TIMED_OUT"


class Wire(LogRequests):
    """The requests of one incarnation of a producer to the world's log. `life` is set when it exists.

    With `slow` the next batch is late in the network. Under protocol 2 the leaders add partitions, not the clients.
    """

    def __init__(self, world):
        super().__init__(world.log)
        self.world, self.life, self.slow = world, None, False

    def init_producer(self, transactional_id, timeout_ms, producer, epoch):
        """Ask for a producer id and an epoch."""
        self._needs_coordinator()
        try:
            return super().init_producer(transactional_id, timeout_ms, producer, epoch)
        finally:
            self.world.look("restart")

    def settled(self, transactional_id):
        """Raise `Waits`: the answer has to wait until the last transaction's markers are written."""
        raise Waits("CONCURRENT_TRANSACTIONS", f"the end of {transactional_id}’s last transaction is not written yet")

    def add_partitions(self, transactional_id, producer, epoch, partitions):
        """Have the coordinator note the partitions."""
        if self.world.protocol == 1:
            self._needs_coordinator()
            super().add_partitions(transactional_id, producer, epoch, partitions)
            self._known()

    def append(self, partition, records, producer, epoch, sequence):
        """Bring a batch to its partition, unless it is late."""
        (record,) = records
        request = Request(self.life, self.life.transaction, record.value, producer, epoch, sequence)
        if self.slow:
            self.slow = False
            self.world.late[self.life.owner] = request
            raise NoAnswer(f"{request.name} has no answer, and the client gives it up: abort the transaction.")
        return self.deliver(request)

    def deliver(self, request):
        """Have the partition's leader write an arriving request. Returns the offset."""
        world, sent = self.world, (request.producer, request.epoch, request.sequence)
        if world.protocol == 2 and world.coordinator is None and not world.is_open(request):
            raise Waits("NOT_ENOUGH_REPLICAS", f"{PARTITION}’s leader cannot ask the coordinator")
        offset = super().append(PARTITION, [Pair(None, request.name)], *sent)
        world.sent[sent] = request.transaction
        if world.protocol == 2:
            self._known()
        return offset

    def commit_offsets(self, group, offsets, producer, epoch, generation):
        """Write positions into the transaction."""
        if self.world.protocol == 2:
            self._needs_coordinator()
        super().commit_offsets(group, offsets, producer, epoch, generation)
        self._known()

    def end(self, transactional_id, producer, epoch, result):
        """Have the coordinator decide; the markers are the world's affair."""
        self._needs_coordinator()
        answer = self._log.transactions.end(transactional_id, producer, epoch, result)
        self.world.look("asked")
        if not self.life.asks:
            self.world.tell(
                self.life, f"asks to {result}: the coordinator’s log says {self.world.state(transactional_id)[1]}"
            )
        return answer

    def _needs_coordinator(self):
        if self.world.coordinator is None:
            raise Waits("COORDINATOR_NOT_AVAILABLE", "no coordinator answers")

    def _known(self):
        if self.life.transaction is not None:
            self.life.transaction.known = True
        self.world.look()
