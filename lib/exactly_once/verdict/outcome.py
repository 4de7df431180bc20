"""The observable outcome of a run: output, counter, window and positions, without versions, hints and stamps.

The output is the log that `node.output` appends to; or the cells of the lock-free queue of the same name, in the
order of their indices, up to the first empty one, which is how far any reader gets.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ..lockfree.queue import FIRST, HINT, cells_in, index_in
from ..log import machine
from ..log.machine import KIND as PARTITION
from ..log.transactions import abstract_machine
from ..log.transactions.machine import OFFSETS_KIND, OFFSETS_PART
from ..node.access.abstract import ABSTRACT
from ..node.access.engine import DECIDED
from ..node.access.registers import part_of, register_in
from ..node.access.transactions import CHANGELOG, GROUP
from ..node.program import Partition, Program
from ..node.sent import values_of
from ..node.source import LOG
from ..node.world import DATABASE, ENGINE, OFFSETS, QUEUES, Stores, shown
from ..pipeline import Window
from ..stores import Store, in_doubt
from ..stores.codec import Value, encode
from ..stores.interface import Entry

OUTPUT = "output"


@dataclass(frozen=True)
class Outcome:
    """What remains in the stores after a run. Two outcomes are equal when nobody could tell them apart.

    `outputs` are the pushed values in order; `counter` is the counter; `state` is the window as a multiset of
    readings (another state is itself); `positions` are the saved offsets; `others` is what is in any other part that
    holds more than a hint, as (part, text) pairs. All are text, so they compare exactly. `in_doubt` are the
    transactions that are prepared and not ended, as (store, id) pairs: rows that nobody can change.
    """

    outputs: tuple[str, ...]
    counter: int
    state: str
    positions: str
    others: tuple[tuple[str, str], ...] = ()
    in_doubt: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, stores: Stores, programs: Sequence[Program]) -> Self:
        """Return the outcome that stands in the stores, by name, after a run of these programs."""
        first = programs[0]
        return cls(
            tuple(encode(value) for value in values_pushed(stores, first)),
            stores[DATABASE].look("counter", "table"),
            multiset(saved_state(stores, first)),
            encode(saved_positions(stores, first)),
            tuple(sorted(_others(stores, programs))),
            tuple((name, one) for name in sorted(stores) for one in stores[name].look(in_doubt.PART, in_doubt.KIND)),
        )

    @classmethod
    def after(cls, writes: Sequence[Entry]) -> Self:
        """Return the outcome that a sequence of a journal's writes leaves, without a look into the stores."""
        return cls(
            tuple(encode(entry.value) for entry in pushed(writes)),
            last(writes, "counter") or 0,
            multiset(last(writes, "state")),
            encode(last(writes, "positions")),
        )


def values_pushed(stores: Stores, program: Program) -> list[Value]:
    """Return the values in a program's output, in order: its log or partition, then the queue of that name."""
    if program.protocol == "abstract":
        return [one[OUTPUT] for one in transactions_in(stores)]
    if program.protocol:
        return [value for _, _, value, _ in committed_in(stores, partition_of(program).name)]
    if program.machine and isinstance(program.output, str):
        return [value for held in _cells(stores[QUEUES], program.output) for value in values_of(held)]
    return [*_pushed_to(stores, program.output), *_queued(stores[ENGINE])]


def partition_of(program: Program) -> Partition:
    """Return the partition that a transactional program's output goes to."""
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
    return stores[ENGINE].look(program.part("state"), "cell")


def saved_positions(stores: Stores, program: Program) -> Value:
    """Return the positions that a program has saved: in the engine's store, or as its group's committed offsets."""
    if program.protocol == "abstract":
        return next((one["positions"] for one in reversed(transactions_in(stores))), None)
    if program.protocol:
        return stores[OFFSETS].look(OFFSETS_PART, OFFSETS_KIND).get(GROUP)
    if program.machine:
        return machine_in(stores, program.machine)[1]
    return stores[ENGINE].look(program.part("positions"), "cell")


