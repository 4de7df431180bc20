"""The record of a finished run: its stores' contents, their journals, its trace; an `Ideal` is one of a right run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from ..faults import FaultPlan
from ..node.program import Partition, Program
from ..node.source import LOG, Source
from ..node.world import DATABASE, ENGINE, Stores, shown
from ..stores.codec import Value
from ..stores.interface import Entry, Inputs
from ..trace import Event, Trace
from ..trace.events import Recorder
from .committed import checkpoint_writes, committed_writes, machine_writes
from .outcome import OUTPUT, Outcome, pushed, readings_in, saved_state

APPENDS = "produce"  # the operation that makes a partition grow


@dataclass(frozen=True)
class Push:
    """One record of the output log with its provenance: the incarnation that pushed it, the item, and the
    readings.
    """

    value: Value
    life: int
    step: int
    item: int | None
    inputs: Inputs


def wrote(entry: Entry) -> bool:
    """Tell whether an entry of a journal changed its part: None is a value too, but a refused cas notes None."""
    operation = entry.operation
    return operation.wrote(entry.value) and operation.kind not in ("inbox", "lock", "prepared")


def named(store: str, entries: Iterable[Entry]) -> list[Entry]:
    """Return a store's entries with their parts named as in a trace."""
    if store in (ENGINE, DATABASE):  # these have such names already, and there are many
        return list(entries)
    return [replace(entry, part=shown(store, entry.part)) for entry in entries]


def pushes_of(writes: Sequence[Entry], output: str | Partition = OUTPUT) -> list[Push]:
    """Return the records of the output with their provenance, in order, given the journals' writes."""
    found = [(entry, [entry.value]) for entry in pushed(writes)]
    if isinstance(output, Partition):
        part = shown(LOG, output.name)
        found = [
            (entry, entry.value.get("values", ())) for entry in writes if (entry.part, entry.verb) == (part, APPENDS)
        ]
    return [
        Push(value, entry.life, entry.step, entry.item, entry.inputs) for entry, values in found for value in values
    ]


def assemble(events: Iterable[Event], entries: Iterable[Entry]) -> Trace:
    """Return the trace of a run from the events of the incarnations and the entries of the stores' journals.

    Each operation that took place adds two events on the line of its part: the arrival of the request and the sending
    of the reply. A request without an arrival was cut off by a kill, or lost.
    """
    events = list(events)
    seen = set()
    for entry in entries:
        name = f"{entry.life}.{entry.step}"
        whose = entry.life, entry.step, entry.item
        effect, wall = entry.operation.effect(entry.value), entry.wall
        if entry.place:  # another part of the same transaction: the first part answers for all parts
            events.append(Event(entry.part, "local", entry.received, entry.verb, effect, *whose, wall=wall))
            continue
        again = "again" if name in seen else ""
        seen.add(name)
        asked, answered = f"{name}>{again}", f"{name}<{again}"
        events.append(Event(entry.part, "receive", entry.received, entry.verb, effect, *whose, asked, wall=wall))
        events.append(Event(entry.part, "send", entry.sent, "reply", "reply", *whose, answered, wall=wall))
    return Trace(events)


