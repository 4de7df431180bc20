"""Both sides of a log at once: a producer's and a consumer's handler, step by step, in one process.

The two take turns at each step. The log, the positions and the effects survive; what a life kept dies with it.
"""

from collections import Counter
from dataclasses import dataclass

from ..errors import CourseError, one_of, whole
from ..faults import FaultPlan
from ..handlers.consumer import consumer
from ..handlers.producer import PRODUCERS
from .deliverysides import KEYS, Consuming, Producing, key_of

MOST_RECORDS = 40
TURNS = 20_000


@dataclass(frozen=True)
class Moment:
    """What there is after one step.

    `who` acted ("producer", "log" or "consumer"), `says` tells it, `hurt` is true for a misfortune; `wire` is the
    message under way, as (from, to, record, lost), or None. `doing` is the record that the producer works on, or None,
    `noted` how far it has noted its work; `log` the records' numbers by offset; `saved` and `reached` the consumer's
    saved position and how far its life has read; `applied` the numbers that took effect, in order; `held` the number
    under each key; `lives` how many lives producer, consumer and broker had; `lost` and `doubled` the numbers so far.
    """

    who: str
    says: str
    hurt: bool
    wire: tuple | None
    doing: int | None
    noted: int
    log: tuple
    saved: int
    reached: int
    applied: tuple
    held: tuple
    lives: tuple
    alive: tuple
    lost: tuple
    doubled: tuple


@dataclass(frozen=True)
class Delivery:
    """A run of both sides: its settings, all its `Moment`s, and which misfortunes struck, in words."""

    retry: str
    position: str
    update: str
    batch: int
    records: int
    moments: tuple
    struck: tuple

    @property
    def end(self):
        """The last moment."""
        return self.moments[-1]

    @property
    def right(self):
        """What each key should hold in the end: for "add" how many records, for "overwrite" the newest."""
        numbers = {key: [n for n in range(1, self.records + 1) if key_of(n) == key] for key in KEYS}
        return {key: len(found) if self.update == "add" else max(found, default=0) for key, found in numbers.items()}

    @property
    def harmless(self):
        """True when the effects are as they should be in the end."""
        return dict(self.end.held) == self.right

    @property
    def backward(self):
        """Return (key, from, to) for each moment at which an older record came back under a key."""
        if self.update == "add":
            return ()
        return backward([(number, key_of(number)) for number in self.end.applied])


def backward(applied):
    """Return (key, from, to) for each time that an older record came back, of (number, key) in the order of writing."""
    held, found = {}, []
    for number, key in applied:
        if number < held.get(key, 0):
            found.append((key, held[key], number))
        held[key] = number
    return tuple(found)


def deliver(
    retry="retry", position="last", update="add", sending=None, receiving=None, broker=False, records=6, batch=3
):
    """Run a producer and a consumer over one log. Returns a `Delivery`.

    `retry` is "retry" or "give up", the rest of the first three as for `consumer`. `sending` and `receiving` are the
    fault plans of the two sides, their items the records' numbers; with `broker`, what gets lost on the producer's side
    is lost by a broker that dies, before the append or after it, and restarts with its log. Raises `BadInput` for
    settings that make no sense.
    """
    whole("the number of records", records, least=1, most=MOST_RECORDS)
    one_of("what the producer does after an error", retry, PRODUCERS)
    handlers = PRODUCERS[retry], consumer(position, update, batch)
    bench = Bench(handlers, (sending or FaultPlan(), receiving or FaultPlan()), broker, records, update)
    bench.run()
    return Delivery(retry, position, update, batch, records, tuple(bench.moments), tuple(bench.struck))


class Bench:
    """The log, both positions, the effects; and the two sides that take turns."""

    def __init__(self, handlers, plans, broker, records, update):
        self.broker, self.records, self.update = broker, records, update
        self.log, self.applied, self.held, self.versions = [], [], dict.fromkeys(KEYS, 0), Counter()
        self.broker_lives, self.moments, self.struck = 1, [], []
        self.producer, self.consumer = Producing(self, handlers[0], plans[0]), Consuming(self, handlers[1], plans[1])
        self.note("log", f"{records} records are to be sent. The log is empty.")

    def run(self):
        """Let the two sides take turns until both have ended."""
        for _ in range(TURNS):
            if self.producer.ended and self.consumer.ended:
                return
            for side in (self.producer, self.consumer):
                side.turn()
        raise CourseError(f"After {TURNS:,} turns producer and consumer had not come to an end.")

    def note(self, who, says, hurt=False, wire=None):
        """Keep this moment."""
        times = Counter(self.applied)
        lost = tuple(n for n in range(1, self.records + 1) if n not in times and self._gone(n))
        doubled = tuple(sorted(n for n, count in times.items() if count > 1))
        sides = self.producer, self.consumer
        self.moments.append(
            Moment(
                who, says, hurt, wire, self.producer.doing, self.producer.saved, tuple(self.log), self.consumer.saved,
                self.consumer.reached, tuple(self.applied), tuple(self.held.items()),
                (*(side.life for side in sides), self.broker_lives), tuple(side.alive for side in sides), lost, doubled,
            )
        )  # fmt: skip
        if hurt:
            self.struck.append(says)

    def _gone(self, number):
        """Tell whether nobody will come back to a record that has not taken effect."""
        if number in self.log:
            last = len(self.log) - self.log[::-1].index(number) - 1
            return last < self.consumer.reached and number not in self.consumer.in_hand
        return self.producer.has_left(number)
