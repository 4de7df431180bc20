"""Both sides of a log at once: a producer's and a consumer's program, and the result of their run, step by step."""

from dataclasses import dataclass, replace

from ..errors import BadInput, one_of, whole
from ..faults import FaultPlan
from ..handlers.logs.consumer import EFFECTS, consumer
from ..handlers.logs.producer import PRODUCERS
from ..node.program import Program
from ..node.source import LogSource, Numbers, Partition
from ..simulate.world import simulate
from ..verdict import Run
from .moments import Watch

KEYS = ("north", "south")
READINGS = Partition("readings")
MOST_RECORDS = 40
STEPS = ("positions.load", "positions.save", "input.read")


@dataclass(frozen=True)
class Delivery:
    """A run of both sides: all its `Moment`s, which faults struck, in words, and the `Run` behind it."""

    moments: tuple
    run: Run

    @property
    def end(self):
        """The last moment."""
        return self.moments[-1]

    @property
    def struck(self):
        """The faults that struck, in words."""
        return tuple(moment.text for moment in self.moments if moment.faulty)


def key_of(number, keys=KEYS):
    """Return the key of a record: the keys take turns."""
    return Numbers(1, keys).key_of(number)


def right(update, records, keys=KEYS):
    """Return the right final value of each key: for "add" the number of records, for "overwrite" the newest."""
    numbers = {key: [n for n in range(1, records + 1) if key_of(n, keys) == key] for key in keys}
    return {key: len(found) if update == "add" else max(found, default=0) for key, found in numbers.items()}


def backward(applied):
    """Return (key, from, to) for each time that an older record came back, of (number, key) in the order of
    writing.
    """
    held, found = {}, []
    for number, key in applied:
        if number < held.get(key, 0):
            found.append((key, held[key], number))
        held[key] = number
    return tuple(found)


def effects_of(run):
    """Return (record, key, value of the key then) for each effect of a run, in order."""
    written = [entry for entry in run.writes if entry.part.startswith(("counter.", "register."))]
    return [(entry.item, entry.part.partition(".")[2], entry.value) for entry in written]


def both_sides(retry="retry", position="last", update="add", records=6, batch=3, keys=KEYS):
    """Return the programs of producer and consumer, for `simulate`, `prove` and the cluster alike.

    `retry` is "retry" or "give up", the rest of the first three as for `consumer`. Raises `BadInput` for settings
    that make no sense.
    """
    sends = PRODUCERS[one_of("what the producer does after an error", retry, PRODUCERS)]
    return [
        Program(sends, Numbers(records, keys), READINGS, "producer"),
        Program(consumer(position, update, batch), LogSource(READINGS), name="consumer"),
    ]


def both_plans(sending, receiving, update):
    """Return the fault plans of the two sides as one: the producer is node 1, the consumer node 2.

    Raises `BadInput` for a fault that could never strike: at a step that this side does not take.
    """
    sides = (
        ("producer, which is node 1", sending, (*STEPS, "output.push", "log.close")),
        ("consumer, which is node 2", receiving, (*STEPS, *EFFECTS[update])),
    )
    faults = []
    for number, (who, plan, steps) in enumerate(sides, 1):
        for fault in (plan or FaultPlan()).faults:
            if fault.at not in steps or fault.node not in (None, number):
                node = f" at node {fault.node}" if fault.node else ""
                raise BadInput(
                    f"A fault at {fault.at!r}{node} never strikes the {who} and takes the steps {', '.join(steps)}."
                )
            faults.append(replace(fault, node=number))
    return FaultPlan(faults)


def deliver(retry="retry", position="last", update="add", sending=None, receiving=None, records=6, batch=3):
    """Run a producer and a consumer over one log. Returns a `Delivery`.

    `retry` is "retry" or "give up", the rest of the first three as for `consumer`. `sending` and `receiving` are the
    fault plans of the two sides, their items the records' numbers. Raises `BadInput` for settings that make no sense,
    and for faults that could never strike.
    """
    whole("the number of records", records, least=1, most=MOST_RECORDS)
    programs = both_sides(retry, position, update, records, batch)
    run = simulate(programs, both_plans(sending, receiving, update))
    return Delivery(Watch(records, KEYS).moments_of(run), run)
