"""Worlds in which no node may wait for another, registers that are full when a run begins, and many small proofs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...exercises.kinds.explored import Explored
from ...exercises.kinds.kind import called
from ...exercises.kinds.proved import Proved, World, proved_in
from ...exercises.kinds.reply import Reply
from ...explore import prove
from ...lockfree.pushers import QUEUE
from ...lockfree.queue import cell
from ...node import Program
from ...node.access import part_of
from ...node.world import ENGINE
from ..ch08.checks import accounts

SECONDS = 120.0  # for all worlds of a task
Writes = Iterable[tuple[str, Any]]


@dataclass(frozen=True, kw_only=True)
class LockFree(Proved):
    """A task with many small worlds: all are proved in one trip to the child process.

    The one that decides is proved once more, as any other, for its token and by other hash seeds. With `methods` the
    answer is a class that has these, and the worlds are those that `of(answer)` returns, since their rules call it.
    """

    methods: Sequence[str] = ()
    of: Callable[[Any], Sequence[World]] | None = None

    def is_there(self, answer: Any) -> bool:
        """Tell whether there is an answer; a class as for `Explored`."""
        return (Explored.is_there if self.methods else Proved.is_there)(self, answer)  # type: ignore[arg-type]

    def proved(self, answer: Any) -> tuple[Reply | None, int]:
        """Prove all worlds up to the first that refuses the answer; return as `proved_in` does."""
        worlds = self.of(answer) if self.of else self.worlds
        cases = [(one.programs(answer), {"crashes": 0, "invariant": one.rule, **one.bounds}) for one in worlds]
        states = called(states_in, cases, seconds=SECONDS)
        refused, _ = proved_in(worlds[len(states) - 1 :][:1], answer)
        return refused, sum(states)


def states_in(cases: Sequence[tuple[list[Program], dict[str, Any]]]) -> list[int]:
    """Return the number of states of each proof up to the first that fails. For `called`."""
    states = []
    for programs, bounds in cases:
        proof = prove(programs, **bounds)
        states.append(proof.states)
        if not proof.ok:
            break
    return states


def on(*handlers: Callable, held: Writes = ()) -> list[Program]:
    """Return a program for each handler; `held` are (register, value) of writes before a run begins, in order."""
    source = accounts((ENGINE, part_of(name), value) for name, value in held)
    return [Program(one, source) for one in handlers]


def cells(values: Iterable[Any]) -> list[tuple[str, Any]]:
    """Return the writes of a queue that holds values."""
    return [(cell(QUEUE, index), value) for index, value in enumerate(values)]


def world(when: str, programs: Callable[[Any], list[Program]], rule: Callable, **faults: int) -> World:
    """Return a `World` in which a node that waits for another is a mistake, too."""
    return World(when, programs, rule, {"lock_free": True, "seconds": 60.0, **faults})


def steps_of(run: Any) -> list[str]:
    """Return the words of each read and compare-and-swap of a run, in order."""
    return [event.text for event in run.trace if event.kind == "send" and event.verb in ("read", "cas")]