@dataclass
class Run:
    """One run in one world. `error` holds the handler's own traceback if it raised; `seconds` is the run's duration.

    For a transactional program `writes` are the writes of committed transactions, and `uncommitted` holds the (life,
    item) pairs of all others; it is None for a program that is not transactional. For a `lock_free` program `writes`
    carry the names of output, state and positions. If the run ended because no process could continue, `waits` names
    each waiting process and the row or lock it waits for. `state_seen` is False where the state could not be read as
    readings; then it is not judged.
    """

    job: Source
    plan: FaultPlan
    world: str
    outcome: Outcome
    pushes: list[Push]
    state_count: dict[tuple[int, str], int]
    writes: list[Entry]
    trace: Trace
    fired: list[str]
    seconds: float = 0.0
    error: str | None = None
    uncommitted: frozenset[tuple[int, int | None]] | None = None
    waits: str | None = None
    lock_free: bool = False
    state_seen: bool = True

    @classmethod
    def of(
        cls, world: str, programs: Sequence[Program], plan: FaultPlan, stores: Stores, recorder: Recorder, **more: Any
    ) -> Self:
        """Read a run of these programs out of its stores, by name, and its recorder."""
        first = programs[0]
        entries = [entry for name, store in stores.items() for entry in named(name, store.journal())]
        state, outcome = saved_state(stores, first), Outcome.of(stores, programs)
        run = cls.put_together(world, first.source, plan, outcome, state, entries, recorder, first.output, **more)
        if first.machine:
            writes = machine_writes(run.writes, first)
            return replace(run, writes=writes, pushes=pushes_of(writes), lock_free=True)
        if first.checkpoint:
            writes = checkpoint_writes(run.writes, first)
            return replace(run, writes=writes, pushes=pushes_of(writes))
        return run.as_committed(stores, first) if first.protocol else run

    def as_committed(self, stores: Stores, program: Program) -> Self:
        """Return the run of a transactional program with the writes of committed transactions alone."""
        writes, uncommitted = committed_writes(self.writes, stores, program)
        return replace(self, writes=writes, pushes=pushes_of(writes), uncommitted=uncommitted)

    @classmethod
    def put_together(
        cls,
        world: str,
        job: Source,
        plan: FaultPlan,
        outcome: Outcome,
        state: Value,
        entries: Iterable[Entry],
        recorder: Recorder,
        output: str | Partition = OUTPUT,
        **more: Any,
    ) -> Self:
        """Make a run from an outcome, the state behind it, the journals' entries, a recorder and the name of the
        output.
        """
        entries = sorted(entries, key=lambda entry: (entry.received, entry.part))
        writes = [entry for entry in entries if wrote(entry)]
        return cls(
            job=job,
            plan=plan,
            world=world,
            outcome=outcome,
            pushes=pushes_of(writes, output),
            state_count=dict(readings_in(state)),
            writes=writes,
            trace=assemble(recorder.events(), entries),
            fired=recorder.fired_keys(),
            **more,
        )

    @property
    def blocked(self) -> str | None:
        """The processes and rows that wait for ever, since a node is gone for good, in words; None if there is
        none.
        """
        missed = [fault for fault, _ in self.plan.unreached(self.fired)]
        stopped = any(fault.kind == "crash-stop" and fault not in missed for fault in self.plan.faults)
        said = [] if self.waits is None else [self.waits]
        for store, identifier in self.outcome.in_doubt:
            said.append(f"the transaction {identifier!r} is prepared in the {store} and holds its rows")
        return f"{', and '.join(said)}; who could end this is gone for good" if stopped and said else None

    @property
    def reached(self) -> bool:
        """True when every fault of the plan has struck."""
        return not self.plan.unreached(self.fired)


@dataclass(frozen=True)
class Ideal:
    """One right outcome, with the pushes and writes that led to it.

    `silent` is True when its run writes nothing to the output, nor to a store of its own; `warning` says why a
    verdict against it is worth little.
    """

    outcome: Outcome
    pushes: tuple[Push, ...]
    state_count: dict[tuple[int, str], int]
    writes: tuple[Entry, ...]
    silent: bool = False
    warning: str = ""

    def without_state(self, found: str) -> Self:
        """Return it without the writes of the state, and with the state that was found: so nothing is said of it."""
        writes = tuple(entry for entry in self.writes if entry.part != "state")
        return replace(self, outcome=replace(self.outcome, state=found), state_count={}, writes=writes)

    def parts_of(self, item: int | None) -> list[str]:
        """Return the parts that this run wrote for an item, in the order of the writes."""
        return [entry.part for entry in self.writes if entry.item == item]
