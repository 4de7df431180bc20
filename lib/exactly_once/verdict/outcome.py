"""The observable outcome of a run: the contents of the stores, without versions, hints and stamps.

The output is the log to which `node.output` appends; or the cells of the lock-free queue of the same name, in the
order of their indices, up to the first empty cell, where every reader stops.

Of cells and partitions the values are judged, and not the versions, ids and epochs; of inboxes the messages that
nobody received, those of each sender in their order. `Outcome.overlooked` names the contents that are no part of an
outcome, such as a lock or a transaction that is still open; verdicts and proofs print these names.
"""

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeVar

from ..lockfree.queue import FIRST, HINT, index_in
from ..log import partition_machine
from ..log.partition_machine import KIND as PARTITION
from ..log.transactions import abstract_machine
from ..log.transactions.coordinator_machine import COORDINATOR_PART, OFFSETS_KIND, OFFSETS_PART
from ..log.transactions.coordinator_machine import KIND as COORDINATOR_KIND
from ..log.transactions.rules import ONGOING, Transaction
from ..node.access import part_in_words, register_in
from ..node.node import ABSTRACT, CHANGELOG, DECIDED, GROUP, OUTPUT
from ..node.program import Partition, Program
from ..node.source import LOG, QueueSource, values_of
from ..node.world import COORDINATOR, DATABASE, ENGINE, OFFSETS, QUEUES, Stores, shown
from ..pipeline import Window
from ..stores import Store, Value, decode, encode, in_doubt
from ..stores.interface import Entry
from ..stores.isolation import KIND as ROWS
from ..stores.isolation import opened
from ..stores.operations import KINDS, QUEUE

Found = TypeVar("Found")
LOGS = ("offsets", "commits", "state")  # the cells of a micro-batch engine's checkpoint


@dataclass(frozen=True)
class Outcome:
    """The contents of the stores after a run. Two outcomes are equal when no observer could distinguish them.

    `outputs` are the pushed values in order; `counter` is the counter; `state` is the window as a multiset of
    readings (another state is itself); `positions` are the saved offsets; `others` are (part, text) pairs of all
    other parts that hold more than a hint. All are text, so they compare exactly. `in_doubt` are the transactions
    that are prepared and not ended, as (store, id) pairs: nobody can change the rows of these transactions.
    `registers` are the registers of nodes that all run the same handler, as (part, text) pairs: the handler chooses
    how these nodes agree, so runs of another handler say nothing of the registers (`but_registers`). `overlooked`
    names, in words, the contents of the stores that are no part of the outcome.
    """

    outputs: tuple[str, ...]
    counter: int
    state: str
    positions: str
    others: tuple[tuple[str, str], ...] = ()
    in_doubt: tuple[tuple[str, str], ...] = ()
    registers: tuple[tuple[str, str], ...] = ()
    overlooked: tuple[str, ...] = field(default=(), compare=False)
    cells: tuple[tuple[str, tuple[str, str]], ...] = field(default=(), compare=False)

    def but_registers(self, some: Collection[tuple[str, str]] | None = None) -> Self:
        """Return the outcome with `registers` moved to `overlooked`, to compare it with another handler's outcome.

        `some` are those that move, as (part, text): they name nodes, and every node leaves its own. None: all.
        """
        moved = [one for one in self.registers if some is None or one in some]
        names = [part_in_words(part) + ", which names a node" * (some is not None) for part, _ in moved]
        left = tuple(one for one in self.registers if one not in moved)
        return replace(self, registers=left, overlooked=tuple(sorted({*self.overlooked, *names}))) if names else self

    def effects(self) -> Self:
        """Return the outcome without `registers` and without the values of `cells`: they may be no effects."""
        cells = dict(self.cells)
        others = tuple((part, "" if part in cells else text) for part, text in self.others)
        return replace(self, registers=(), others=others)

    def look(self, store: str, part: str, kind: str) -> Value:
        """Return what another part of a store holds, as an observer sees it."""
        text = dict(self.others).get(shown(store, part))
        return KINDS[kind].seen(KINDS[kind].empty) if text is None else decode(text)

    @classmethod
    def of(cls, stores: Stores, programs: Sequence[Program]) -> Self:
        """Return the outcome in the stores, given by name, after a run of these programs."""
        first, found = programs[0], _Others(stores, programs)
        return cls(
            tuple(encode(value) for value in values_pushed(stores, first)),
            stores[DATABASE].look("counter", "table"),
            multiset(saved_state(stores, first)),
            encode(saved_positions(stores, first)),
            tuple(sorted(found.judged)),
            tuple(sorted(found.in_doubt)),
            tuple(sorted(found.registers)),
            tuple(sorted(found.overlooked)),
            tuple(sorted(found.cells.items())),
        )

    @classmethod
    def after(cls, writes: Sequence[Entry]) -> Self:
        """Return the outcome of a sequence of a journal's writes, without reading the stores."""
        return cls(
            tuple(encode(entry.value) for entry in pushed(writes)),
            last(writes, "counter") or 0,
            multiset(last(writes, "state")),
            encode(last(writes, "positions")),
        )


