"""Shared code of this chapter's exercises: registers that are full when a run begins, and worlds for proofs."""

from collections.abc import Callable, Iterable
from typing import Any

from ...errors import CourseError, what_failed
from ...explore import prove
from ...node import Program
from ...node.access.handles import part_of
from ...node.world import ENGINE
from ...simulate import simulate
from ..ch08.bank import Accounts, accounts
from ..kinds.proved import World
from ..kinds.reply import Reply, wrong
from ..kinds.run_answer import called, proved

QUEUE = "queue"
SECONDS = 60.0
CALM = {"crashes": 0}
WAITS = ("blocked", "endless")  # kinds of counterexamples in which a node never finishes


def made(programs: list[Program]) -> Callable[[object], list[Program]]:
    """Return the function that a `World` takes for its programs, where they are made from the answer already."""
    return lambda answer: programs


def holding(cells: Iterable[tuple[str, Any]]) -> Accounts:
    """Return the source of registers that hold something when a run begins: (name, value) of each write, in order."""
    return accounts((ENGINE, part_of(name), value) for name, value in cells)


def alone(program: Program, endless: str = "Alone, your code has not finished.") -> Any:
    """Return the `Run` of a program alone. Raises `CourseError`, which says `endless`, where it
    has no end.
    """
    try:
        return simulate(program)
    except CourseError:
        raise CourseError(endless) from None


def steps_of(run: Any) -> list[str]:
    """Return the words of each read and compare-and-swap of a run, in order."""
    return [event.text for event in run.trace if event.kind == "send" and event.verb in ("read", "cas")]


def refuted(
    answer: Any, worlds_of: Callable[[Any], Iterable[World]], seconds: float = SECONDS
) -> tuple[Reply | None, int]:
    """Prove the worlds of an answer. Returns (the reply to the first that breaks it, or None; the number of states).

    All are searched in one trip to the child process, within `seconds`; the one that decides is proved once more, as
    any other handler is, for its token and by other hash seeds.
    """
    place, states = called(_first, answer, worlds_of, seconds=seconds)
    world = list(worlds_of(answer))[place]
    programs = world.programs(answer)
    proof = proved(programs, world.rule, None, lock_free=True, **{**CALM, **world.bounds})
    when = f"{world.when}: " if world.when else ""
    if (found := proof.counterexample or proof.liveness_violation) is not None:
        return wrong(f"{when}{_told(found)}", found, programs), states
    if not proof.exhausted:
        return wrong(f"{when}Not proved: {proof.stopped}. Write it with fewer steps."), states
    return None, states


def _first(answer: Any, worlds_of: Callable[[Any], Iterable[World]]) -> tuple[int, int]:
    """Return (the number of the first world that is not proved, else of the last; the states of all before)."""
    place = states = 0
    for place, world in enumerate(worlds_of(answer)):  # noqa: B007 - the last one is returned
        bounds = {**CALM, **world.bounds}
        proof = prove(world.programs(answer), invariant=world.rule, lock_free=True, seconds=SECONDS, **bounds)
        states += proof.states
        if not proof.ok or proof.liveness_violation is not None:
            break
    return place, states


def _told(found: Any) -> str:
    if found.kind == "raised":
        return f"Your code fails: {what_failed(found.run.error)}"
    if found.kind in WAITS:
        return f"A node has not finished while another node is stopped. {found.sentence}"
    said = str(found.sentence).removeprefix("After this schedule ")
    return f"{said[:1].upper()}{said[1:]}"
