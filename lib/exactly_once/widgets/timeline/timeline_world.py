"""The world of the transaction timeline: the course's log and its coordinator, and two producers as their clients.

All rules are the log's, the coordinator's or the client's. This file adds the learner's steps, a clock that moves
with each step, requests that are answered late, and the facts that the picture needs. A producer reads a partition of
its own, item by item, and writes a record for each: a1, a2, … Its position is the number of items that it has read.
"""

from dataclasses import dataclass, field
from functools import partialmethod
from typing import Any

from ...log import Pair, open_log
from ...log.log_errors import LogError, UnstableOffsetCommit
from ...log.storage.records import MARKERS
from ...log.transactions import rules
from ...log.transactions.log_requests import LogRequests
from ...log.transactions.producer import IN_TRANSACTION, READY, TransactionalProducer
from ...log.transactions.rules import COMPLETE, ONGOING, RESULTS
from .timeline_steps import CALLS, DEAD, INPUT, OUTPUT, PARTITION, PRODUCERS, TIMEOUT_S, refusal

LETTERS = dict(zip(PRODUCERS, "ab", strict=True))
GROUP = "app"
STEP_S, TICK_S = 2, 10  # seconds: the clock moves so far with each step, and with its own button
CHECK_S = 10  # seconds: transaction.abort.timed.out.transaction.cleanup.interval.ms
MEANT = RESULTS | {state: result for result, state in COMPLETE.items()}


@dataclass
class Transaction:
    """A transaction in the order of its producer's and the coordinator's steps; times are seconds, None: not yet.

    `marks` are (time, kind, text): "record", "late", "arrived", "refused" or "offsets". `known` tells whether the
    coordinator has received a request of it. `why` is the reason of its end: "asked", "timed out", "restart", or
    "refused" for a transaction that never existed at the coordinator. `position` is the producer's position in it.
    """

    owner: str
    epoch: int
    began: float
    life: int = 1
    marks: list = field(default_factory=list)
    position: int | None = None
    known: bool = False
    decided: float | None = None
    result: str = ""
    why: str = ""
    ended: float | None = None


@dataclass(frozen=True)
class Request:
    """A request to write one record: the sender, its transaction, and the fields that the client set."""

    life: Any
    transaction: Transaction
    name: str
    producer: int
    epoch: int
    sequence: int


@dataclass(frozen=True)
class Event:
    """One event: the time in seconds, the process, the words; `error` is Kafka's name of a refusal.

    `stable` and `high` are the last stable offset and the high watermark after it.
    """

    at: float
    who: str
    what: str
    error: str
    stable: int
    high: int


@dataclass
class Span:
    """A transaction in the partition: from its first record to its marker; `last` is None while it is open."""

    owner: str | None
    first: int
    last: int | None = None
    result: str = ""


@dataclass(frozen=True)
class Row:
    """One offset of the partition: a record, or a marker ("commit", "abort"), and its standing.

    `span` is a record's transaction by the log; `meant` is the coordinator's decision on the transaction in which it
    was sent; `seen` tells whether read_committed sees it.
    """

    offset: int
    kind: str
    owner: str | None
    epoch: int
    name: str = ""
    span: Span | None = None
    meant: str = ""
    seen: bool = False

    @property
    def ended(self) -> str:
        """The result of a record's transaction by the log, "" while that is open."""
        return self.span.result if self.span else ""


