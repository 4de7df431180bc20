"""`prove`: every schedule of a handler within bounds; and `replay`: one schedule, exactly as it was."""

import contextlib
import time

from ..errors import BadInput, whole
from ..node import Job
from ..node.live import checked_handler
from ..verdict import judge
from ..verdict.ideal import IdealFailed
from . import story, tokens
from .automaton import Automaton, Wavering
from .bounds import Bounds
from .contents import Contents
from .ending import to_the_end
from .proof import Counterexample, Proof
from .schedule import Diverged, Theatre
from .search import Limits, Search
from .specification import Ideal, Invariant, outcome_of
from .waiting import endless_alone
from .ways import Ways

STATE_LIMIT = 1_000_000
SECONDS = 120.0
FIRST_LOOK = 2_000
DIFFERS = (
    "The handler is not deterministic: the same schedule had another outcome when it was performed again. Random "
    "numbers, the clock, and the order of a set differ from life to life; ask node.choose instead."
)


def prove(
    handler,
    nodes=1,
    items=3,
    crashes=1,
    pauses=0,
    lost_replies=0,
    lost_requests=0,
    duplicates=0,
    job=None,
    invariant=None,
    reference=None,
    state_limit=STATE_LIMIT,
    seconds=SECONDS,
    progress=None,
    stopped=None,
    merge=True,
    beat=None,
):
    """Explore every schedule of a handler within bounds. Returns a `Proof`.

    `handler` is a function of one argument, the node, or a list with one for each node. The numbers bound the
    misfortunes of a whole run: crashes (a life dies between two steps, the node's next life begins), pauses (a life
    falls asleep between two steps, the node's next life begins, and the sleeper may wake up at any moment, or never),
    lost requests, lost replies, and requests that arrive twice. `job` replaces the default job of `items` hours.

    Right is what crash-free runs of a single node leave, of `reference` if it is given; or, if `invariant` is given,
    what this function of a `View` of the stores says at every moment. At most `state_limit` states are looked at, for
    at most `seconds` seconds; `progress(states)` is called now and then, and `stopped()` may end the search.
    `merge=False` is the plain search, without any merging of local states or of equal nodes. `beat()` is called before
    any of the handler's code runs, and now and then.

    Raises `BadInput` for bounds that make no sense, `IdealFailed` for a handler that does not get through its inputs
    when nothing goes wrong, `CourseError` for one that is not deterministic.
    """
    handlers = _handlers(handler, nodes)
    job = job or Job(items=items)
    if job.items is None:
        raise BadInput("The job has no number of items; a proof needs one, such as 3.")
    bounds = Bounds(nodes, job.items, crashes, pauses, lost_requests, lost_replies, duplicates)
    whole("the limit of states", state_limit, least=1)
    started = time.perf_counter()
    contents = Contents(job)
    automaton = Automaton(handlers, job, contents, merge, beat)
    judges = None
    try:
        specification = _specification(handlers, reference, invariant, automaton, job)
        judges = getattr(specification, "automaton", None)
        limits = Limits(state_limit, seconds, progress, stopped, beat)
        found = _searched(automaton, specification, bounds, merge, limits)
        automaton.verify()
        counterexample = None
        if found.violation is not None:
            counterexample = _shown(found.violation, handlers, job, bounds, automaton, specification, reference)
        return Proof(
            name=" and ".join(dict.fromkeys(getattr(one, "__name__", repr(one)) for one in handlers)),
            bounds=bounds,
            states=found.states,
            runs=found.runs,
            seconds=time.perf_counter() - started,
            exhausted=found.exhausted,
            stopped=found.stopped,
            counterexample=counterexample,
            warnings=tuple(specification.warnings),
        )
    finally:
        automaton.close()
        if judges is not None and judges is not automaton:
            judges.close()


def replay(token, handler):
    """Perform the schedule of a token once more. Returns its `Counterexample`'s `Performance`: the run, step by step.

    `handler` is what was given to `prove`. Raises `BadInput` for a token that was mistyped, or is for another handler
    or version.
    """
    handlers = _handlers(handler, None)
    job, nodes, schedule = tokens.read(token, handlers)
    return Theatre(handlers, job, nodes).perform(schedule)


def _searched(automaton, specification, bounds, merge, limits):
    """Search in order as far as a violation is likely, then in any order; and in order again, if there is one."""
    ordered = Search(automaton, specification, bounds, merge)
    found = ordered.in_order(limits.but(FIRST_LOOK))
    search = ordered
    if found.violation is None and not found.exhausted:
        search = Search(automaton, specification, bounds, merge)
        found = search.in_any_order(limits)
        if found.violation is not None:
            simplest = ordered.in_order(limits)
            found = simplest if simplest.violation is not None else found
    if found.violation is None and found.exhausted:
        endless = endless_alone(automaton, found.pairs)
        if endless:
            found.violation = "waits", search.schedule_to(*endless), endless[0]
    return found


def _handlers(handler, nodes):
    handlers = list(handler) if isinstance(handler, (list, tuple)) else [handler]
    for one in handlers:
        checked_handler(one)
    if len(handlers) > 1 and nodes is not None and len(handlers) != nodes:
        raise BadInput(f"{len(handlers)} handlers were given for {nodes} nodes; give one handler for each node.")
    return handlers


def _specification(handlers, reference, invariant, automaton, job):
    if invariant is not None:
        return Invariant(invariant, automaton.contents)
    if reference is None:
        if len(handlers) > 1:
            raise BadInput("The nodes run different handlers; say what is right with `reference` or `invariant`.")
        return Ideal(automaton, automaton.starts[0], job)
    judges = Automaton([checked_handler(reference)], job, automaton.contents, beat=automaton.beat)
    specification = Ideal(judges, judges.starts[0], job)
    specification.automaton = judges
    return specification


def _shown(violation, handlers, job, bounds, automaton, specification, reference):
    """Return the counterexample of a violation, performed with real stores and a recorder."""
    kind, schedule, world = violation
    if kind == "visible" and isinstance(specification, Ideal):
        whole_run = to_the_end(Ways(automaton, bounds.purse), bounds.nodes, schedule)
        if whole_run and not specification.right(whole_run[1]):
            kind, (schedule, world) = "outcome", whole_run
    performance = Theatre(handlers, job, bounds.nodes).perform(schedule)
    run, verdict = performance.run, None
    if kind == "raised" and run.error is None:
        raise Diverged("The handler failed while it was explored, and not when the schedule was performed again.")
    if kind == "outcome" and run.outcome != outcome_of(automaton.contents, world):
        raise Wavering(DIFFERS)
    if isinstance(specification, Ideal) and kind in ("outcome", "raised"):
        with contextlib.suppress(IdealFailed):
            verdict = judge(run, reference or handlers[0])
    return Counterexample(
        token=tokens.write(handlers, job, bounds.nodes, schedule),
        sentence=story.what_is_wrong(kind, run, verdict, automaton.contents, world, specification),
        kind="invariant" if isinstance(specification, Invariant) and kind in ("outcome", "visible") else kind,
        story=story.story(performance),
        run=run,
        verdict=verdict,
        schedule=tuple(schedule),
        steps=tuple(performance.steps),
    )
