"""One lane of the producer lab: a producer and a broker with one rule, in the simulated world, set in time.

The run is a schedule of the explorer, carried out decision by decision; its token replays with the lane's programs.
In that world a request arrives as it is sent, unless it is late. The lab draws the same run with messages that take
time, `TRANSIT` ticks each. The drawing keeps the order of "happened before" (Lamport 1978): the events of each
process, and a message's sending before its arrival. So no process in the run could distinguish the two.
"""

from collections import deque
from dataclasses import dataclass, field, replace

from ...explore import tokens
from ...handlers.logs.idempotent import READINGS, RULES, burst, numbered_burst, operator, readings
from ...log.machine import KIND, leader_of
from ...node import Numbers, Program
from ...simulate.decision import ARRIVAL, LATE_REQUEST, LOST_REPLY, LOST_REQUEST, STEP, Decision
from ...simulate.hub import STEP as AT_A_STEP
from ...simulate.replay import Replayer

# ticks: a message's transit, a producer's wait for an answer, a late request's delay
TRANSIT, TIMEOUT, LATE = 2, 6, 18
LANES = tuple(RULES)  # naive, article, kafka
OUTAGES = ("restart", "fail over")
DECISIONS = {"": STEP, "request": LOST_REQUEST, "reply": LOST_REPLY, "late": LATE_REQUEST}


@dataclass(frozen=True)
class Strike:
    """A fault of one message. `batch` and `attempt` give the batch and its sending, both from 1 on.

    `kind` is what is lost, "request" or "reply", or "late": the request arrives `delay` ticks after its sending.
    """

    batch: int
    attempt: int
    kind: str
    delay: int = LATE

    def __str__(self):
        return f"{self.batch}|{self.attempt}|{self.kind}|{self.delay}"


@dataclass(frozen=True)
class Outage:
    """A broker restarts, or another takes over, right after a tick; messages on their way are then lost."""

    tick: int
    kind: str


@dataclass(frozen=True)
class Settings:
    """The common settings of all lanes. `client` is the client whose rules decide on a refused numbered batch."""

    batches: int = 4
    in_flight: int = 5
    first_alone: bool = True
    client: str = "librdkafka"
    strikes: tuple = ()
    outages: tuple = ()

    @property
    def brokers(self):
        """The number of brokers: 2, if another broker is to take over, else 1."""
        return 2 if any(one.kind == "fail over" for one in self.outages) else 1

    def strike(self, batch, attempt):
        """Return the `Strike` of a sending, or None."""
        found = (one for one in self.strikes if (one.batch, one.attempt) == (batch, attempt))
        return next(found, None)


@dataclass
class Packet:
    """One sending of a batch: the ticks of its sending, its arrival and the end of the wait, and its answer.

    Times are ticks, None: never. `fate` is "", "request", "reply" or "late"; `lost` is the tick of the loss of the
    request or its answer, `cut` tells that an outage lost it. `answer` is "offset", "again" (there already, at this
    `offset`), "have" (there already, by the article's rule), "gap", or the name of another refusal; `number` is the
    broker's last number, or the number for which it waits. At `due` the producer gets the answer or stops waiting.
    """

    batch: int
    attempt: int
    sequence: int | None
    epoch: int
    sent: int
    fate: str = ""
    arrived: int | None = None
    lost: int | None = None
    cut: bool = False
    answer: str = ""
    offset: int | None = None
    number: int = 0
    due: int = 0
    heard: int | None = None

    @property
    def answered(self):
        """Whether the answer to this sending comes back."""
        return self.fate == ""

    @property
    def is_there(self):
        """Whether the broker's answer means that the batch is in the log."""
        return self.answer in ("offset", "again", "have")

    @property
    def taken(self):
        """Whether the producer hears that the batch is in the log."""
        return self.answered and self.is_there

    def place(self, tick):
        """Return where the packet is at a tick: "request", "late" or "reply" on its way, "waits" before the producer,
        "lost" while the producer waits for it, or "".
        """
        heard, gone = self.heard or float("inf"), {"request": self.sent, "reply": self.arrived}.get(self.fate)
        gone = self.lost if self.cut else gone
        if tick < self.sent:
            return ""
        if gone is not None and tick >= gone:
            return "lost" * (tick <= (gone + 2 if self.fate == "late" else heard))
        if self.arrived is None or tick < self.arrived:
            return "late" if self.fate == "late" else "request"
        if self.fate == "late" or tick >= heard:
            return ""
        return "reply" if tick < self.sent + 2 * TRANSIT else "waits"