class World:
    """The log, the coordinator, the incarnations of two producers, and the events. `protocol` is 1 or 2 (KIP-890).

    `coordinator` is None while it is dead.
    """

    def __init__(self, protocol: int = 1) -> None:
        self.protocol, self.now, self.held = protocol, 0.0, False
        self.log = open_log(clock=lambda: int(self.now * 1000))
        self.log.create_topic(INPUT, len(PRODUCERS))
        self.log.create_topic(OUTPUT)
        self.events, self.transactions, self.starts = [], [], [(0.0, "")]
        self.states = {owner: [] for owner in PRODUCERS}  # (time, the coordinator's state, epoch)
        self.lives = {owner: [] for owner in PRODUCERS}
        self.deaths = {owner: [] for owner in PRODUCERS}  # times
        self.downs = []  # [from, until] of the coordinator
        self.late, self.sent = {}, {}  # {owner: request}, {(producer, epoch, sequence): its transaction}
        self._begin_coordinator()
        self.before = (0, 0)  # the last stable offset and the high watermark before the last step
        for owner in PRODUCERS:
            self._start_life(owner)
        self.mark = len(self.events)  # of the last step: the number of its first event

    # -- the possible steps ----------------------------------------------------------------------------------------

    def life(self, owner: Any) -> "Life":
        """Return the current incarnation of a producer."""
        return self.lives[owner][-1]

    def zombie(self, owner: str) -> Any:
        """Return the incarnation of a producer that stalled and was replaced, or None."""
        return next((life for life in self.lives[owner][:-1] if life.stalled), None)

    def of(self, owner: str) -> list[Any]:
        """Return the transactions of a producer."""
        return [one for one in self.transactions if one.owner == owner]

    def can(self, what: str, owner: str | None = None) -> str:
        """Tell why a step is impossible now, in a sentence; "" when it is possible."""
        return refusal(self, what, self.life(owner) if owner else None)

    def do(self, what: str, owner: str | None = None) -> None:
        """Do a step; the clock then stands two seconds later, or ten after a "tick". An impossible step is noted as
        an event.
        """
        why = self.can(what, owner)
        began, self.mark, self.before = self.now, len(self.events), (self.stable, self.high_watermark)
        if why:
            self._say(owner or "coordinator", f"cannot {what} here: {why}", "left out")
        elif what in CALLS:
            self._ask(self.life(owner), what)
        elif what != "tick":  # the clock moves after every step
            getattr(self, f"_{what}")(*() if owner is None else (self.life(owner),))
        self._settle()
        self._pass(began + (TICK_S if what == "tick" else STEP_S))
        self.starts.append((self.now, what))

    # -- the producers ---------------------------------------------------------------------------------------------

    def _start_life(self, owner: str) -> None:
        self.lives[owner].append(Life(self, owner, len(self.lives[owner]) + 1))
        self._ask(self.life(owner), "init")

    def _begin(self, life):
        life.client.begin_transaction()
        life.transaction = Transaction(life.owner, life.epoch, self.now, life.number)
        self.transactions.append(life.transaction)
        self.tell(life, "begins a transaction; nobody else hears of it yet")

    def _send(self, life, slow=False):
        name, life.slow = f"{LETTERS[life.owner]}{life.position + 1}", slow
        try:
            if self._tried(life, f"sends {name}", lambda: life.client.send(PARTITION, [Pair(None, name)])):
                life.position += 1
                life.transaction.marks.append((self.now, "record", name))
                self.tell(life, f"sends {name}; it is written at offset {self.log.log_end(OUTPUT, 0) - 1}")
        except NoAnswer:
            life.transaction.marks.append((self.now, "late", name))
            self.tell(life, f"sends {name}; the request is late in the network, and no answer comes")

    _late = partialmethod(_send, slow=True)

    def _arrive(self, life: "Life") -> None:
        request = self.late.pop(life.owner)
        what, kind, error = f"the late {request.name} arrives", "arrived", ""
        try:
            said = f"written at offset {request.life.deliver(request)}"
        except (LogError, Waits) as why:
            kind, said, error = "refused", f"refused: {why}", why.kafka
        request.transaction.marks.append((self.now, kind, request.name))
        self._say(PARTITION, f"{what}, and is {said}", error)

    def _offsets(self, life):
        place = f"{INPUT}-{PRODUCERS.index(life.owner)}"
        what = f"adds its position, {life.position} of {place}, to the transaction"
        if self._tried(life, what, lambda: life.client.send_offsets_to_transaction({place: life.position}, GROUP)):
            life.transaction.position = life.position
            life.transaction.marks.append((self.now, "offsets", str(life.position)))
            self.tell(life, what)

    def _ask(self, life, what):
        """Have a client make a call; if the coordinator cannot answer yet, the client asks again later."""
        told, again, epoch = len(self.events), life.asks == what, life.epoch
        words = "starts and asks for its epoch" if what == "init" else f"asks to {what}"
        done = self._tried(life, words, getattr(life.client, CALLS[what]), quiet=again)
        life.asks = what if done is None else ""
        if not done:
            return
        if what == "init":
            life.position = self._committed(life.owner, stable=True) or 0
            ids = f"as producer {life.client.producer} in epoch {life.epoch}"
            self.tell(life, f"starts {ids}, at position {life.position}")
            return
        if not again and len(self.events) == told:
            life.transaction.decided = life.transaction.ended = self.now
            life.transaction.result, life.transaction.why = what, "asked"
            self.tell(life, f"{what}s; nothing was sent, so nobody else hears of it")
        elif self.protocol == 1 and life.epoch != epoch:
            self.tell(life, f"goes on in epoch {life.epoch}: numbers of the last one may be lost (KIP-360)")
        life.transaction = None
        if what == "abort":
            life.position = self._committed(life.owner) or 0  # the application seeks back; the client does not

    def _tried(self, life, what, call, quiet=False):
        """Make a call of a client. Return True, False if it was refused, or None if there is no answer yet; then an
        event tells why, unless the wait is to be `quiet`. Raises `NoAnswer`.
        """
        try:
            call()
            return True
        except NoAnswer:
            raise
        except Waits as why:
            if not quiet:
                self.tell(life, f"{what}, and has to wait: {why}", why.kafka)
            return None
        except LogError as why:
            one = life.transaction
            if one is not None and what.startswith("sends"):
                one.marks.append((self.now, "refused", what.split()[1]))
            if one is not None and not one.known:
                one.ended, one.why = self.now, "refused"
            self.tell(life, f"{what}, and is refused: {why}", why.kafka)
            return False

    def _kill(self, life: "Life") -> None:
        life.dead, life.asks = True, ""
        self.deaths[life.owner].append(self.now)
        self.tell(life, "is killed")

    def _restart(self, life: "Life") -> None:
        self._start_life(life.owner)

    def _stall(self, life: "Life") -> None:
        life.stalls.append([self.now, None])
        self.tell(life, "stalls: a long pause, and it does not know of it")

    def _wake(self, life: "Life") -> None:
        life = self.zombie(life.owner) or life
        life.stalls[-1][1] = self.now
        if life is self.life(life.owner):
            self.tell(life, "wakes up, and goes on where it stopped")
            return
        if life.state == READY:
            self._begin(life)
        if life.state == IN_TRANSACTION:
            self._send(life)
        life.dead = True  # a replaced incarnation has no further use

    def _committed(self, owner: str, stable: bool = False) -> Any:
        return self.log.committed_offset(GROUP, INPUT, PRODUCERS.index(owner), require_stable=stable)

    # -- the coordinator, the clock, the markers -------------------------------------------------------------------

    def _down(self) -> None:
        self.coordinator = None
        self.downs.append([self.now, None])
        self._say("coordinator", "is killed; its log stays")

    def _begin_coordinator(self):
        # The classic protocol is the one before KIP-890, so it lacks verification, the first part of KIP-890.
        self.coordinator = self.log.coordinator(self.protocol, verification=self.protocol == 2)

    def _back(self):
        self._begin_coordinator()
        self.coordinator.recover()
        self.downs[-1][1] = self.now
        self._say("coordinator", f"comes back and reads its log; its own epoch is {self.coordinator.epoch} now")

    def _hold(self) -> None:
        self.held = True
        self._say("markers", "are held from now on: decided, and on their way")

    def _release(self) -> None:
        self.held = False
        self._say("markers", "are let through")

    def _pass(self, until: float) -> None:
        """Let time pass; every ten seconds the coordinator looks for transactions that are too old."""
        check = (self.now // CHECK_S + 1) * CHECK_S
        while check <= until:
            self.now = check
            for owner in [] if self.coordinator is None else self.coordinator.time_out():
                why = f"it is open for {TIMEOUT_S} s (transaction.timeout.ms)"
                self._say("coordinator", f"aborts {owner}’s transaction: {why}")
            self.look("timed out")
            self._settle()
            check += CHECK_S
        self.now = until

    def _settle(self) -> None:
        """Have the due markers written, and the waiting clients answered."""
        before = None
        lives = [life for owner in PRODUCERS for life in self.lives[owner]]
        while before != (before := (len(self.events), [life.asks for life in lives])):
            self._write_markers()
            for life in lives:
                if life.asks and not life.stalled and self.coordinator is not None:
                    self._ask(life, life.asks)

    def _write_markers(self) -> None:
        if self.coordinator is None or self.held:
            return
        for due in self.coordinator.due():
            self.now += 0.5 if self.now % 1 == 0 else 0
            self.log.write_due_markers(due.transactional_id)
            self.now += 0.5
            self.look()
            offset = f"{PARTITION} (offset {self.log.log_end(OUTPUT, 0) - 1})"
            places = [offset if place == PARTITION else place for place in due.partitions]
            words = f"writes {due.transactional_id}’s {due.result} marker to {' and '.join(places)}: complete"
            self._say("coordinator", words if places else f"completes {due.transactional_id}’s {due.result}")

    def look(self, why: Any = "") -> None:
        """Note the coordinator's new states of both transactional ids; `why` is the reason of its decision."""
        for owner, found in self.log.transactions.kept.items():
            if [one[1:] for one in self.states[owner][-1:]] == [(found.state, found.epoch)]:
                continue
            self.states[owner].append((self.now, found.state, found.epoch))
            mine = next((one for one in self.of(owner) if one.known and one.ended is None), None)
            if mine is None or found.state not in MEANT:
                continue
            if mine.decided is None:
                mine.decided, mine.result, mine.why = self.now, MEANT[found.state], why
            if found.state in COMPLETE.values():
                mine.ended = self.now

    # -- the visible state -----------------------------------------------------------------------------------------

    @property
    def stable(self) -> int:
        """The last stable offset of the partition."""
        return self.log.last_stable(OUTPUT, 0)

    @property
    def high_watermark(self) -> int:
        """The high watermark of the partition."""
        return self.log.high_watermark(OUTPUT, 0)

    def entry(self, owner: str) -> rules.Transaction:
        """Return what the coordinator's log holds of a producer's transactional id: a `rules.Transaction`."""
        return self.log.transactions.describe(owner)

    def ongoing(self, owner):
        """Tell whether the coordinator has a transaction of a producer open."""
        return self.entry(owner).state == ONGOING

    def forecast(self):
        """Return {producer: the second at which the coordinator will abort its transaction}, if no step is done."""
        open_ = [self.entry(owner) for owner in PRODUCERS if self.coordinator is not None and self.ongoing(owner)]
        ends = {one.transactional_id: max(self.now, (one.started + one.timeout_ms) / 1000) for one in open_}
        return {owner: (end // CHECK_S + 1) * CHECK_S for owner, end in ends.items()}

    def positions(self, owner: str) -> tuple[int, None]:
        """Return a producer's committed position, and the one that is pending in a transaction, or None."""
        try:
            return self._committed(owner, stable=True) or 0, None
        except UnstableOffsetCommit:
            held = [one.position for one in self.of(owner) if one.position is not None]
            return self._committed(owner) or 0, held[-1]

    def partition(self) -> tuple[Any, Any]:
        """Return the partition as rows and spans, from the batches on the leader's disk."""
        settings = self.log.topic(OUTPUT, 0)
        batches = self.log.with_leader(settings, 0, lambda replica: list(replica.disk.batches(replica.name, 0)))
        seen = {one.offset for one in self.log.fetch(OUTPUT, 0, 0, isolation="read_committed")}
        rows, spans, opened = [], [], {}
        for batch in batches:
            owner, producer, epoch = self.log.transactions.owner(batch.producer), batch.producer, batch.producer_epoch
            if batch.kind in MARKERS:
                rows.append(Row(batch.base, batch.kind, owner, epoch))
                if producer in opened:
                    span = opened.pop(producer)
                    span.last, span.result = batch.base, batch.kind
                continue
            if producer not in opened:
                opened[producer] = Span(owner, batch.base)
                spans.append(opened[producer])
            (record,), meant = batch.records(), self.sent[producer, epoch, batch.sequence].result
            found = record.value, opened[producer], meant, batch.base in seen
            rows.append(Row(batch.base, "record", owner, epoch, *found))
        return rows, spans

    # -- events ----------------------------------------------------------------------------------------------------

    def tell(self, life: "Life", what: str, error: Any = "") -> None:
        """Note an event of an incarnation."""
        lives = len(self.lives[life.owner])
        self._say(f"{life.owner} (incarnation {life.number})" if lives > 1 else life.owner, what, error)

    def _say(self, who: str, what: str, error: Any = "") -> None:
        self.events.append(Event(self.now, who, what, error, self.stable, self.high_watermark))


class Waits(Exception):
    """There is no answer yet, and the client asks again; `kafka` is Kafka's name for the reason."""

    def __init__(self, kafka: str, message: str) -> None:
        super().__init__(message)
        self.kafka = kafka


class NoAnswer(LogError):
    """The client has waited its full time (delivery.timeout.ms) for the answer to a batch."""

    kafka = "REQUEST_TIMED_OUT"


class Life(LogRequests):
    """One incarnation of a producer: its client, its position in its input, and its requests to the world's log.

    `asks` is the request that it repeats until the coordinator answers: "init", "commit" or "abort"; `stalls` are
    [from, until], with None until it wakes up. A `slow` batch is late in the network. Under protocol 2 the leaders
    add partitions, not the clients.
    """

    def __init__(self, world: World, owner: str, number: int) -> None:
        super().__init__(world.log)
        self.world, self.owner, self.number, self.began = world, owner, number, world.now
        self.client = TransactionalProducer(self, owner, TIMEOUT_S * 1000)
        self.position, self.transaction = 0, None
        self.asks, self.stalls, self.slow, self.dead = "", [], False, False

    @property
    def state(self) -> str:
        """Its client's state, or `DEAD`."""
        return DEAD if self.dead else self.client.state

    @property
    def stalled(self) -> bool:
        """Whether it stalls now."""
        return bool(self.stalls) and self.stalls[-1][1] is None

    @property
    def fate(self) -> str:
        """Why it does nothing, in words: "was killed", "has stalled", or ""."""
        return "was killed" if self.dead else "has stalled" if self.stalled else ""

    @property
    def epoch(self) -> int | None:
        """The epoch with which it writes, or None."""
        return self.client.epoch

    def init_producer(self, transactional_id: str, timeout_ms: int, producer: Any, epoch: Any) -> tuple[int, int]:
        """Ask for a producer id and an epoch."""
        self._needs_coordinator()
        try:
            return super().init_producer(transactional_id, timeout_ms, producer, epoch)
        finally:
            self.world.look("restart")

    def settled(self, transactional_id: str) -> None:
        """Raise `Waits`: the answer has to wait until the last transaction's markers are written."""
        raise Waits("CONCURRENT_TRANSACTIONS", f"the end of {transactional_id}’s last transaction is not written yet")

    def add_partitions(self, transactional_id: str, producer: int, epoch: int, partitions: list[str]) -> None:
        """Have the coordinator note the partitions."""
        if self.world.protocol == 1:
            self._needs_coordinator()
            super().add_partitions(transactional_id, producer, epoch, partitions)
            self._known()

    def append(self, partition, records, producer, epoch, sequence):
        """Bring a batch to its partition, unless it is late."""
        (record,) = records
        request = Request(self, self.transaction, record.value, producer, epoch, sequence)
        if self.slow:
            self.world.late[self.owner] = request
            raise NoAnswer(f"{request.name} has no answer, and the client gives it up: abort the transaction.")
        return self.deliver(request)

    def deliver(self, request: Request) -> int:
        """Have the partition's leader write an arriving request. Returns the offset."""
        world, sent = self.world, (request.producer, request.epoch, request.sequence)
        if world.protocol == 2 and world.coordinator is None:
            there = [(row.owner, row.epoch) for row in world.partition()[0] if row.span and not row.ended]
            if (self.owner, request.epoch) not in there:
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
        if not self.asks:
            state = self.world.entry(transactional_id).state
            self.world.tell(self, f"asks to {result}: the coordinator’s log says {state}")
        return answer

    def _needs_coordinator(self) -> None:
        if self.world.coordinator is None:
            raise Waits("COORDINATOR_NOT_AVAILABLE", "no coordinator answers")

    def _known(self) -> None:
        if self.transaction is not None:
            self.transaction.known = True
        self.world.look()
