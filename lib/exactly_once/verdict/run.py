"""The record of a finished run: its stores' contents, their journals, its trace; an `Ideal` is one of a right run."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from ..faults import FaultPlan
from ..log.transactions.coordinator_machine import OFFSETS_PART, visible_commits
from ..node.node import CHANGELOG
from ..node.program import Partition, Program
from ..node.source import LOG, Source, values_of
from ..node.world import DATABASE, ENGINE, OFFSETS, QUEUES, Stores, shown
from ..stores.codec import Value
from ..stores.interface import Entry, Inputs
from ..trace import Event, Recorder, Trace
from .outcome import LOGS, OUTPUT, Outcome, committed_in, partition_of, pushed, readings_in, saved_state

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
    each waiting process and the row or lock it waits for.
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

    def parts_of(self, item: int | None) -> list[str]:
        """Return the parts that this run wrote for an item, in the order of the writes."""
        return [entry.part for entry in self.writes if entry.item == item]


SENT = ("produce", "commit_offsets")


def committed_writes(
    writes: Iterable[Entry], stores: Stores, program: Program
) -> tuple[list[Entry], frozenset[tuple[int, int | None]]]:
    """Return the writes of a run with committed transactions only, and the (life, item) pairs of uncommitted sends.

    The writes of committed transactions replace all requests to the log. A record of the output becomes an append to
    "output"; a record of the changelog a write to "state"; offsets a write to "positions". Markers and the
    coordinator's notes are left out.
    """
    assert program.protocol, "only a transactional program's writes are committed or not"
    if program.protocol == "abstract":
        return [found for entry in writes for found in _parts(entry)], frozenset()
    output = partition_of(program).name
    kept = {
        shown(LOG, output): (OUTPUT, "append", _visible(stores, output)),
        shown(LOG, CHANGELOG): ("state", "write", _visible(stores, CHANGELOG)),
    }
    found, unseen = [], set()
    for entry in writes:
        standing = list(_standing(entry, kept, stores))
        found += standing
        if not standing and entry.verb in SENT and "error" not in entry.value and not entry.value.get("duplicate"):
            unseen.add((entry.life, entry.item))
    return found, frozenset(unseen)


def machine_writes(writes: Iterable[Entry], program: Program) -> list[Entry]:
    """Return a run's writes; the writes of a lock-free handler's machine are renamed to output, state and positions.

    A value in a cell of its output becomes an append to "output", in the order of the cells. A value in a cell of
    another queue gets the name of that queue. The first transition of a step becomes a write to "state" and one to
    "positions". Other transitions, and hints, are left out.
    """
    assert program.machine, "only a lock-free program has a machine"
    assert isinstance(program.output, str), "its output is a queue"
    found: list[Entry] = []
    cells: dict[int, Entry] = {}
    positions = None
    for entry in writes:
        if entry.part == shown(*program.machine):
            if entry.value is not None and entry.value[2] != positions:  # a refused transaction notes None
                positions = entry.value[2]
                found.append(replace(entry, part="state", verb="write", value=entry.value[1]))
                found.append(replace(entry, part="positions", verb="write", value=positions))
        elif entry.part.startswith(f"{QUEUES}."):
            queue, _, index = entry.part.removeprefix(f"{QUEUES}.").rpartition(".")
            if queue == program.output and index.isdecimal():
                cells[int(index)] = entry
            elif index.isdecimal():
                found.append(replace(entry, part=queue))
        else:
            found.append(entry)
    outputs = [cells[index] for index in sorted(cells)]
    found += [
        replace(entry, part=OUTPUT, verb="append", value=one) for entry in outputs for one in values_of(entry.value)
    ]
    return found


def checkpoint_writes(writes: Iterable[Entry], program: Program) -> list[Entry]:
    """Return a run's writes; those of a micro-batch engine to its checkpoint are renamed to state and positions.

    A version of the state becomes a write to "state", and `commits/N` a write of the end of batch N to "positions";
    `offsets/N`, which is only a plan, is left out. The readings behind a row of the output are those of the window.
    """
    assert program.checkpoint, "only a micro-batch engine has a checkpoint"
    offsets, commits, state = (shown(program.checkpoint, log) for log in LOGS)
    found: list[Entry] = []
    ends: dict[int, Value] = {}
    window: Value = None
    for entry in writes:
        if entry.verb == "transact" and not entry.value:
            continue  # it was refused
        if entry.part == offsets:
            ends[len(ends)] = entry.value[1]
        elif entry.part == commits:
            found.append(replace(entry, part="positions", verb="write", value=ends[entry.value]))
        elif entry.part == state:
            window = entry.value[1]
            found.append(replace(entry, part="state", verb="write", value=window))
        elif entry.part == OUTPUT:
            found.append(replace(entry, inputs=program.source.inputs_of(window, entry.inputs)))
        else:
            found.append(entry)
    return found


def _visible(stores: Stores, partition: str) -> set[int]:
    return {offset for offset, *_ in committed_in(stores, partition)}


def _parts(entry: Entry) -> Iterator[Entry]:
    """Yield the output, state and positions of a commit of the abstract store; yield any other entry unchanged."""
    if entry.verb == "commit_whole" and entry.value is not None:
        yield replace(entry, part=OUTPUT, verb="append", value=entry.value[OUTPUT])
        yield replace(entry, part="state", verb="write", value=entry.value[CHANGELOG])
        yield replace(entry, part="positions", verb="write", value=entry.value["positions"])
    elif entry.verb not in ("commit_whole", "let_in"):
        yield entry


def _standing(entry: Entry, kept: dict, stores: Stores) -> Iterator[Entry]:
    if entry.verb == "produce" and entry.part in kept:
        part, verb, visible = kept[entry.part]
        for place, value in enumerate(entry.value.get("values", ())):
            if entry.value["offset"] + place in visible:
                yield replace(entry, part=part, verb=verb, value=value)
    elif entry.part == shown(OFFSETS, OFFSETS_PART):
        if entry.verb == "commit_offsets" and entry.value.get("offset") in visible_commits(stores[OFFSETS]):
            yield replace(entry, part="positions", verb="write", value=entry.value["offsets"])
    elif not entry.part.startswith("coordinator.") and entry.verb not in ("marker", "produce"):
        yield entry