@dataclass(frozen=True)
class Moment:
    """The broker after a tick: its number, the batches in its log, and its memory of its producers."""

    tick: int
    broker: int
    log: tuple
    memory: dict


@dataclass
class Lane:
    """A whole run: its packets in the order of sending, the broker's moments, the outages as (tick, kind, leader).

    `end` is the tick at which the producer finished, `error` its final error, or ""; `token` replays the run.
    """

    rule: str
    settings: Settings
    packets: list = field(default_factory=list)
    moments: list = field(default_factory=list)
    outages: list = field(default_factory=list)
    end: int = 0
    error: str = ""
    token: str = ""

    def at(self, tick):
        """Return the broker's `Moment` at a tick."""
        return [moment for moment in self.moments if moment.tick <= tick][-1]

    def last(self):
        """Return the tick of the last event."""
        return max([self.end, *(moment.tick for moment in self.moments), *(one.lost or 0 for one in self.packets)])

    def expired(self):
        """Return the batches that the producer gave up with a `TimeoutError`."""
        if not self.error.startswith("TimeoutError"):
            return []
        taken = {one.batch for one in self.packets if one.taken}
        return [batch for batch in range(1, self.settings.batches + 1) if batch not in taken]

    def ticks(self):
        """Return the ticks of all events."""
        times = [(one.sent, one.arrived, one.lost, one.heard) for one in self.packets]
        return {0, self.end, *(tick for tick, *_ in self.outages), *(t for four in times for t in four)} - {None}


def programs(rule, settings):
    """Return the programs of a lane, in the form of `replay`; with outages, the second one is the operator's."""
    if rule == "naive":
        handler = burst(settings.batches, settings.in_flight)
    else:
        handler = numbered_burst(settings.batches, settings.in_flight, settings.client, settings.first_alone)
    found = [Program(handler, Numbers(1), readings(RULES[rule], brokers=settings.brokers), "producer")]
    if settings.outages:  # the leader restarts, and the other broker leads on, where there is one
        orders = [("restart", number % settings.brokers) for number in range(len(settings.outages))]
        found.append(Program(operator(*orders), Numbers(1), name="operator"))
    return found


def run_lane(rule, settings):
    """Return the `Lane` of a rule under these settings."""
    settings = replace(settings, outages=tuple(sorted(settings.outages, key=lambda one: one.tick)))
    parts = programs(rule, settings)
    return LaneRun(parts, Lane(rule, settings)).run(parts)


