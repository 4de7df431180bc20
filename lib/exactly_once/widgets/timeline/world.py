"""The world of the transaction timeline: the course's log and its coordinator, and two producers as their clients.

Every rule is the log's or the coordinator's. Here is what a learner does to them, a clock that moves with each thing
done, and what the picture needs to remember of it. A producer reads a partition of its own, item by item, and writes a
record for each: a1, a2, … Its position is the number of items that it has read.
"""

from ...errors import BadInput
from ...log import Pair, open_log
from ...log.errors import (
    ConcurrentTransactions,
    InvalidProducerEpoch,
    InvalidTxnState,
    LogError,
    ProducerFenced,
    UnstableOffsetCommit,
)
from ...log.storage.records import MARKERS
from ...log.transactions.rules import ONGOING
from .parts import (
    CHECK_S,
    COMPLETE,
    GROUP,
    INPUT,
    LETTERS,
    MOST_ITEMS,
    OFFSETS,
    OUTPUT,
    PRODUCERS,
    RESULTS,
    STEP_S,
    TICK_S,
    TIMEOUT_S,
    Event,
    Life,
    Request,
    Row,
    Span,
    Transaction,
)


class World:
    """The log, the coordinator, the lives of two producers, and what happened. `protocol` is 1 or 2 (KIP-890)."""

    def __init__(self, protocol=1):
        self.protocol, self.now, self.held = protocol, 0.0, False
        self.log = open_log(clock=lambda: int(self.now * 1000))
        self.log.create_topic(INPUT, len(PRODUCERS))
        self.log.create_topic(OUTPUT)
        self.events, self.transactions, self.starts = [], [], [(0.0, 0)]
        self.states = {owner: [] for owner in PRODUCERS}  # (time, the coordinator's state, epoch)
        self.downs, self.stalls, self.deaths = [], [], []  # [from, until], (owner, from, until), (owner, time)
        self.epochs = {owner: [] for owner in PRODUCERS}  # (time, epoch that its newest life has from then on)
        self.owners, self.sent, self.late, self.known = {}, {}, {}, {}
        self.coordinator = self.log.coordinator(protocol)
        if protocol == 1:
            self.log._transactions.knows = lambda producer: False  # until the log can do without verification
        self.lives = {owner: [Life(owner, 1)] for owner in PRODUCERS}
        self.mark, self.before = 0, (0, 0)  # of what was done last: its first event, and the offsets before it
        for owner in PRODUCERS:
            self._ask_init(self.life(owner))
        self.mark = len(self.events)

    # -- what can be done ------------------------------------------------------------------------------------------

    def life(self, owner):
        """Return the current life of a producer."""
        return self.lives[owner][-1]

    def zombie(self, owner):
        """Return the life of a producer that stalled and was replaced, or None."""
        return next((life for life in self.lives[owner][:-1] if life.stalled is not None), None)

    def can(self, what, owner=None):
        """Tell why something cannot be done now, in a sentence; "" when it can."""
        if owner is None:
            return _cannot_cluster(self, what)
        life = self.life(owner)
        if what == "arrive":
            return "" if owner in self.late else f"No request of {owner} is late."
        if what == "wake":
            there = life.stalled is not None or self.zombie(owner)
            return "" if there else f"{owner} is not stalled."
        if what == "restart":
            gone = life.state in ("dead", "fenced") or life.stalled is not None
            return "" if gone else f"{owner} runs; kill it or stall it first."
        if life.state == "dead":
            return f"{owner} is dead; restart it."
        if life.stalled is not None:
            return f"{owner} is stalled and does nothing; wake it, or start a new life of it."
        if what in ("kill", "stall"):
            return (
                "" if what == "kill" or not self.zombie(owner) else f"An earlier life of {owner} is stalled; wake it."
            )
        if life.state == "fenced":
            return f"{owner} is fenced: a producer has to be closed then. Restart it."
        if life.asks:
            return f"{owner} waits for the coordinator’s answer to {ASKED[life.asks]}."
        wanted = {"begin": ("ready",), "abort": ("open", "must abort")}.get(what, ("open",))
        if life.state not in wanted:
            return _cannot(life, what)
        mine = owner in self.late and self.late[owner].life is life
        if what == "late" and owner in self.late:
            return f"One request of {owner} is late already."
        if what == "commit" and mine:
            return f"A commit waits for the answers to all that was sent, and {self.late[owner].name} has none yet: abort."
        if what in ("send", "late") and life.position >= MOST_ITEMS:
            return f"{owner} has read all its {MOST_ITEMS} items."
        return ""

    def do(self, what, owner=None, strict=True):
        """Do something; the clock then stands two seconds later, or ten after a "tick".

        What cannot be done now raises `BadInput`, or, unless `strict`, is told as an event.
        """
        why = self.can(what, owner)
        if why and strict:
            raise BadInput(why)
        began, self.mark, self.before = self.now, len(self.events), (self.stable, self.high_watermark)
        if why:
            self._say(owner or "coordinator", f"cannot {what} here: {why}", "left out")
        else:
            getattr(self, f"_{what}")(*() if owner is None else (self.life(owner),))
        self._settle()
        self._pass(began + (TICK_S if what == "tick" else STEP_S))
        self.starts.append((self.now, what))

    # -- the producers ---------------------------------------------------------------------------------------------

    def _begin(self, life):
        life.transaction, life.state = Transaction(life.owner, life.epoch, self.now, life.number), "open"
        life.added = set()
        self.transactions.append(life.transaction)
        self._tell(life, "begins a transaction; nobody else hears of it yet")

    def _send(self, life):
        request = self._request(life)
        if self._deliver(request, added=self.protocol == 1):
            life.sequence += 1
            life.position += 1

    def _late(self, life):
        request = self._request(life)
        if self.protocol == 1 and not self._add(life, request):
            return
        self.late[life.owner] = request
        life.added.add(f"{OUTPUT}-0")  # as far as the client knows: it will ask the coordinator to end it
        life.sequence += 1
        life.position += 1
        life.transaction.marks.append((self.now, "late", request.name))
        self._tell(life, f"sends {request.name}; the request is late in the network")

    def _arrive(self, life):
        request = self.late.pop(life.owner)
        self._deliver(request, added=True, late=True)

    def _request(self, life):
        name = f"{LETTERS[life.owner]}{life.position + 1}"
        return Request(life, name, life.sequence, life.transaction, life.producer, life.epoch)

    def _add(self, life, request):
        """Have the coordinator note that the partition is in the transaction; the client's own request (protocol 1)."""
        if f"{OUTPUT}-0" in life.added:
            return True
        if self.coordinator is None:
            self._tell(life, f"cannot send {request.name}: no coordinator answers", "COORDINATOR_NOT_AVAILABLE")
            return False
        try:
            self.coordinator.add_partitions(life.owner, life.producer, life.epoch, [f"{OUTPUT}-0"])
        except LogError as why:
            self._refused(life, f"adds {OUTPUT}-0 to its transaction", why)
            return False
        self._added(life, f"{OUTPUT}-0")
        return True

    def _added(self, life, place):
        life.added.add(place)
        life.transaction.known = True
        self.look()

    def _deliver(self, request, added, late=False):
        """Bring a request to the partition's leader; tell whether the record is there now."""
        life, what = request.life, f"{'the late ' if late else ''}{request.name}"
        if self.protocol == 1 and not late and not self._add(life, request):
            return False
        try:
            if self.protocol == 2 and self.coordinator is None and not self._goes_on(request):
                self._tell(life, f"sends {what}, and the leader cannot ask the coordinator", "NOT_ENOUGH_REPLICAS")
                return False
            receipt = self.log.append(
                OUTPUT, 0, [Pair(None, request.name)], producer=request.producer, producer_epoch=request.epoch,
                sequence=request.sequence, transactional=True,
            )  # fmt: skip
        except LogError as why:
            request.transaction.marks.append((self.now, "refused", request.name))
            if late:
                self._say("out-0", f"{what} arrives, and is refused: {why}", why.kafka)
            else:
                self._refused(life, f"sends {what}", why, produce=True)
            return False
        if self.protocol == 2 and life.transaction is request.transaction:
            self._added(life, f"{OUTPUT}-0")
        self.sent[request.producer, request.epoch, request.sequence] = request.transaction
        request.transaction.marks.append((self.now, "arrived" if late else "record", request.name))
        if late:
            self._say("out-0", f"{what} arrives, and is written at offset {receipt.offset}")
        else:
            self._tell(life, f"sends {what}; it is written at offset {receipt.offset}")
        return True

    def _goes_on(self, request):
        """Tell whether the partition has the request’s transaction open, so that its leader need not ask about it."""
        rows, spans = self.partition()
        opened = [span.first for span in spans if span.owner == request.life.owner and span.last is None]
        return any(row.offset in opened and row.epoch == request.epoch for row in rows)

    def _offsets(self, life):
        place = (INPUT, PRODUCERS.index(life.owner))
        what = f"adds its position, {life.position} of {place[0]}-{place[1]}, to the transaction"
        if self.coordinator is None:
            self._tell(life, "cannot add its position: no coordinator answers", "COORDINATOR_NOT_AVAILABLE")
            return
        try:
            self.coordinator.add_partitions(life.owner, life.producer, life.epoch, [OFFSETS])
            self.log.commit(GROUP, {place: life.position}, producer=life.producer, producer_epoch=life.epoch)
        except LogError as why:
            self._refused(life, what, why)
            return
        life.transaction.position = life.position
        life.transaction.marks.append((self.now, "offsets", str(life.position)))
        self._added(life, OFFSETS)
        self._tell(life, what)

    def _commit(self, life):
        self._ask_end(life, "commit")

    def _abort(self, life):
        self._ask_end(life, "abort")

    def _ask_end(self, life, result):
        if not life.added and life.state == "open":
            life.transaction.decided = life.transaction.ended = self.now
            life.transaction.result, life.transaction.why = result, "asked"
            self._ended(life, result)
            self._tell(life, f"{result}s; nothing was sent, so nobody else hears of it")
            return
        if self.coordinator is None:
            again = "asks again" if life.asks else f"asks to {result}"
            life.asks = result
            self._tell(life, f"{again}; no coordinator answers", "COORDINATOR_NOT_AVAILABLE")
            return
        unanswered = life.owner in self.late and self.late[life.owner].life is life
        life.asks = ""
        try:
            ids = self.coordinator.end(life.owner, life.producer, life.epoch, result)
        except ConcurrentTransactions as why:
            life.asks = result
            self._tell(life, f"asks to {result}, and has to ask again", why.kafka)
            return
        except LogError as why:
            self._refused(life, f"asks to {result}", why)
            return
        self._ended(life, result)
        if ids != (life.producer, life.epoch):
            life.producer, life.epoch, life.sequence = *ids, 0
            self.owners[life.producer] = life.owner
            self.epochs[life.owner].append((self.now, life.epoch))
        self.look("asked")
        self._tell(life, f"asks to {result}: the coordinator’s log says {self.state(life.owner)[1]}")
        if unanswered and self.protocol == 1:  # KIP-360: a batch without an answer is followed by another epoch
            life.state = "starts"
            self._ask_init(life)

    def _ended(self, life, result):
        life.state, life.transaction = "ready", None
        if result == "abort":
            life.position = self._committed(life.owner) or 0  # the application seeks back; the client does not

    def _ask_init(self, life):
        """Have a life ask for its producer id and epoch, and for its position; until there is an answer, again.

        One that has an id already goes on with a new epoch (KIP-360).
        """
        first, life.asks, fresh = life.asks != "init", "init", life.producer is None
        what = "starts and asks for its epoch" if fresh else "asks for a new epoch"
        if self.coordinator is None:
            if first:
                self._tell(life, f"{what}; no coordinator answers", "COORDINATOR_NOT_AVAILABLE")
            return
        known = (None, None) if fresh else (life.producer, life.epoch)
        try:
            life.producer, life.epoch = self.coordinator.init_producer(life.owner, TIMEOUT_S * 1000, *known)
            self.look("restart")
            life.position = self._committed(life.owner, stable=True) or 0
        except (ConcurrentTransactions, UnstableOffsetCommit) as why:
            self.look("restart")
            if first:
                wait = f"{what}, and has to wait until the end of {life.owner}’s last transaction is written"
                self._tell(life, wait, why.kafka)
            return
        except LogError as why:
            self._refused(life, "asks for a new epoch", why)
            return
        self.owners[life.producer] = life.owner
        self.epochs[life.owner].append((self.now, life.epoch))
        life.asks, life.state, life.sequence, life.added = "", "ready", 0, set()
        how = "starts" if fresh else "goes on"
        self._tell(life, f"{how} as producer {life.producer} in epoch {life.epoch}, at position {life.position}")

    def _committed(self, owner, stable=False):
        return self.log.committed_offset(GROUP, INPUT, PRODUCERS.index(owner), require_stable=stable)

    def _kill(self, life):
        life.state, life.asks, life.stalled = "dead", "", None
        self.deaths.append((life.owner, self.now))
        self._tell(life, "is killed")

    def _restart(self, life):
        fresh = Life(life.owner, life.number + 1, self.now)
        self.lives[life.owner].append(fresh)
        self._ask_init(fresh)

    def _stall(self, life):
        life.stalled = self.now
        self.stalls.append([life.owner, self.now, None])
        self._tell(life, "stalls: a long pause, and it does not know of it")

    def _wake(self, life):
        life = self.zombie(life.owner) or life
        life.stalled = None
        next(one for one in self.stalls if one[0] == life.owner and one[2] is None)[2] = self.now
        if life is self.life(life.owner):
            self._tell(life, "wakes up, and goes on where it stopped")
            return
        if life.state != "open":
            self._begin(life)
        request = self._request(life)
        if self._deliver(request, added=False):
            life.sequence, life.position = life.sequence + 1, life.position + 1
        life.state = "dead"  # nobody looks after a replaced life any more

    # -- the coordinator, the clock, the markers -------------------------------------------------------------------

    def _tick(self):
        pass  # the clock moves after everything that is done

    def _down(self):
        self.coordinator = None
        self.downs.append([self.now, None])
        self._say("coordinator", "is killed; its log stays")

    def _back(self):
        self.coordinator = self.log.coordinator(self.protocol)
        self.coordinator.recover()
        self.downs[-1][1] = self.now
        self._say("coordinator", f"comes back and reads its log; coordinator epoch {self.coordinator.epoch}")

    def _hold(self):
        self.held = True
        self._say("markers", "are held from now on: decided, and on their way")

    def _release(self):
        self.held = False
        self._say("markers", "are let through")

    def _pass(self, until):
        """Let time pass; the coordinator looks for transactions that are too old every ten seconds."""
        check = (self.now // CHECK_S + 1) * CHECK_S
        while check <= until:
            self.now = check
            ids = [] if self.coordinator is None else self.coordinator.time_out()
            for owner in ids:
                self._say(
                    "coordinator",
                    f"aborts {owner}’s transaction: it is open for {TIMEOUT_S} s (transaction.timeout.ms)",
                )
            self.look("timed out")
            self._settle()
            check += CHECK_S
        self.now = until

    def _settle(self):
        """Have the markers written that are due, and those answered who asked again."""
        before = None
        while before != (
            before := (len(self.events), [life.asks for lives in self.lives.values() for life in lives])
        ):
            self._write_markers()
            for life in [life for lives in self.lives.values() for life in lives]:
                if life.asks and life.stalled is None and self.coordinator is not None:
                    (self._ask_init if life.asks == "init" else lambda one: self._ask_end(one, one.asks))(life)

    def _write_markers(self):
        if self.coordinator is None or self.held:
            return
        for due in self.coordinator.due():
            self.now += 0.5 if self.now % 1 == 0 else 0
            self.log.write_due_markers(due.transactional_id)
            self.now += 0.5
            self.look()
            offset = f"{OUTPUT}-0 (offset {self.log.log_end(OUTPUT, 0) - 1})"
            places = [offset if place == f"{OUTPUT}-0" else place for place in due.partitions]
            words = f"writes {due.transactional_id}’s {due.result} marker to {' and '.join(places)}: complete"
            self._say("coordinator", words if places else f"completes {due.transactional_id}’s {due.result}")

    def look(self, why=""):
        """Note what the coordinator says of both transactional ids now; `why` is who made it decide."""
        if self.coordinator is None:
            return
        for owner in PRODUCERS:
            try:
                found = self.coordinator.describe(owner)
            except LogError:
                continue
            self.known[owner] = found
            if not self.states[owner] or self.states[owner][-1][1:] != (found.state, found.epoch):
                self.states[owner].append((self.now, found.state, found.epoch))
                self._note(owner, found.state, why)

    def _note(self, owner, state, why):
        """Bring the picture's transaction up to the coordinator's state."""
        mine = next(
            (one for one in self.transactions if one.owner == owner and one.ended is None and one.known), None
        )
        if mine is None or state not in RESULTS:
            return
        if mine.decided is None:
            mine.decided, mine.result, mine.why = self.now, RESULTS[state], why
        if state in COMPLETE:
            mine.ended = self.now

    # -- what there is to see --------------------------------------------------------------------------------------

    @property
    def stable(self):
        """The last stable offset of the partition."""
        return self.log.last_stable(OUTPUT, 0)

    @property
    def high_watermark(self):
        """The high watermark of the partition."""
        return self.log.high_watermark(OUTPUT, 0)

    def described(self, owner):
        """Return what the coordinator keeps of a transactional id; of a dead one what it was seen to keep last."""
        return self.known[owner]

    def ongoing(self, owner):
        """Tell whether the coordinator has a transaction of a producer open."""
        return self.state(owner)[1] == ONGOING

    def state(self, owner):
        """Return the last (time, state, epoch) that the coordinator was seen in for a transactional id."""
        return self.states[owner][-1]

    def read(self, isolation):
        """Return {offset: value} of what a reader from the start sees."""
        return {one.offset: one.value for one in self.log.fetch(OUTPUT, 0, 0, isolation=isolation)}

    def positions(self, owner):
        """Return a producer's committed position, and the one that is pending in a transaction, or None."""
        try:
            self._committed(owner, stable=True)
        except UnstableOffsetCommit:
            open_ = [one for one in self.transactions if one.owner == owner and one.position is not None]
            return self._committed(owner) or 0, open_[-1].position
        return self._committed(owner) or 0, None

    def aborted(self):
        """Return (producer, first offset) of what a fetch below the last stable offset names as aborted."""
        return [(self.owners[producer], first) for producer, first in self.log.aborted(OUTPUT, 0, 0, self.stable)]

    def partition(self):
        """Return the partition as rows and spans, from the batches on the leader's disk."""
        settings = self.log.topic(OUTPUT, 0)
        batches = self.log.with_leader(settings, 0, lambda replica: list(replica.disk.batches(replica.name, 0)))
        spans, opened, within = [], {}, {}
        for batch in batches:
            if batch.kind not in MARKERS:
                within[batch.base] = opened.setdefault(batch.producer, len(spans))
                if within[batch.base] == len(spans):
                    spans.append(Span(self.owners[batch.producer], batch.base, None, ""))
            elif batch.producer in opened:
                at = opened.pop(batch.producer)
                spans[at] = Span(spans[at].owner, spans[at].first, batch.base, batch.kind)
        seen, rows = self.read("read_committed"), []
        for batch in batches:
            marker = batch.kind in MARKERS
            sent = None if marker else self.sent[batch.producer, batch.producer_epoch, batch.sequence]
            rows.append(
                Row(
                    batch.base, batch.kind if marker else "record", self.owners[batch.producer], batch.producer_epoch,
                    "" if marker else batch.records()[0].value, "" if marker else spans[within[batch.base]].result,
                    "" if marker else sent.result, batch.base in seen,
                )
            )  # fmt: skip
        return rows, spans

    # -- telling ---------------------------------------------------------------------------------------------------

    def _refused(self, life, what, why, produce=False):
        """Note a refusal, and what it makes of the producer."""
        if life.transaction and not life.transaction.known:
            life.transaction.ended, life.transaction.why = self.now, "refused"
        if produce and isinstance(why, InvalidProducerEpoch):
            life.state = "must abort"  # not fatal in Java; the abort tells the rest
        elif isinstance(why, (ProducerFenced, InvalidProducerEpoch, InvalidTxnState)):
            life.state, life.asks = "fenced", ""
        self._tell(life, f"{what}, and is refused: {why}", why.kafka)

    def _tell(self, life, what, error=""):
        lives = len(self.lives[life.owner])
        self._say(f"{life.owner} (life {life.number})" if lives > 1 else life.owner, what, error)

    def _say(self, who, what, error=""):
        self.events.append(Event(self.now, who, what, error, self.stable, self.high_watermark))


ASKED = {"init": "init_transactions", "commit": "its commit", "abort": "its abort"}


def _cannot(life, what):
    if life.state == "must abort":
        return f"{life.owner} was refused: it can abort, and nothing else."
    if what == "begin":
        return f"{life.owner} has a transaction open already."
    if life.state == "ready":
        return f"{life.owner} has no transaction open; begin one first."
    return f"{life.owner} is starting."


def _cannot_cluster(world, what):
    down = world.coordinator is None
    return {
        "tick": "",
        "down": "The coordinator is dead already." if down else "",
        "back": "" if down else "The coordinator is alive.",
        "hold": "The markers are held already." if world.held else "",
        "release": "" if world.held else "No markers are held.",
    }[what]