def without_bookkeeping(
    found: Outcome, right: Iterable[Outcome], ways: Collection[frozenset[tuple[str, str]]] | None
) -> tuple[Outcome, list[Outcome]]:
    """Return an outcome, and right ones to compare with it, without the registers that are held in one of the `ways`.

    They may be left out only as one of the ways has them all together. None: all registers are left out.
    """
    some = None
    if ways is not None:
        some = frozenset().union(*ways)
        some = some if some.intersection(found.registers) in ways else frozenset()
    found = found.but_registers(some)
    parts = {part for part, _ in some or ()} - {part for part, _ in found.registers}
    return found, [one.but_registers(some and [each for each in one.registers if each[0] in parts]) for one in right]


def values_pushed(stores: Stores, program: Program) -> list[Value]:
    """Return the values in a program's output, in order: its log or partition, then the queue of that name."""
    if program.protocol == "abstract":
        return [one[OUTPUT] for one in transactions_in(stores)]
    if program.protocol:
        return [value for _, _, value, _ in committed_in(stores, partition_of(program).name)]
    if program.machine and isinstance(program.output, str):
        cells = _cells(stores[QUEUES], functools.partial(index_in, program.output))
        return [value for held in cells for value in values_of(held)]
    if program.checkpoint:
        return stores[DATABASE].look(OUTPUT, "log")
    return [*_pushed_to(stores, program.output), *_cells(stores[ENGINE], output_index)]


def partition_of(program: Program) -> Partition:
    """Return the partition of a transactional program's output."""
    assert isinstance(program.output, Partition), "a transactional program's output is a partition"
    return program.output


def saved_state(stores: Stores, program: Program) -> Value:
    """Return the state that a program has saved: in the engine's store, or, if it is transactional, in its
    changelog.
    """
    if program.protocol == "abstract":
        return next((one[CHANGELOG] for one in reversed(transactions_in(stores))), None)
    if program.protocol:
        return next((value for _, _, value, _ in reversed(committed_in(stores, CHANGELOG))), None)
    if program.machine:
        return machine_in(stores, program.machine)[0]
    if program.checkpoint:
        return (stores[program.checkpoint].look("state", "cell") or [None])[-1]
    return stores[ENGINE].look(program.part("state"), "cell")


def saved_positions(stores: Stores, program: Program) -> Value:
    """Return the positions that a program has saved: in the engine's store, or as its group's committed offsets."""
    if program.protocol == "abstract":
        return next((one["positions"] for one in reversed(transactions_in(stores))), None)
    if program.protocol:
        return stores[OFFSETS].look(OFFSETS_PART, OFFSETS_KIND).get(GROUP)
    if program.machine:
        return machine_in(stores, program.machine)[1]
    if program.checkpoint:
        return committed_end(stores[program.checkpoint])
    return stores[ENGINE].look(program.part("positions"), "cell")


def machine_in(stores: Stores, machine: tuple[str, str]) -> tuple[Value, Value]:
    """Return (state, positions) of a lock-free handler, given (store, part) of its machine; Nones at first."""
    store, part = machine
    stage = stores[store].look(part, "cell")
    return (None, None) if stage is None else (stage[1], stage[2])


def committed_end(checkpoint: Store) -> Value:
    """Return where the newest committed batch of a micro-batch engine ends; None when none is committed."""
    (logged, offsets), (committed, _) = (checkpoint.held("cell").get(log, (0, "null")) for log in LOGS[:2])
    return decode(offsets)[1 if committed == logged else 0] if committed else None


def transactions_in(stores: Stores) -> list[dict[str, Value]]:
    """Return the transactions of the abstract store, in the order of their commits."""
    return stores[ABSTRACT].look(abstract_machine.PART, abstract_machine.KIND)


def committed_in(stores: Stores, partition: str) -> list[Value]:
    """Return the records of a partition that a read_committed reader sees: [offset, key, value, number]."""
    return partition_machine.committed_in(stores[LOG].held(PARTITION).get(partition))


def _pushed_to(stores: Stores, output: str | Partition) -> list[Value]:
    """Return the values in an output: a log of the engine's, or a partition."""
    if isinstance(output, Partition):
        return [value for _, _, value, _ in stores[LOG].look(output.name, PARTITION)]
    return stores[ENGINE].look(output, "log")


