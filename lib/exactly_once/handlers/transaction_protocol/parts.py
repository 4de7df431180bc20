"""The servers of the protocol as functions (content, request) → (content, answer), by the log's own rules.

A partition's content is the list of its requests, in order: it stands for the log on two brokers that these requests
make. The coordinator's content is the last record of its own log. Equal contents are made once.
"""

import functools
from typing import Any

from ...log import Pair, load_log, open_log
from ...log.log_errors import LogError
from ...log.transactions.coordinator import Coordinator
from ...log.transactions.rules import EMPTY, ONGOING, RESULTS, Transaction

ID, PRODUCER, GROUP = "handler", 1, "group"
INPUT, OUTPUT, GROUPS = "input", "output", "__consumer_offsets"
OUTPUTS, OFFSETS = (f"{OUTPUT}-0", f"{OUTPUT}-1"), f"{GROUPS}-0"
PARTITIONS = (*OUTPUTS, OFFSETS)
COORDINATOR = "coordinator"
DONE, DIES = "done", ("dies",)
LATER = 10**9  # a time at which every transaction has timed out
BY_HAND = {"clock": lambda: 0}
MOST = 50_000  # contents that are remembered


def _topic(name: str) -> str:
    return GROUPS if name == OFFSETS else OUTPUT


@functools.lru_cache(MOST)
def _dumped(name: str, content: tuple[Any, ...]) -> dict[str, Any]:
    if not content:
        log = open_log("memory:", 2, **BY_HAND)
        log.create_topic(INPUT)
        if name == OFFSETS:
            log.internal_topic(GROUPS)
        else:
            log.create_topic(OUTPUT, replicas=2)
        return log.dump()
    log = load_log(_dumped(name, content[:-1]), **BY_HAND)
    _carry_out(log, name, *content[-1])
    return log.dump()


def _log(name: str, content: tuple[Any, ...]) -> Any:
    return load_log(_dumped(name, content), **BY_HAND)


def _carry_out(log: Any, name: str, what: str, *arguments: Any) -> None:
    if what == "append":
        epoch, sequence, value = arguments
        log.append(OUTPUT, 0, [Pair(None, value)], "all", PRODUCER, epoch, sequence, transactional=True)
    elif what == "position":
        position, *whom = arguments
        log.commit(GROUP, {(INPUT, 0): position}, *whom)
    elif what == "marker":
        epoch, result, coordinator, rules = arguments
        log.write_marker(_topic(name), 0, PRODUCER, epoch, result, coordinator, rules, "all")
    else:
        leader = log.leader(_topic(name), 0)
        log.kill(leader)
        log.revive(leader)


@functools.lru_cache(MOST)
def asked(name: str, content: tuple[Any, ...], request: tuple[Any, ...]) -> tuple[tuple[tuple[Any, ...], ...], str]:
    """Return (a partition's content after a request, the answer: `DONE`, or the name of the refusal)."""
    log = _log(name, content)
    before = log.log_end(_topic(name), 0)
    try:
        _carry_out(log, name, *request)
    except LogError as why:
        return content, type(why).__name__
    if request != DIES and log.log_end(_topic(name), 0) == before:
        return content, DONE  # a retry that was recognised
    return _normal((*content, request)), DONE


