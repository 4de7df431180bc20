"""The operations of a case, carried out on a real broker."""

import contextlib
import itertools
import time
from typing import ClassVar

from kafka.protocol.producer import (
    AddOffsetsToTxnRequest,
    AddPartitionsToTxnRequest,
    EndTxnRequest,
    ProduceRequest,
    TxnOffsetCommitRequest,
)

from exactly_once.log import ConcurrentTransactions
from exactly_once.log.log_errors import TransactionalIdNotFound
from exactly_once.servers.kafka import Kafka
from tests.log.cases import why_not
from tests.log.driver import Driver, place_named, topics_of
from tests.servers.kafka.operated import OperatedLog

UNVERIFIED = "transaction.partition.verification.enable=false"  # as brokers before 3.6 were
RETRY_SECONDS = 0.02
RETRY_LIMIT = 10.0  # s that a driver asks again after `ConcurrentTransactions`
_numbers = itertools.count(1)


class OldLog(OperatedLog):
    """A log over a broker that speaks version 1 of transactions; a case itself has the coordinator note things."""

    VERSIONS: ClassVar = {ProduceRequest: 8, TxnOffsetCommitRequest: 3, EndTxnRequest: 2}

    def ask(self, whom, request, *part):
        """Make a request in its old version."""
        request.API_VERSION = self.VERSIONS.get(type(request), request.API_VERSION)
        return super().ask(whom, request, *part)

    def end(self, transactional_id, producer, epoch, result):
        """Have the coordinator decide; the epoch stays."""
        super().end(transactional_id, producer, epoch, result)
        return producer, epoch


class BrokerDriver(Driver):
    """A real broker for one case: with a topic, ids and groups of the case's own, instead of a fresh broker.

    Writes of transactions that no coordinator knows (`raw_txn`) go to a broker that does not ask the coordinator, as
    brokers before 3.6 did not.
    """

    ABILITIES = frozenset(
        "raw_pid raw_txn marker_offsets restart restart_clean delete_records coordinator groups describe "
        "verification".split()
    )
    SETTINGS = frozenset(("partitions", "replication"))

    def __init__(self, case, protocol="1"):
        self.raw = "raw_txn" in case["requires"] and "verification" not in case["requires"]
        self.server = Kafka.shared(**({"settings": (UNVERIFIED,)} if self.raw else {}))
        client = OperatedLog if protocol == "2" and not self.raw else OldLog
        self.log = client(self.server.where, f"case-{next(_numbers)}-")
        self.names, self.labels, self.numbers, self.ids = {}, {}, {}, set()
        for topic, count in topics_of(case).items():
            self.log.create_topic(topic, count)

    def do(self, step):
        """Carry out one operation of the case, and wait until the markers that it causes are written."""
        name = step.get("transactional_id")
        if name:
            self.ids.add(name)
        if step.get("pid") is not None and (name is not None or (self.raw and step.get("txn"))):
            self.log.names[self.producer(step["pid"])] = (name and self.log.prefix + name) or "raw"
        try:
            return super().do(step)
        finally:
            self._settle()

    def do_add_partitions(self, step):
        """Partitions for a producer's transaction."""
        places = [(self.log.prefix + topic, [number]) for topic, number in map(place_named, step["partitions"])]
        asked = AddPartitionsToTxnRequest, step["transactional_id"], *self._whom(step), places
        self._tried(lambda: self.log.note(*asked))
        return {}

    def do_add_offsets(self, step):
        """A group's offsets for a producer's transaction."""
        asked = AddOffsetsToTxnRequest, step["transactional_id"], *self._whom(step), self.log.prefix + step["group"]
        self._tried(lambda: self.log.note(*asked))
        return {}

    def do_restart(self, step):
        """The broker is killed, or stopped in good order, and starts again."""
        self.log.hang_up()
        if step["mode"] == "crash":
            self.server.kill()
            self.server.start()
        else:
            self.server.restart()
        return {}

    def _tried(self, ask, again=True):
        """Ask, and ask again after `ConcurrentTransactions`, unless the case wants to hear of it."""
        deadline = time.monotonic() + RETRY_LIMIT
        while True:
            try:
                return ask()
            except ConcurrentTransactions:
                if not again or time.monotonic() > deadline:
                    raise
                time.sleep(RETRY_SECONDS)

    def _settle(self):
        for name in self.ids:
            with contextlib.suppress(TransactionalIdNotFound):
                self.log.write_due_markers(name)


def unposable(case):
    """Return why a client cannot pose a case to a broker, or None."""
    other = ", ".join(sorted(set(case["setup"]) - BrokerDriver.SETTINGS))
    return why_not(case, BrokerDriver) or (f"it needs a broker with other settings: {other}" if other else None)
