"""Renames the writes of a transactional or a lock-free program, or a micro-batch engine: output, state, positions."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..log.transactions.machine import OFFSETS_PART, visible_commits
from ..node.access.transactions import CHANGELOG
from ..node.program import Program
from ..node.sent import values_of
from ..node.source import LOG
from ..node.world import OFFSETS, QUEUES, Stores, shown
from ..stores.codec import Value
from ..stores.interface import Entry
from .outcome import LOGS, OUTPUT, committed_in, partition_of

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