def machine_in(stores: Stores, machine: tuple[str, str]) -> tuple[Value, Value]:
    """Return (state, positions) of a lock-free handler, given (store, part) of its machine; Nones at first."""
    store, part = machine
    stage = stores[store].look(part, "cell")
    return (None, None) if stage is None else (stage[1], stage[2])


def transactions_in(stores: Stores) -> list[dict[str, Value]]:
    """Return the transactions of the abstract store, in the order of their commits."""
    return stores[ABSTRACT].look(abstract_machine.PART, abstract_machine.KIND)


def committed_in(stores: Stores, partition: str) -> list[Value]:
    """Return what a read_committed reader sees of a partition: [offset, key, value, number]."""
    return machine.committed_in(stores[LOG].held(PARTITION).get(partition))


def _pushed_to(stores: Stores, output: str | Partition) -> list[Value]:
    """Return the values in an output: a log of the engine's, or a partition."""
    if isinstance(output, Partition):
        return [value for _, _, value, _ in stores[LOG].look(output.name, PARTITION)]
    return stores[ENGINE].look(output, "log")


def _others(stores: Stores, programs: Sequence[Program]) -> Iterator[tuple[str, str]]:
    """Yield (part, text) of what the other fields do not tell. Of nodes that all run the same, registers are no part.

    They hold a machine and hints, whose present values nobody sees who reads output, counter, state and positions.
    """
    first = programs[0]
    output = (LOG, first.output.name) if isinstance(first.output, Partition) else (ENGINE, first.output)
    covered = {output, (ENGINE, first.part("state")), (ENGINE, first.part("positions")), (DATABASE, "counter")}
    covered |= {(ENGINE, DECIDED), *(own for program in programs for own in program.own)}
    if first.protocol:
        covered.add((LOG, CHANGELOG))
    covered |= {program.machine for program in programs if program.machine and program.machine == first.machine}
    machines = {program.machine for program in programs if program.machine}
    alike = len({program.handler for program in programs}) == 1
    for name, store in stores.items():
        for kind in ("cell", "log", "table", PARTITION):
            for part in store.held(kind):
                register = register_in(part) if name == ENGINE else part if name == QUEUES else None
                hidden = register is not None and _hidden(name, register, alike, first, covered)
                if (name, part) in covered or hidden or (name == ENGINE and part.startswith("input.")):
                    continue
                seen = store.look(part, kind)
                if (name, part) in machines:
                    seen = seen[1:3]  # its state and its positions
                if kind == PARTITION:
                    seen = [[key, value] for _, key, value, _ in seen]
                    if not seen and part in (OUTPUT, CHANGELOG):  # made for a handler that is judged against this one
                        continue
                yield shown(name, part), multiset(seen)


def _hidden(store: str, register: str, alike: bool, first: Program, covered: Collection[tuple[Any, Any]]) -> bool:
    """Tell whether a register is seen elsewhere, as a cell of the output, or not at all, as a hint."""
    queue = register.rpartition(".")[0]
    if store == QUEUES:
        seen_elsewhere = (store, queue) in covered or (first.machine is not None and queue == first.output)
        return register.endswith((HINT, FIRST)) or (index_in(queue, register) is not None and seen_elsewhere)
    return alike or register.endswith(HINT) or index_in(OUTPUT, register) is not None


def _queued(engine: Store) -> list[Value]:
    """Return the values of the queue's cells; a register never holds None."""
    return _cells(engine, part_of(OUTPUT))


def _cells(store: Store, queue: str) -> list[Value]:
    """Return what the cells of a queue hold, up to the first empty one."""
    return cells_in(lambda register: store.look(register, "cell"), queue)


def output_index(part: str) -> int | None:
    """Return the index of a part that is a cell of the output queue, or None for any other part."""
    register = register_in(part)
    return None if register is None else index_in(OUTPUT, register)


def pushed(writes: Sequence[Entry]) -> list[Entry]:
    """Return those entries of a journal's writes that stand in the output, in the output's order."""
    cells = {output_index(entry.part): entry for entry in writes}  # the last write to a cell is what it holds
    queued, index = [], 0
    while index in cells:
        queued.append(cells[index])
        index += 1
    return [entry for entry in writes if entry.part == OUTPUT] + queued


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
