"""Consume, transform, produce over two input and two output partitions: the programs, and the result of a run."""

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from ..handlers.logs.consume_transform_produce import INPUTS, OUTPUTS, in_transactions, key_of, one_by_one
from ..handlers.stream.transactional import coordinator
from ..node import LogSource, Partition, Program
from ..node.source import LOG
from ..node.world import ENGINE, shown

BATCH = 2  # readings in a transaction: they go to different partitions
COORDINATOR = "coordinator"
PLACES = {
    "begin": "transaction.add_partitions",
    "append": "transaction.send",
    "add offsets": "transaction.offsets",
    "prepare": "transaction.end",
    "marker": "coordinator.marker",
    "complete": "coordinator.complete",
}
ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class Readings(LogSource):
    """A partition of readings that an idempotent producer has filled: the numbers from 1 on, in degrees Celsius."""

    most: int = BATCH
    records: int = 40

    def load_inputs(self, stores):
        """Make the partition, and have the producer append all readings."""
        name = self.partition.name
        if name in stores[LOG].held("partition"):
            return
        super().load_inputs(stores)
        for number in range(self.records):
            settings = {"acks": "all", "producer": 0, "producer_epoch": 0, "sequence": number}
            stores[LOG].prepare(name, "produce", [[None, number + 1]], settings)


def transforming(transactional=True, records=40):
    """Return the programs: a consumer for each input partition, and, if they are transactional, the coordinator."""
    handler, protocol = (in_transactions, 2) if transactional else (one_by_one, None)
    sources = [Readings(Partition(name), records=records) for name in INPUTS]
    consumers = [
        Program(handler(name), source, Partition(OUTPUTS[0]), name, protocol)
        for name, source in zip(INPUTS, sources, strict=True)
    ]
    return [*consumers, Program(coordinator, sources[0], name=COORDINATOR)] if transactional else consumers


class Strike(NamedTuple):
    """The kill of a process: `seconds` after the start of the run, the node, the kill, and the place.

    `inside`: the process killed itself at a named step; else it was killed from outside, at any place. `place` is a
    key of `PLACES`, or `ELSEWHERE`.
    """

    seconds: float
    who: str
    kill: str
    place: str
    inside: bool


class Lifetime(NamedTuple):
    """One incarnation: its node, its number, and its first and last second."""

    who: str
    life: int
    begins: float
    ends: float
    killed: bool


@dataclass(frozen=True, repr=False)
class Transformed:
    """The result of a run of `transforming` with killed processes.

    `found` is {output partition: the keys that a read_committed reader sees, in order}; `uncommitted` is the number
    of further records, from aborted transactions. `positions` are {input partition: offset}. `predicted` is the
    number of records that must be there twice, given the places of the deaths.
    """

    transactional: bool
    records: int
    found: dict[str, tuple[str, ...]]
    uncommitted: int
    positions: dict[str, int]
    predicted: int
    strikes: tuple[Strike, ...]
    lives: tuple[Lifetime, ...]
    seconds: float

    @property
    def copies(self):
        """{key: how often it is there}, of all that should be there or are."""
        expected = dict.fromkeys((key_of(name, n + 1) for name in INPUTS for n in range(self.records)), 0)
        return {**expected, **Counter(key for keys in self.found.values() for key in keys)}

    @property
    def doubled(self):
        """How many records are there too often, counted as often as they are too many."""
        return sum(many - 1 for many in self.copies.values() if many > 1)

    @property
    def missing(self):
        """How many readings have no record."""
        return sum(not many for many in self.copies.values())

    @property
    def exactly_once(self):
        """Whether each reading's record is there once, and the positions are at the end."""
        at_end = self.positions == dict.fromkeys(INPUTS, self.records)
        return at_end and all(many == 1 for many in self.copies.values())

    def struck(self):
        """Return {place of `PLACES`, or `ELSEWHERE`: how many processes were killed there}."""
        counted = Counter(strike.place for strike in self.strikes)
        return {place: counted[place] for place in (*PLACES, ELSEWHERE)}

    def __str__(self):
        way = "in transactions" if self.transactional else "at least once"
        where = ", ".join(f"{place} {many}" for place, many in self.struck().items() if many)
        return (
            f"{way}: {len(self.copies)} readings, {self.doubled} records too many ({self.predicted} predicted), "
            f"{self.missing} missing, {self.uncommitted} of aborted transactions. {len(self.strikes)} processes were "
            f"killed{f' ({where})' if where else ''}, in {self.seconds:.1f} s."
        )

    __repr__ = __str__


def predict_doubled(run):
    """Return the number of surplus records of a run of `transforming` without transactions, from its deaths.

    An incarnation that dies behind an append and before its position is saved leaves the record to the next one,
    which appends it again.
    """
    appends = {shown(LOG, name) for name in OUTPUTS}
    saves = {shown(ENGINE, f"{name}.positions") for name in INPUTS}
    unsaved = Counter()
    for event in run.trace:
        if event.kind == "receive" and event.process in appends and event.verb == "produce":
            unsaved[event.life] += 1
        elif event.kind == "receive" and event.process in saves and event.verb == "write":
            unsaved[event.life] = 0
    return sum(unsaved.values())