class LaneRun(Replayer):
    """Carries out a lane's run, and decides during the run: each decision is one of a schedule."""

    def __init__(self, parts, lane):
        super().__init__(parts)
        self.lane, self.schedule, self.tick = lane, [], -1
        self.flying = deque()
        self.waiting = [(one.tick + 0.5, one) for one in lane.settings.outages]  # (tick, what arrives at the broker)

    def run(self, parts):
        """Let the producer finish, and late requests arrive. Returns the `Lane`."""
        try:
            self.begin_all()
            producer = self.actors[0]
            self._look_at_broker(0)
            while producer.found == AT_A_STEP:
                self._step(producer.world.event)
            self.lane.end = max(self.tick, 0)
            self.lane.error = (self.error or "").strip().rpartition("\n")[2]
            self._broker_until(float("inf"))
        finally:
            self.close()
        self.lane.token = tokens.write(parts, None, len(parts), self.schedule)
        return self.lane

    def _step(self, event):
        if event.verb == "send":
            self._send(event.detail)
            return
        if (
            event.verb == "acknowledgement"
        ):  # else a request for a producer id, or the end, which the lab does not draw
            packet = self.flying.popleft()
            self.tick = packet.heard = max(self.tick + 1, packet.due)
        self._take(STEP)

    def _take(self, kind, actor=0, option=0):
        decision = Decision(actor, kind, option)
        self._decide(len(self.schedule), decision)
        self.schedule.append(decision)
        self.steps += 1

    def _send(self, detail):
        self.tick += 1
        batch = int(detail["values"][0])
        attempt = 1 + sum(one.batch == batch for one in self.lane.packets)
        packet = Packet(batch, attempt, detail.get("sequence"), detail.get("producer_epoch", 0), self.tick)
        self._meet(packet)
        self.lane.packets.append(packet)
        self.flying.append(packet)
        self._broker_until(packet.sent + TRANSIT)
        before = len(self.stores["log"].entries)
        self._take(DECISIONS[packet.fate])
        if packet.fate in ("", "reply"):
            self._arrive(packet, packet.sent + TRANSIT, before)

    def _meet(self, packet):
        """Compute the fate of a packet: first the effects of outages, then its own fault."""
        strike, sent = self.lane.settings.strike(packet.batch, packet.attempt), packet.sent
        fate = packet.fate = strike.kind if strike else ""
        until = sent + (max(strike.delay, TRANSIT + 1) if fate == "late" else 2 * TRANSIT)
        packet.due = sent + (TIMEOUT if fate else 2 * TRANSIT)
        outage = next((one.tick for one in self.lane.settings.outages if sent <= one.tick < until), None)
        if fate == "late" and outage is None:
            self.waiting.append((until, packet))
        elif fate == "late":
            packet.lost, packet.cut = outage + 1, True
        elif outage is not None and fate != "request" and (outage < sent + TRANSIT or not fate):
            packet.fate, packet.cut = "request" if outage < sent + TRANSIT else "reply", True
            packet.lost, packet.due = outage + 1, outage + 2
        elif fate:
            packet.lost = sent + (1 if fate == "request" else TRANSIT + 1)

    def _broker_until(self, tick):
        """Let late requests and outages reach the broker, up to a tick."""
        due = sorted((each for each in self.waiting if each[0] <= tick), key=lambda each: each[0])
        self.waiting = [each for each in self.waiting if each[0] > tick]
        for when, what in due:
            if isinstance(what, Outage):
                self._take(STEP, actor=1)
                self.lane.outages.append((what.tick + 1, what.kind, self._look_at_broker(what.tick + 1)))
            else:
                before = len(self.stores["log"].entries)
                sent = [one for one in self.lane.packets if one.fate == "late"]
                self._take(ARRIVAL, option=next(n for n, one in enumerate(sent) if one is what))
                self._arrive(what, when, before)

    def _arrive(self, packet, tick, before):
        """Note the broker's answer to a packet."""
        answer = self.stores["log"].journal(before)[0].value
        window = next((entry.window for entry in self.lane.moments[-1].memory.values()), ())
        packet.arrived, refusal = tick, answer.get("error")
        packet.answer = {None: "again" if answer.get("duplicate") else "offset", "DuplicateSequence": "have",
                         "OutOfOrderSequence": "gap"}.get(refusal, refusal)  # fmt: skip
        packet.offset = answer.get("offset")
        last = window[-1][1] if window else -1
        packet.number = last + 1 if packet.answer == "gap" else last
        self._look_at_broker(tick)

    def _look_at_broker(self, tick):
        """Note the broker's state after a tick; return the number of the leader."""
        store = self.stores["log"]
        broker, memory = leader_of(store.held(KIND)[READINGS])
        log = tuple(record[2] for record in store.look(READINGS, KIND))
        self.lane.moments.append(Moment(tick, broker, log, memory))
        return broker