class _Others:
    """The contents that no other field of an outcome covers: `judged` and `registers` as (part, text), transactions
    `in_doubt` as (store, id), and `overlooked`.
    """

    def __init__(self, stores: Stores, programs: Sequence[Program]) -> None:
        self.stores, self.programs, self.first = stores, programs, programs[0]
        self.alike = len({program.handler for program in programs}) == 1
        self.own = {own for program in programs for own in program.own}
        self.machines = {program.machine for program in programs if program.machine}
        self.judged: list[tuple[str, str]] = []
        self.registers: list[tuple[str, str]] = []
        self.in_doubt: list[tuple[str, str]] = []
        self.overlooked: set[str] = set()
        self.cells: dict[str, tuple[str, str]] = {}
        self._told = self._told_elsewhere()
        for name, store in stores.items():
            for kind in ("cell", "log", "table", PARTITION, ROWS, "inbox", QUEUE, OFFSETS_KIND):
                for part, content in store.held(kind).items():
                    self._look(name, kind, part, content)
            for part in store.held(in_doubt.KIND):
                self.in_doubt += [(name, identifier) for identifier in store.look(part, in_doubt.KIND)]
            for part in store.held("lock"):
                self.overlooked.add(f"{part_in_words(part)}, which an incarnation holds in its sleep")
        if self.first.protocol == "abstract":
            self._look_at_other_partitions()
        elif self.first.protocol:
            self._look_for_open_transactions()

    def _told_elsewhere(self) -> set[tuple[str, str, str]]:
        """Return (store, kind, part) of the parts that the other fields cover."""
        first = self.first
        output = (LOG, PARTITION, first.output.name) if isinstance(first.output, Partition) else None
        told = {
            output or (ENGINE, "log", str(first.output)),
            (DATABASE, "table", "counter"),
            (ENGINE, "cell", DECIDED),
        }
        told |= {(ENGINE, "cell", first.part(name)) for name in ("state", "positions")}
        told |= {(ENGINE, QUEUE, one.source.queue) for one in self.programs if isinstance(one.source, QueueSource)}
        if first.protocol:
            told.add((LOG, PARTITION, CHANGELOG))
        if first.checkpoint:
            told |= {(DATABASE, "log", OUTPUT), *((first.checkpoint, "cell", log) for log in LOGS)}
        machines = [program.machine for program in self.programs if program.machine]
        return told | {(store, "cell", part) for store, part in machines if (store, part) == first.machine}

    def _look(self, name: str, kind: str, part: str, content: Any) -> None:
        """Put the contents of one part of a store among the judged, the registers or the overlooked."""
        if kind == "log" and name == ENGINE and part.startswith("input."):
            return
        if kind == ROWS and opened(content).open:
            self.overlooked.add("a transaction on rows that an incarnation has left open in its sleep")
        if (name, part) in self.own:
            self._overlook_own(name, part)
            return
        register = register_in(part) if name == ENGINE else part if name == QUEUES else None
        if kind == "cell" and register is not None and self._is_seen_elsewhere(name, register):
            return
        coordinates = kind == "cell" and name == ENGINE and register is not None and self.alike
        into = self.registers if coordinates else self.judged
        for label, seen in self._seen(name, kind, part, content):
            into.append((label, multiset(seen)))
            if kind in ("cell", "table", ROWS) and (name not in (ENGINE, QUEUES) or register_in(part)):
                row = label.removeprefix(f"{name} ").removeprefix("row ")
                self.cells[label] = name, row if kind == ROWS else part

    def _seen(self, name: str, kind: str, part: str, content: Any) -> Iterator[tuple[str, Value]]:
        """Yield (label, observed value) pairs of a part, without the values that other fields cover."""
        label, is_told = shown(name, part), (name, kind, part) in self._told
        if kind == PARTITION:
            yield from self._seen_of_partition(label, content, is_told)
        elif kind == OFFSETS_KIND:
            groups = self.stores[name].look(part, kind)
            yield from ((f"the offsets of group {one}", at) for one, at in groups.items() if one != GROUP)
        elif kind == ROWS:
            where = "" if name == DATABASE else f"{name} "
            rows = self.stores[name].look(part, kind)
            for row, held in rows.items():
                if (name, row) in self.own:
                    self._overlook_own(name, row)
                else:
                    yield f"{where}row {row}", held
        elif is_told:
            return
        elif (name, part) in self.machines and kind == "cell":
            yield label, self.stores[name].look(part, kind)[1:3]  # its state and its positions
        elif kind == "inbox":
            left = self.stores[name].look(part, kind)
            yield label, sorted(left, key=lambda message: message[0])  # messages of several senders have no order
        else:
            yield label, self.stores[name].look(part, kind)

    def _seen_of_partition(self, label: str, content: Any, is_told: bool) -> Iterator[tuple[str, Value]]:
        """Yield the observed values of a partition: its records, unless other fields cover them, and its groups'
        offsets.
        """
        committed = self.first.protocol in (1, 2)
        records = partition_machine.committed_in(content) if committed else partition_machine.seen_in(content)
        if not is_told:
            # an empty partition was made for a handler that is judged against this one
            if records or label not in (shown(LOG, OUTPUT), shown(LOG, CHANGELOG)):
                yield label, [[key, value] for _, key, value, _ in records]
        elif any(key is not None for _, key, *_ in records) and not label.endswith(CHANGELOG):
            yield f"{label}, the keys", [key for _, key, *_ in records]
        for group, offset in partition_machine.offsets_in(content).items():
            yield f"{label}, the offset of group {group}", offset

    def _is_seen_elsewhere(self, store: str, register: str) -> bool:
        """Tell whether a register is a hint, on which nobody relies, or a cell of the output, which is judged
        there.
        """
        if register.endswith((HINT, FIRST)):
            return True
        if store == ENGINE:
            return index_in(OUTPUT, register) is not None
        queue = register.rpartition(".")[0]
        if index_in(queue, register) is None:
            return False
        if (store, queue) in self.own:
            # else the queue's reader covers it
            if all(queue not in getattr(one.source, "queues", ()) for one in self.programs):
                self._overlook_own(store, queue)
            return True
        return self.first.machine is not None and queue == self.first.output

    def _overlook_own(self, store: str, part: str) -> None:
        """Name as overlooked a part that a program declared as its own, such as an epoch or an index."""
        where = DATABASE if store == DATABASE else f"store {store}"
        named = part_in_words(part) if register_in(part) else f"{part} in the {where}"
        self.overlooked.add(f"{named}, which the handler keeps for itself")

    def _look_at_other_partitions(self) -> None:
        """Judge the writes of the abstract store's transactions to partitions other than output, changelog and
        positions.
        """
        others: dict[str, list[Value]] = {}
        for one in transactions_in(self.stores):
            for partition in one.keys() - {OUTPUT, CHANGELOG, "positions"}:
                others.setdefault(partition, []).append(one[partition])
        self.judged += [(shown(LOG, partition), encode(values)) for partition, values in others.items()]

    def _look_for_open_transactions(self) -> None:
        """Name the log's open transactions as overlooked; they would be aborted at their timeout."""
        found = self.stores[COORDINATOR].look(COORDINATOR_PART, COORDINATOR_KIND) or {}
        for identifier, fields in found.items():
            if fields[Transaction._fields.index("state")] == ONGOING:
                self.overlooked.add(f"the transaction of {identifier}, which is still open")


