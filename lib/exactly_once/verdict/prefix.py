"""Judges a run that is still going on: each store alone, as the beginning of a right run's contents of that store."""

from collections.abc import Callable
from dataclasses import replace

from ..errors import BadInput
from ..lockfree.queue import FIRST, HINT
from ..node.access import named_part, part_in_words
from ..node.node import DECIDED, Handler
from ..node.program import deployment_of
from ..pipeline import Job
from ..stores import in_doubt
from .damage import Damage, output_damage
from .outcome import OUTPUT, Outcome, last, output_index, readings_in
from .run import Ideal, Run, pushes_of
from .sentences import sentence
from .verdict import Verdict, ideal_outcomes

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