def _normal(content: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return one form for contents that will answer alike.

    A marker says which coordinator wrote it, and the partition remembers the newest only. A marker right behind one
    of the same epoch ended nothing. The number of brokers' deaths matters, not their time: every leader has all
    records.
    """
    newest = max((request[3] for request in content if request[0] == "marker"), default=0)
    found = []
    for request in content:
        if request[0] == "marker":
            if found and found[-1][:2] == request[:2]:
                continue
            request = (*request[:3], newest, *request[4:])
        if request != DIES:
            found.append(request)
    return (*found, *(request for request in content if request == DIES))


@functools.lru_cache(MOST)
def shown(name: str, content: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the values that a read_committed reader sees in a partition, as a tuple."""
    return tuple(record.value for record in _log(name, content).fetch(OUTPUT, 0, 0, isolation="read_committed"))


@functools.lru_cache(MOST)
def shown_too_early(name: str, content: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the values that a reader would see who hides aborted records and knows of no last stable offset."""
    log = _log(name, content)
    is_aborted = log.with_leader(log.topic(OUTPUT), 0, lambda replica: replica.log_index.producers.is_aborted)
    batches = [batch for batch in log.fetch_batches(OUTPUT, 0, 0) if not is_aborted(batch)]
    return tuple(record.value for batch in batches for record in batch.records())


@functools.lru_cache(MOST)
def position(content: Any, require_stable: Any = False) -> Any:
    """Return the position that is committed, 0 at first, or None: an open transaction has a newer one."""
    try:
        return _log(OFFSETS, content).committed_offset(GROUP, INPUT, 0, require_stable) or 0
    except LogError:
        return None


@functools.lru_cache(MOST)
def newest(name: str, content: tuple[Any, ...], isolation: str) -> str:
    """Return the newest value that a reader of this isolation sees in a partition, "" where there is none."""
    records = _log(name, content).fetch(OUTPUT, 0, 0, isolation=isolation)
    return records[-1].value if records else ""


@functools.lru_cache(MOST)
def is_stable(name: str, content: tuple[Any, ...]) -> bool:
    """Tell whether no transaction is open in a partition."""
    log = _log(name, content)
    return log.last_stable(_topic(name), 0) == log.log_end(_topic(name), 0)


@functools.lru_cache(MOST)
def is_open_in(name, content, epoch):
    """Tell whether the producer has a transaction of this epoch open in a partition."""
    log = _log(name, content)
    entry = log.with_leader(
        log.topic(_topic(name)), 0, lambda replica: replica.log_index.producers.entries.get(PRODUCER)
    )
    return entry is not None and entry.opened is not None and entry.epoch == epoch


class Kept(dict):
    """The state of the one transactional id in the coordinator's log."""

    def __init__(self, transaction: tuple[Any, ...] | None) -> None:
        super().__init__({ID: Transaction(*transaction)} if transaction else {})

    def new_producer_id(self) -> int:
        """Return the producer id: there is one transactional id."""
        return PRODUCER


class NotWaiting(Kept):
    """Strikes out the refusal, in `Coordinator.init_producer`, while markers are being written."""

    def get(self, name):
        """Return the stored state, as if nothing were being written."""
        found = super().get(name)
        return found and found._replace(state=EMPTY if found.state in RESULTS else found.state)


class NotRaising(Kept):
    """Strikes out the next epoch in `rules.initialized`."""

    def __setitem__(self, name, now):
        """Keep the transaction with the epoch that the id had."""
        was = self.get(name)
        super().__setitem__(name, now if was is None or now.state != EMPTY else now._replace(epoch=was.epoch))


AT_INIT = {"init does not wait": NotWaiting, "epoch not raised": NotRaising}


@functools.lru_cache(MOST)
def coordinated(kept, epoch, protocol, struck, request):
    """Return (the coordinator's state after a request, the answer: `DONE`, an epoch, or the name of the refusal).

    `kept` is the `Transaction` as a tuple, or None; `epoch` the coordinator's own; `struck` the rules that are struck
    out.
    """
    what, *arguments = request
    kinds = [AT_INIT[one] for one in struck if one in AT_INIT and what == "init"] or [Kept]
    held = type("Held", tuple(kinds), {})(kept)
    coordinator = Coordinator(held, lambda: LATER if what == "time_out" else 0, protocol, epoch=epoch)
    try:
        answer = _decided(coordinator, what, arguments)
    except LogError as why:
        answer = type(why).__name__
    found = dict.get(held, ID)
    return found and tuple(found._replace(updated=0)), answer


def _decided(coordinator, what, arguments):
    if what == "init":
        coordinator.init_producer(ID, 60_000, *arguments)
        return dict.get(coordinator.kept, ID).epoch
    if what == "add":
        coordinator.add_partitions(ID, PRODUCER, *arguments)
    elif what == "verify":
        coordinator.verify(PRODUCER, *arguments)
    elif what == "end":
        return coordinator.end(ID, PRODUCER, *arguments)[1]
    elif what == "complete":
        coordinator.complete(ID, PRODUCER, *arguments)
    else:
        coordinator.time_out()
    return DONE


def due(kept: Any, epoch: Any, protocol: Any, marker_rule: Any) -> Any:
    """Return the coordinator's `Due` for the transactional id, or None when nothing is decided."""
    coordinator = Coordinator(Kept(kept), lambda: 0, protocol, epoch=epoch, marker_rule=marker_rule)
    return next(iter(coordinator.due()), None)


def state_of(kept: tuple[Any, ...] | None) -> str:
    """Return the state of the transactional id, by Kafka's name."""
    return Transaction(*kept).state if kept else EMPTY


def is_open(kept: tuple[Any, ...] | None) -> bool:
    """Tell whether a transaction is open."""
    return state_of(kept) == ONGOING
