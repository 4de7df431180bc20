"""Judges a run: could a crash-free run of a single node have had this outcome, and if not, how does it differ?

`ideal_outcomes` are the right outcomes: those of all crash-free runs of one node over the same inputs. They are
computed by running the handler itself, each time a fresh copy on fresh stores, once for each sequence of choices of
the world.

A `Beginning` judges a run that is still going on: each store alone, as the beginning of a right run's contents of
that store.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from ..errors import BadInput, CourseError
from ..faults import Fault, FaultPlan
from ..lockfree.queue import FIRST, HINT
from ..node import Source, World
from ..node.access import awaited, named_part, part_in_words
from ..node.node import DECIDED, Handler
from ..node.program import (
    Deployment,
    Program,
    deployment_of,
    live,
    pickle_handler,
    program_of,
    size_of,
    unpickle_handler,
)
from ..node.world import Chosen, Life, Stores, TooManySteps
from ..pipeline import Job
from ..stores import Blocked, MemoryStore, Origin, Reply, Store, Value, in_doubt
from ..trace import Event, Recorder
from .damage import Damage, damage, output_damage
from .outcome import OUTPUT, Outcome, last, output_index, readings_in, without_bookkeeping
from .run import Ideal, Push, Run, pushes_of
from .verdict_sentences import sentence

STEPS_PER_ITEM = 500
RUN_LIMIT = 1_000


@dataclass(frozen=True)
class Verdict:
    """The judgement of a run. `consistent` is the definition of exactly-once: the outcome is among the right ones.

    `silent` is True when the right outcomes have nothing in the output, nor in a store of the handler's own, so that
    nothing could be doubled or lost there. `unfinished` is True for a run that goes on: it is right so far, and its
    newest pass may be half done. `nearest` are the records of the right run with which this run was compared; None
    when the handler failed.
    `right_outcomes` is the number of right outcomes: several where the world has a choice.
    """

    run: Run
    damage: Damage
    consistent: bool
    reached: bool
    sentence: str
    silent: bool = False
    unfinished: bool = False
    nearest: tuple[Push, ...] | None = None
    right_outcomes: int = 1

    @property
    def blocked(self) -> bool:
        """True when a process waits for ever, or a row is locked for ever, since a node is gone for good."""
        return self.run.blocked is not None

    @property
    def exactly_once(self) -> bool:
        """True when the outcome is right and the handler itself did not fail."""
        return self.consistent and self.run.error is None

    def json(self) -> dict[str, Any]:
        """Return the verdict as plain data."""
        run = self.run
        damage = "duplicated missing wrong disordered counter expected_counter doubled_inputs lacking_inputs others"
        mine = "reached consistent blocked silent right_outcomes sentence"
        found = {
            **{name: getattr(self.damage, name) for name in damage.split()},
            **{name: getattr(self, name) for name in mine.split()},
            "world": run.world,
            "plan": run.plan.token,
            "overlooked": run.outcome.overlooked,
            "lives": len(run.trace.lives()),
            "seconds": round(run.seconds, 3),
            "error": run.error,
        }
        return json.loads(json.dumps(found))  # lists in place of tuples


def judge(
    run: Run,
    handler: Handler | Program | Deployment,
    ideals: Sequence[Ideal] | None = None,
    *,
    reference: Handler | Program | None = None,
) -> Verdict:
    """Return the `Verdict` of a run of `handler`: an outcome is right if a crash-free run of one node could leave it.

    These runs are runs of `reference`, the handler that this one should equal, if it is given; else of `handler`
    itself. A handler that does nothing is its own ideal, so a learner's handler is judged against a reference; a
    `Deployment` has a reference. `ideals`, a result of `ideal_outcomes`, saves computing the ideals again.

    A run in which the handler itself failed is not consistent. Raises `IdealFailed` when the handler finished this
    run, but does not finish its inputs without any fault, or has too many crash-free runs.
    """
    if run.error:
        return Verdict(run, Damage(), consistent=False, reached=run.reached, sentence=sentence(run, Damage(), None))
    another = reference is not None or deployment_of(handler) is not None  # it may agree in another way
    several = not another and len({start.detail.get("node") for start in run.trace.lives()}) > 1
    ideals = ideals or ideal_outcomes(handler if reference is None else reference, run.job, several=several)
    if another:
        run, ideals = but_bookkeeping(run, ideals, None)
    ways = len({ideal.outcome for ideal in ideals})
    compared = [(ideal, damage(run, ideal)) for ideal in ideals]
    nearest, found = min(compared, key=lambda pair: (pair[1].weight, pair[1].oddities, _unlike(run, pair[0])))
    return Verdict(
        run=run,
        damage=found,
        consistent=any(run.outcome == ideal.outcome for ideal in ideals),
        reached=run.reached,
        sentence=sentence(run, found, nearest, right=ways),
        silent=nearest.silent and not found.any,
        nearest=nearest.pushes,
        right_outcomes=ways,
    )


def but_bookkeeping(
    run: Run, ideals: Sequence[Ideal], ways: Collection[frozenset[tuple[str, str]]] | None
) -> tuple[Run, list[Ideal]]:
    """Return a run and ideals, to judge it by, without some of its registers; see `without_bookkeeping`."""
    found, right = without_bookkeeping(run.outcome, [ideal.outcome for ideal in ideals], ways)
    return replace(run, outcome=found), [replace(one, outcome=of) for one, of in zip(ideals, right, strict=True)]


def _unlike(run: Run, ideal: Ideal) -> int:
    """Return the number of records of a run whose readings differ from those of all records of the ideal. Of ideals
    with equal damage, `judge` compares the run with one that read the streams in the run's own order.
    """
    found, right = (Counter(push.inputs for push in pushes) for pushes in (run.pushes, ideal.pushes))
    return sum((found - right).values())


def step_limit(programs: Iterable[Program]) -> int:
    """Return the number of steps in one incarnation after which a handler counts as one that never ends."""
    return STEPS_PER_ITEM * max(2, size_of(programs))


def endless(limit: int, reads: bool = True) -> str:
    """Return the sentence for a handler that took `limit` steps; `reads` says whether it has inputs."""
    if not reads:
        return (
            f"Your code took {limit:,} steps and has not finished. Which of its loops goes on, and what would end it?"
        )
    return (
        f"The handler took {limit:,} steps and its inputs had not ended. Does its loop ask node.running(), "
        "and does it go on from the positions that node.read returned?"
    )


YOURS = "What is right for several nodes that need each other is for you to say, with `invariant` or `reference`."
ALONE = f" Here it ran alone: right is what one node leaves that has every input. {YOURS}"


def waits_alone(awaited: object) -> str:
    """Return the sentence for a handler that needs another node, where runs of one node define the right outcomes."""
    return f"Alone, the handler waits for ever for {awaited}. {YOURS}"


def fails(text: str | None, several: bool) -> str:
    """Return the sentence for a handler that fails by itself; `several` nodes run it, and it was run by one."""
    return f"Without any fault this handler fails, so no run of it is right{f'.{ALONE}' if several else ':'}\n{text}"


class IdealFailed(CourseError):
    """The handler cannot be judged, since it does not get through its inputs even when nothing goes wrong."""


class IdealWorld(World):
    """A world without faults. Its choices follow a script; after the end of the script each choice is the first
    option.
    """

    def __init__(self, program: Program, script: Iterable[int] = ()) -> None:
        super().__init__(Stores(MemoryStore), Recorder(), FaultPlan(), [program])
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
    handler: Handler | Program | Deployment,
    job: Source | None = None,
    over: Callable[[], str | None] | None = None,
    several: bool = False,
) -> list[Ideal]:
    """Return the list of `Ideal`s of a handler for a job (None: the usual one), or of a `Program`; at least one.

    The ideals of a `Deployment` are those of its reference. `several` tells that they are for runs of several nodes.

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
            raise IdealFailed(waits_alone(why) if why.args else endless(world.step_limit) + ALONE * several) from None
        if ending != "ended":
            raise IdealFailed(fails(text, several))
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


