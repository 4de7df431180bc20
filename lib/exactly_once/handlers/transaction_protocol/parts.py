"""The servers of the protocol as functions (content, request) → (content, answer), with the log's own rules.

A partition's content is what was done to it, in order: the log of two brokers that these requests make. The
coordinator's content is what its log keeps. Equal contents are made once.
"""

import functools

from ...log import Pair, load_log, open_log
from ...log.errors import LogError
from ...log.transactions.coordinator import Coordinator
from ...log.transactions.rules import EMPTY, ONGOING, RESULTS, Transaction

TOPIC, ID = "t", "handler"
OUTPUTS, OFFSETS = ("output-0", "output-1"), "__consumer_offsets-0"
PARTITIONS = (*OUTPUTS, OFFSETS)
DONE = "done"
DIES = ("dies",)
LATER = 10**9  # a time at which every transaction has timed out
BY_HAND = {"clock": lambda: 0}


@functools.lru_cache(20_000)
def _dumped(content):
    if not content:
        log = open_log("memory:", 2, **BY_HAND)
        log.create_topic(TOPIC, replicas=2)
        return log.dump()
    log = load_log(_dumped(content[:-1]), **BY_HAND)
    _carry_out(log, *content[-1])
    return log.dump()


def _carry_out(log, what, *arguments):
    if what == "append":
        producer, epoch, sequence, value = arguments
        log.append(TOPIC, 0, [Pair(None, value)], "all", producer, epoch, sequence, transactional=True)
    elif what == "plain":
        log.append(TOPIC, 0, [Pair(None, arguments[-1])])
    elif what == "marker":
        producer, epoch, result, coordinator, rules = arguments
        log.write_marker(TOPIC, 0, producer, epoch, result, coordinator, rules)
    else:
        leader = log.leader(TOPIC, 0)
        log.kill(leader)
        log.revive(leader)


@functools.lru_cache(50_000)
def asked(content, request):
    """Return (the partition's content after a request, the answer: `DONE`, or the name of the refusal)."""
    log = load_log(_dumped(content), **BY_HAND)
    before = log.log_end(TOPIC, 0)
    try:
        _carry_out(log, *request)
    except LogError as why:
        return content, type(why).__name__
    if request != DIES and log.log_end(TOPIC, 0) == before:
        return content, DONE  # a retry that was recognised
    return _normal((*content, request)), DONE


def _normal(content):
    """Return one form for contents that will answer alike.

    A marker says which coordinator wrote it; the partition remembers the newest only. A marker on a marker ended
    nothing. Of the deaths of brokers it counts how many there were, and not when: the other one has all there is.
    """
    newest = max((request[4] for request in content if request[0] == "marker"), default=0)
    found, deaths = [], tuple(request for request in content if request == DIES)
    for request in content:
        if request[0] == "marker":
            if found and found[-1][:3] == request[:3]:
                continue
            request = (*request[:4], newest, *request[5:])
        if request != DIES:
            found.append(request)
    return (*found, *deaths)


@functools.lru_cache(20_000)
def shown(content, isolation="read_committed"):
    """Return what a reader of a partition sees, a tuple of values."""
    log = load_log(_dumped(content), **BY_HAND)
    return tuple(record.value for record in log.fetch(TOPIC, 0, 0, isolation=isolation))


@functools.lru_cache(20_000)
def shown_too_early(content):
    """Return what a reader would see who is not held back by the last stable offset; only aborted records are
    hidden.
    """
    log = load_log(_dumped(content), **BY_HAND)
    gone = log.with_leader(log.topic(TOPIC), 0, lambda replica: replica.log_index.producers.is_aborted)
    return tuple(
        record.value
        for batch in log.fetch_batches(TOPIC, 0, 0)
        if not gone(batch)
        for record in batch.records()
    )


@functools.lru_cache(20_000)
def is_stable(content):
    """Tell whether no transaction is open in a partition."""
    log = load_log(_dumped(content), **BY_HAND)
    return log.last_stable(TOPIC, 0) == log.log_end(TOPIC, 0)


class Kept(dict):
    """What the coordinator's log keeps of the one transactional id."""

    def __init__(self, transaction):
        super().__init__({ID: Transaction(*transaction)} if transaction else {})

    def new_producer_id(self):
        """Return the producer id: there is one transactional id."""
        return 1


class NotWaiting(Kept):
    """Strikes out, in `Coordinator.init_producer`, the refusal while markers are being written."""

    def get(self, name):
        """Return what is kept, as if nothing were being written."""
        found = super().get(name)
        return found and found._replace(state=EMPTY if found.state in RESULTS else found.state)


class NotRaising(Kept):
    """Strikes out, in `rules.initialized`, the next epoch."""

    def __setitem__(self, name, now):
        """Keep the transaction with the epoch that the id had."""
        was = self.get(name)
        super().__setitem__(name, now if was is None or now.state != EMPTY else now._replace(epoch=was.epoch))


KEPT_AT_INIT = {"init does not wait": NotWaiting, "epoch not raised": NotRaising}


@functools.lru_cache(50_000)
def coordinated(kept, epoch, protocol, struck, request):
    """Return (what the coordinator keeps after a request, the answer: `DONE`, an epoch, or the name of the refusal).

    `kept` is the `Transaction` as a tuple, or None; `epoch` the coordinator's own; `struck` the names of the rules
    that are struck out.
    """
    what, *arguments = request
    flaws = [KEPT_AT_INIT[one] for one in struck if one in KEPT_AT_INIT] if what == "init" else []
    held = (flaws[0] if flaws else Kept)(kept)
    clock = {"time_out": LATER}.get(what, 0)
    coordinator = Coordinator(held, lambda: clock, protocol, epoch=epoch)
    try:
        answer = _decided(coordinator, what, arguments)
    except LogError as why:
        answer = type(why).__name__
    found = dict.get(held, ID)
    if found is not None:
        found = tuple(found._replace(updated=0, started=found.started and 0))
    return found, answer


def _decided(coordinator, what, arguments):
    if what == "init":
        coordinator.init_producer(ID, 60_000, *arguments)
        return coordinator.describe(ID).epoch
    if what == "add":
        producer_epoch, partitions = arguments
        coordinator.add_partitions(ID, 1, producer_epoch, partitions)
    elif what == "end":
        producer_epoch, result = arguments
        return coordinator.end(ID, 1, producer_epoch, result)[1]
    elif what == "time_out":
        coordinator.time_out()
    elif what == "complete":
        coordinator.complete(ID, 1, *arguments)
    return DONE


def due(kept, epoch, protocol):
    """Return the coordinator's `Due` for the transactional id, or None when nothing is decided."""
    return next(iter(Coordinator(Kept(kept), lambda: 0, protocol, epoch=epoch).due()), None)


def state_of(kept):
    """Return the state of the transactional id, by Kafka's name."""
    return Transaction(*kept).state if kept else EMPTY


def is_open(kept):
    """Tell whether a transaction is open."""
    return state_of(kept) == ONGOING
