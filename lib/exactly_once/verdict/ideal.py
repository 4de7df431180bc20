"""The right outcomes: all outcomes of crash-free runs of a single node over the same inputs.

They are computed by running the handler itself, each time a fresh copy on fresh stores, once for each sequence of
choices of the world.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ..errors import CourseError
from ..faults import Fault, FaultPlan
from ..node import Source, World
from ..node.life import Life, TooManySteps
from ..node.node import Handler
from ..node.parts import awaited
from ..node.pickling import pickle_handler, unpickle_handler
from ..node.program import Deployment, Program, deployment_of, live, program_of, size_of
from ..node.world import Chosen, Stores
from ..pipeline import Job
from ..stores import Blocked, MemoryStore, Origin, Reply, Store
from ..stores.codec import Value
from ..stores.interface import Entry
from ..trace import Event, MemoryRecorder
from .outcome import Outcome
from .run import Push, Run

STEPS_PER_ITEM = 500
RUN_LIMIT = 1_000


def step_limit(programs: Iterable[Program]) -> int:
    """Return the number of steps in one incarnation after which a handler counts as one that never ends."""
    return STEPS_PER_ITEM * max(2, size_of(programs))


def endless(limit: int) -> str:
    """Return the sentence for a handler that took `limit` steps."""
    return (
        f"The handler took {limit:,} steps and its inputs had not ended. Does its loop ask node.running(), "
        "and does it go on from the positions that node.read returned?"
    )


def waits_alone(awaited: object) -> str:
    """Return the sentence for a handler that needs another node, where runs of one node define the right outcomes."""
    return (
        f"Alone, the handler waits for ever for {awaited}. What is right for several nodes that need each other is "
        "for you to say, with `invariant` or `reference`."
    )


class IdealFailed(CourseError):
    """The handler cannot be judged, since it does not get through its inputs even when nothing goes wrong."""


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

    def without_state(self, found: str) -> Ideal:
        """Return it without the writes of the state, and with the state that was found: so nothing is said of it."""
        writes = tuple(entry for entry in self.writes if entry.part != "state")
        return replace(self, outcome=replace(self.outcome, state=found), state_count={}, writes=writes)

    def parts_of(self, item: int | None) -> list[str]:
        """Return the parts that this run wrote for an item, in the order of the writes."""
        return [entry.part for entry in self.writes if entry.item == item]


class IdealWorld(World):
    """A world without faults. Its choices follow a script; after the end of the script each choice is the first
    option.
    """

    def __init__(self, program: Program, script: Iterable[int] = ()) -> None:
        super().__init__(Stores(MemoryStore), MemoryRecorder(), FaultPlan(), [program])
        program.load_inputs(self.stores)
        self.script = list(script)
        self.taken: list[tuple[int, int]] = []  # (number of the option, number of options) of each choice
        self.steps, self.step_limit = 0, step_limit([program])

    def turn(self, event: Event) -> None:
        """Count the steps, so that a handler that never ends is found."""
        self.steps += 1
        if self.steps > self.step_limit:
            raise TooManySteps

    def carry_out(self, store: Store, part: str, verb: str, arguments: tuple[Value, ...], origin: Origin) -> Reply:
        """Have a store do an operation. An operation that has to wait waits for ever: there is no other node."""
        try:
            return super().carry_out(store, part, verb, arguments, origin)
        except Blocked:
            raise TooManySteps(awaited(verb, part, *arguments)) from None

    def choose(self, options: Sequence[Chosen]) -> Chosen:
        """Return the next choice of the script."""
        number = len(self.taken)
        choice = self.script[number] if number < len(self.script) else 0
        self.taken.append((choice, len(options)))
        return options[choice]

    def die(self, fault: Fault, life: Life) -> None:
        """Never called: the plan is empty."""
        raise AssertionError(f"{fault} struck in a world without faults")


def ideal_outcomes(
    handler: Handler | Program | Deployment, job: Source | None = None, over: Callable[[], str | None] | None = None
) -> list[Ideal]:
    """Return the list of `Ideal`s of a handler for a job (None: the usual one), or of a `Program`; at least one.

    The ideals of a `Deployment` are those of its reference.

    Raises `IdealFailed` when the handler raises without any fault, does not end, or has too many possible runs, or
    when `over()`, which is called before each run, returns a reason to stop.
    """
    deployment = deployment_of(handler)
    single = deployment.reference if deployment else cast(Handler | Program, handler)
    program = single if isinstance(single, Program) else program_of(single, Job() if job is None else job)
    found: dict[Hashable, Ideal] = {}
    script: list[int] | None = []
    runs, pickled = 0, pickle_handler(program.handler)
    given = {*Outcome.of(IdealWorld(program, []).stores, [program]).others}  # such as inputs in queues
    while script is not None:
        if over and (why := over()):
            raise IdealFailed(f"The crash-free runs of this job are not all known: {why}.")
        world = IdealWorld(program, script)
        try:
            ending, text = live(world, unpickle_handler(pickled))
        except TooManySteps as why:
            raise IdealFailed(waits_alone(why) if why.args else endless(world.step_limit)) from None
        if ending != "ended":
            raise IdealFailed(f"Without any fault this handler fails, so no run of it is right:\n{text}")
        run = Run.of("ideal", [program], world.plan, world.stores, world.recorder)
        key = (run.outcome, tuple((push.item, push.inputs) for push in run.pushes))
        elsewhere = not given.issuperset(run.outcome.others)  # it writes to a store of its own
        silent, warning = not (run.outcome.outputs or elsewhere), _warning(run, elsewhere)
        found.setdefault(
            key, Ideal(run.outcome, tuple(run.pushes), run.state_count, tuple(run.writes), silent, warning)
        )
        script = _next_script(world.taken)
        runs += 1
        if runs > RUN_LIMIT:
            raise IdealFailed(
                f"There are over {RUN_LIMIT:,} crash-free runs of this job, one for each way to make the world's "
                "choices, and each may be right; give it fewer items."
            )
    return list(found.values())


def _warning(run: Run, elsewhere: bool) -> str:
    """Return why a verdict on this handler is worth little, or "": a handler is judged by its own run without
    faults.
    """
    if not run.writes:
        return "even without any fault this handler writes nothing: it is exactly once of nothing"
    said = [] if run.pushes or elsewhere else ["writes nothing to the output"]
    if not {event.item for event in run.trace if event.verb in ("fetch", "any_filled")} >= run.job.hours():
        said.append("leaves some of its inputs unread")
    return f"even without any fault this handler {' and '.join(said)}" if said else ""


def _next_script(taken: list[tuple[int, int]]) -> list[int] | None:
    """Return the choices of the next run in order, or None after the last."""
    for number in range(len(taken) - 1, -1, -1):
        choice, options = taken[number]
        if choice + 1 < options:
            return [chosen for chosen, _ in taken[:number]] + [choice + 1]
    return None