CHUNK = 64
JUDGED = {OUTPUT, "counter", "state", "positions", DECIDED}  # `decided` only settles a prepared transaction


class Beginning:
    """The right outcomes after each item of a long job. `ideals` computes them in chunks as the run progresses.

    It needs a handler without choices. Raises `BadInput` for a job that leaves the world a choice.
    """

    def __init__(
        self, handler: Handler, job: Job, ideals: Callable[[Handler, Job], list[Ideal]] = ideal_outcomes
    ) -> None:
        if not job.deterministic:
            raise BadInput(
                "A run that goes on is judged only where one outcome is right: when inputs arrive 'together', and "
                f"the window is in 'event' time. This job's inputs arrive {job.arrival!r}, its time is {job.time!r}."
            )
        self.handler, self.job, self.ideals = handler, job, ideals
        deployment = deployment_of(handler)  # where another node counts
        self._counts_later = deployment is not None and bool(deployment.queue or deployment.feeds)
        self._whole: Ideal | None = None
        self._upto = 0

    def until(self, item: int) -> Ideal:
        """Return the `Ideal` of a run that ends after `item`."""
        if self._whole is None or item > self._upto:
            self._upto = min(
                (item // CHUNK + 1) * CHUNK, self.job.items or len(next(iter(self.job.inputs().values())))
            )
            (self._whole,) = self.ideals(self.handler, replace(self.job, items=self._upto))
        return shortened(self._whole, item)

    def judge(self, run: Run) -> Verdict:
        """Return the `Verdict` of a run that may be in the middle of a pass."""
        newest = max((event.item or 0 for event in run.trace), default=0)
        newest = max([newest, *(entry.item or 0 for entry in run.writes)])
        # a decided transaction is seen when the coordinator has written all its markers
        if run.uncommitted is not None:
            newest = min(newest, _whole_passes(run) + 1)
        before, after = self.until(max(newest - 1, 0)), self.until(newest)
        counted = max(_counted(run), default=0)
        counter = self.until(counted) if self._counts_later else after if counted == newest else before
        found = _damage(run, before, after, counter)
        run = replace(run, outcome=replace(run.outcome, overlooked=_overlooked(run)))
        text, silent = sentence(run, found, after, unfinished=True), after.silent
        return Verdict(
            run,
            found,
            not found.any,
            run.reached,
            sentence=text,
            silent=silent,
            unfinished=True,
            nearest=after.pushes,
        )


def shortened(ideal: Ideal, item: int) -> Ideal:
    """Return the `Ideal` of the same run with inputs that end after `item`."""
    writes = tuple(entry for entry in ideal.writes if (entry.item or 0) <= item)  # some writes come before any item
    state = dict(readings_in(last(writes, "state")))
    return Ideal(Outcome.after(writes), tuple(pushes_of(writes)), state, writes, ideal.silent, ideal.warning)


def _whole_passes(run: Run) -> int:
    """Return the last item whose output, state and positions are all there."""
    reached = [{entry.item or 0 for entry in run.writes if entry.part == part} for part in ("state", "positions")]
    return min(max(items, default=0) for items in [*reached, {push.item or 0 for push in run.pushes}])


def _overlooked(run: Run) -> tuple[str, ...]:
    """Return the names of the run's parts that are judged only when the run has ended."""
    names = {
        named_part(entry.part) or entry.part
        for entry in run.writes
        if entry.part not in JUDGED and output_index(entry.part) is None and not entry.part.endswith((HINT, FIRST))
    }
    asked = {event.process for event in run.trace if event.kind == "receive"}
    names |= {part_in_words(part) for part in asked if part.startswith("inbox.")}
    names |= {"transactions that are prepared"} if in_doubt.PART in asked else set()
    return tuple(sorted(f"{name}, until the run has ended" for name in names))


def _counted(run: Run) -> list[int]:
    """Return the item of each change of the counter. A change that ended a prepared transaction gets the last item
    before its incarnation.
    """
    return [
        entry.item or max((one.item or 0 for one in run.writes if one.life < entry.life), default=0)
        for entry in run.writes
        if entry.part == "counter"
    ]


def _damage(run: Run, before: Ideal, after: Ideal, counter: Ideal) -> Damage:
    """Return the damage of a run whose newest pass may be half done, without the writes that this pass has still to
    do.

    `counter` is the right run that gives the right value of the counter.
    """
    named = output_damage(run.pushes, after.pushes)
    done = {push.item for push in before.pushes}
    named["missing"] = tuple(item for item in named["missing"] if item in done)
    if run.outcome.state not in (before.outcome.state, after.outcome.state):
        state = min((before, after), key=lambda ideal: len(set(run.state_count) ^ set(ideal.state_count)))
        named |= {
            "state_differs": True,
            "doubled_inputs": tuple(
                sorted(key for key, count in run.state_count.items() if count > max(1, state.state_count.get(key, 0)))
            ),
            "lacking_inputs": tuple(sorted(key for key in state.state_count if key not in run.state_count)),
        }
    return Damage(
        counter=run.outcome.counter,
        expected_counter=counter.outcome.counter,
        positions_differ=run.outcome.positions not in (before.outcome.positions, after.outcome.positions),
        **named,
    )