def _cells(store: Store, index_of: Callable[[str], int | None]) -> list[Value]:
    """Return the contents of a queue's cells; `index_of` tells the index of a part, None where it is no cell."""
    parts = {index_of(part): part for part in store.held("cell")}
    return [store.look(part, "cell") for part in _in_a_row(parts)]


def _in_a_row(cells: Mapping[int | None, Found]) -> list[Found]:
    """Return what stands in the cells 0, 1, 2, … of a queue, up to the first empty one, where every reader stops."""
    return [cells[index] for index in itertools.takewhile(cells.__contains__, itertools.count())]


def output_index(part: str) -> int | None:
    """Return the index of a part that is a cell of the output queue, or None for any other part."""
    register = register_in(part)
    return None if register is None else index_in(OUTPUT, register)


def pushed(writes: Sequence[Entry]) -> list[Entry]:
    """Return those entries of a journal's writes that stand in the output, in the output's order."""
    cells = {output_index(entry.part): entry for entry in writes}  # the last write to a cell determines its value
    return [entry for entry in writes if entry.part == OUTPUT] + _in_a_row(cells)


def last(writes: Sequence[Entry], part: str) -> Value:
    """Return the value that was written last to a part, or None."""
    return next((entry.value for entry in reversed(writes) if entry.part == part), None)


def multiset(state: Value) -> str:
    """Return a state as text in which the order of a window's readings does not count."""
    if isinstance(state, Window):
        return encode(sorted([list(reading) for reading in state.readings]))
    return encode(state)


def readings_in(state: Value) -> Counter[tuple[int, str]]:
    """Return how often each (hour, stream) is in a state that is a window; an empty count for any other state."""
    readings = state.readings if isinstance(state, Window) else ()
    return Counter((reading.hour, reading.stream) for reading in readings)
