"""The exercises of chapter 04: the damage of crashes, and handlers with less damage."""

import functools
import itertools
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import pandas as pd

from ... import show as drawing
from ...errors import CourseError, what_failed
from ...exercises.kinds.challenge import challenge
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.kind import nothing_yet, proved
from ...exercises.kinds.mistakes import answer_with
from ...exercises.kinds.proved import Proved, World
from ...exercises.kinds.reply import right, wrong
from ...exercises.kinds.values import OneFault, Values, Whole, Wholes
from ...explore import prove
from ...faults import POINTS, Fault, FaultPlan
from ...handlers import at_least_once, handler_in_order
from ...node.program import checked_handler
from ...pipeline import Job
from ...simulate import simulate
from ...stores.codec import describe
from ...verdict import judge
from ..stream_rule import lost, misplaced, wanted

ITEMS: dict = {}  # {name: item}

JOBS = {
    "": Job(items=4, duration=2, threshold=3),
    "With a window of 3 hours and a threshold of 6": Job(items=4, duration=3, threshold=6),  # none is above it
}


def complete(job: Any, view: Any) -> Any:
    """The rule where nothing goes wrong: in the end each average is there once, in order, and the counter fits."""
    averages, counter = wanted(job)
    if not view.done or (list(view.outputs) == averages and view.counter == counter):
        return True
    left, should = (", ".join(map(describe, some)) or "nothing" for some in (view.outputs, averages))
    return f"the output is {left} and the counter {view.counter}; right are {should} and {counter}"


def calm(job: Job) -> World:
    """Return the world in which nothing goes wrong."""
    return World("Even when nothing goes wrong", checked_handler, functools.partial(complete, job), {}, job)


def crashed_anywhere(rule: Callable[..., Any], praise: str, allows: str, **declared: Any) -> Proved:
    """Return the item of a handler that keeps `rule(job, view)` wherever one crash strikes; `declared` as in `Kind`.

    The praise goes on with the words `allows`, in which the sentence of a schedule shows what the rule allows.
    """
    job = JOBS[""]

    def praised(handler):
        found = proved(handler, functools.partial(complete, job), job, crashes=1).counterexample
        more = allows.format(found.sentence) if found else "There is no harm at all, although that was not asked for."
        return f"{praise} ({{states}} states, one crash anywhere.) {more}"

    crashed = [
        World(when, checked_handler, functools.partial(rule, of), {"crashes": 1}, of) for when, of in JOBS.items()
    ]
    return Proved(
        asks="your handler",
        form="a handler, a function of the node",
        worlds=[calm(job), *crashed],
        drawn=lambda run: drawing.spacetime(run, 2),
        blank=lambda: nothing_yet("no handler"),
        praise=praised,
        **declared,
    )


# 04a: predict what a crash at D leaves, when the window is short.

SHORT = Job(items=8, duration=2, threshold=3)
WHY = {  # the kind of damage, what it is called in `Damage`, why an hour is too many, why one is too few
    "doubled": (
        "duplicated",
        "only one hour was done twice, and the handler pushes one average each time",
        "the first process had pushed this average before it died, and the second cannot know that",
    ),
    "missing": ("missing", "the second process repeats each hour that the saved positions do not cover", ""),
    "wrong": (
        "wrong",
        "write down which readings are in that hour's window, and which have left it",
        "a reading that is in the window twice counts twice in every average until the reading leaves",
    ),
}


def predicted(said: Any) -> Any:
    """Compare a prediction with the run."""
    judged = judge(simulate(at_least_once, FaultPlan.crash("D", 4), SHORT), at_least_once)
    for kind, (field, too_many, too_few) in WHY.items():
        found = set(getattr(judged.damage, field))
        if odd := sorted(said[kind] - found):
            return wrong(f"Hour {odd[0]} is not {kind}: {too_many}.", judged, at_least_once)
        if odd := found - said[kind]:
            where = "the only hour" if len(found) == 1 else f"{len(odd)} of the {len(found)} hours"
            return wrong(f"Under {kind!r} you left out {where}: {too_few}.", judged, at_least_once)
    if said["counter"] != judged.damage.counter:
        return wrong(
            f"The hours are right, but the counter does not end at {said['counter']}: the second process does hour 4 "
            "again, and the database keeps the first increment.",
            judged,
            at_least_once,
        )
    return right(judged.sentence, judged, at_least_once, drawing.verdict(judged))


def drawn(said):
    """Draw a prediction: one row for each hour."""
    signs = {"doubled": "× twice", "missing": "○ missing", "wrong": "≠ wrong"}
    table = pd.DataFrame({"hour": range(1, SHORT.items + 1)})
    table["you say its average is"] = [
        " and ".join(sign for kind, sign in signs.items() if hour in said[kind]) or "✓ once, and right"
        for hour in table["hour"]
    ]
    text = f"You say the counter ends at {said['counter']}."
    return drawing.Picture(f"{drawing.table_html(table)}<p>{text}</p>", text=f"{table}\n{text}")


ITEMS["04a"] = Values(
    asks="your four predictions",
    fields={kind: Wholes(f"an hour that is {kind}", 1, SHORT.items) for kind in WHY} | {"counter": Whole()},
    rule=predicted,
    drawn=drawn,
)

# 04c: an output that is right at every moment, wherever the process dies.


def keyed(job, view):
    """The rule of 04c: the output is right at every moment, and complete in the end; no increment is missing, and
    none happens more than twice.
    """
    averages, counter = wanted(job)
    if said := misplaced(averages, view.outputs, view.done):
        return said
    if view.done and view.counter < counter:
        return f"the counter is {view.counter} and should be at least {counter}: an increment is missing"
    if view.counter > 2 * counter:
        return f"the counter is {view.counter} and should be at most {2 * counter}: an increment may happen twice"
    return True


ITEMS["04c"] = crashed_anywhere(
    keyed,
    "The output is right at every moment, wherever the process dies.",
    "What remains to be repaired: {} The output is in one system, the counter in another.",
)

# 04d: nothing twice at any moment, and at most one item lost.


def losing(job: Job, view: Any) -> bool | str:
    """The rule of 04d: at no moment is an average wrong or there twice; in the end at most one item is lost."""
    averages, counter = wanted(job)
    for value in view.outputs:
        if value not in averages:
            return f"the output holds the average {float(value):.2f}, which is right for no hour"
    hours = [averages.index(value) + 1 for value in view.outputs]
    if odd := [hour for before, hour in itertools.pairwise(hours) if hour <= before]:
        return f"the average of hour {odd[0]} is in the output more than once, or too late"
    if view.counter > counter:
        return f"the counter is {view.counter} and should never be more than {counter}: an increment is doubled"
    gone = sorted(set(range(1, len(averages) + 1)) - set(hours))
    if view.done and len(gone) > 1:
        return f"{lost(gone)}; one crash may cost one item, no more"
    if view.done and view.counter < counter - 1:
        return f"the counter is {view.counter}, and with one item lost it should be {counter - 1} at least"
    return True


ITEMS["04d"] = crashed_anywhere(
    losing,
    "No average is ever wrong or there twice, and one crash costs one item at most.",
    "The price: {}",
)

# 04e: a fault plan of one fault that breaks a handler with an incomplete repair.

BOUNDS = {"lost request": "lost_requests", "lost reply": "lost_replies", "duplicated request": "duplicates"}


def repaired(node):
    """Give each average a key, keep each hour in the window once, and note in a register which hours were counted."""
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        hour = items[0].hour
        newest = max((reading.hour for reading in window.readings), default=0)
        window.push([item for item in items if item.hour > newest])
        window.trim(node.duration)
        node.crash_point("A")
        node.registers.cas(f"output.{hour - 1}", 0, window.average())
        node.crash_point("B")
        if len(window) > node.threshold and node.registers.cas(f"counted.{hour}", 0, True):
            node.database.increment()
        node.crash_point("C")
        node.state.save(window)
        node.crash_point("D")
        node.positions.save(next_positions)
        node.crash_point("E")
        positions = next_positions


@functools.cache
def simplest(kind):
    """Return the simplest schedule with one fault of a kind that breaks the repaired handler, or None."""
    bounds = {"crashes": 0, BOUNDS.get(kind, "crashes"): 1}
    return prove(repaired, job=Job(), **bounds).counterexample


def breaks(plan):
    """Judge a plan: it is right if it breaks the repaired handler."""
    judged, fault = judge(simulate(repaired, plan), repaired), plan.faults[0]
    if not judged.reached:
        return wrong(judged.sentence, judged, repaired)
    found = simplest(fault.kind)
    if not judged.exactly_once:
        told = f"Broken. {judged.sentence} The simplest such fault that prove finds: {found.sentence}"
        return right(told, judged, repaired)
    why = "The step that it hits can be repeated, or was complete. Look for two steps that belong together."
    if fault.at in POINTS:
        why = "At all five letters the handler is safe; but a process can also die between them."
    kind = "crash" if fault.kind.startswith("crash") else fault.kind
    other = f"Another {kind} breaks it: prove finds one." if found else f"No {kind} breaks it."
    return wrong(f"The handler survives this plan. {why} {other} {judged.sentence}", judged, repaired)


ITEMS["04e"] = Values(
    asks="a fault plan",
    fields=OneFault(),
    what="plan",
    rule=breaks,
    drawn=lambda plan: drawing.spacetime(judge(simulate(repaired, plan), repaired)),
    blank=lambda: drawing.code(repaired),
)

# 04f: output and counter right in the end, in two systems, after any single fault.


def both_right(view, job):
    """In the end the output holds each hour's average once and in order, and the counter is right."""
    averages, counted = wanted(job)
    return not view.done or (list(view.outputs) == averages and in_accounts(view) == counted)


def in_accounts(view):
    """Return the counter, or 0 where nothing was written to it."""
    try:
        return view.look("accounts", "counter", "cell") or 0
    except KeyError:  # no run of this handler asks for the system
        return 0


def objection(view, job):
    """Return a sentence on the mistake in the outcome."""
    averages, counted = wanted(job)
    said = misplaced(averages, view.outputs, done=True)
    return said or f"the counter is {describe(in_accounts(view))} and should be {counted}"


ITEMS["04f"] = challenge(
    rule=both_right,
    objection=objection,
    jobs=(Job(items=2, duration=2, threshold=1), Job(items=4, duration=2, threshold=2)),
    praise="Output and counter are right in the end, in two systems, without a transaction across them.",
)


# 04-every-place: a fault plan for each moment of one iteration at which a crash can strike.

HOUR = 3
STEPS = ("input.read", "output.push", "database.increment", "state.save", "positions.save")
PLACES = (  # by how many of the writes have happened
    "before its first write, output.push",
    *(f"after {one} and before {other}" for one, other in itertools.pairwise(STEPS[1:])),
    "after its last write, positions.save",
)


def ask_plans(function, steps):
    """Return the tokens of the plans that a function gives; a sentence for something else; None for no answer."""
    if (said := function(list(steps))) in (None, ...):
        return None
    if isinstance(said, FaultPlan) or not isinstance(said, Iterable):
        return f"Your function returns {said!r:.60}; it returns a list of fault plans, one for each crash."
    said = list(said)
    for plan in said:
        if not isinstance(plan, FaultPlan):
            return f"Its list holds {plan!r}, which is no fault plan; one is FaultPlan([a fault])."
    return [plan.token for plan in said]


def places(tokens: list[str], steps: tuple[Any, ...]) -> Any:
    """Run the chapter's handler under each of the plans, and see between which writes it died."""
    if isinstance(tokens, str):
        return wrong(tokens)
    died = set()
    for plan in map(FaultPlan.parse, tokens):
        judged = judge(simulate(at_least_once, plan), at_least_once)
        if not judged.reached or [(one.deadly, one.item) for one in plan.faults] != [(True, HOUR)]:
            why = "Each plan is of one crash at hour 3, and no more." if judged.reached else judged.sentence
            return wrong(f"One of your plans is {plan.token}. {why}", judged, at_least_once)
        died.add(sum(entry.life == 1 and entry.item == HOUR for entry in judged.run.writes))
    for writes, place in enumerate(PLACES):
        if writes not in died:
            return wrong(f"A process can die {place}. No plan of yours kills the process there.")
    return right(f"{len(tokens)} plans: a crash before the first write, in each gap between two, and after the last.")


ITEMS["04-every-place"] = Compared(
    cases=[(STEPS,)],
    ask=ask_plans,
    rule=places,
    praise="",
)

# 04-one-step: state and positions in one write, so that no crash makes them disagree.

ONE_STEP_JOB = Job(items=3, duration=2, threshold=2)  # one window holds as many numbers, and is not above


def repeats_at_most(view):
    """The rule: no average is ever wrong; in the end no effect is missing. Those of one hour may be repeated."""
    averages, counter = wanted(ONE_STEP_JOB)
    if any(value not in averages for value in view.outputs):
        return "an average in the output is wrong"
    if len(view.outputs) > len(averages) + 1:
        return "the effects of more than one hour are repeated: the next process finds no save of the hours before"
    if not view.done:
        return True
    gone = [hour for hour, value in enumerate(averages, 1) if value not in view.outputs]
    short = view.counter < counter and f"the counter is {view.counter} and should be {counter} at least"
    return lost(gone) if gone else short or True


ITEMS["04-one-step"] = Proved(
    worlds=[calm(ONE_STEP_JOB), World("One crash", checked_handler, repeats_at_most, {"crashes": 1}, ONE_STEP_JOB)],
    idle=lambda run: not run.writes and not run.error,
    praise="Wherever the process dies, no average is wrong, and no effect is missing ({states} states, one crash "
    "anywhere). What may still go wrong is the next question.",
)

# 04-promise: at-least-once as an invariant. Repeats are allowed, wrong averages never, missing ones not in the end.

RIGHT = [10, 20, 30]


def ask_promise(rule: Any, outputs: Any, done: Any) -> Any:
    """Ask a rule about a moment; return whether it holds. A text says that it does not."""
    said = rule(SimpleNamespace(outputs=list(outputs), done=done, counter=0), right=list(RIGHT))
    return None if said in (None, ...) else bool(said) and not isinstance(said, str)


ITEMS["04-promise"] = Compared(
    cases=[
        ([], False),
        ([10], False),
        ([10, 10], False),
        ([10, 20, 10, 20, 30], True),
        ([10, 20, 30], True),
        ([10, 10, 30], True),
        ([10, 20], True),
        ([10, 20, 31], True),
        ([10, 20, 30, 31], True),
        ([10, 20, 21, 30], True),
    ],
    ask=ask_promise,
    told=lambda outputs, done: (
        f"Right are {RIGHT}. The output is {outputs}, and the handler "
        f"{'has finished' if done else 'is still at work'}: your rule"
    ),
    praise="It allows repeats, and finds the averages that are wrong or missing in the end.",
)

# 04-silent-harm: an order of the writes and a crash that leave wrong averages but right numbers of them.


def ask_order(answer):
    """Return the order and the letter that a function gives, or that stand there; None for no answer.

    Return a sentence for something else.
    """
    if (said := answer() if callable(answer) else answer) in (None, ...):
        return None
    if not isinstance(said, (list, tuple)) or len(said) != 2 or not isinstance(said[0], (list, tuple, str)):
        return f"Your answer is {said!r:.80}; it is a pair: an order of the four writes, and a letter."
    order, letter = said
    return order if isinstance(order, str) else list(map(str, order)), str(letter)


def silently(said):
    """Kill the handler with this order of writes at this letter, and judge the result."""
    if isinstance(said, str):
        return wrong(said)
    order, letter = said
    try:
        handler = handler_in_order(order)
    except CourseError as error:
        return wrong(str(error))
    if letter not in POINTS:
        return wrong(f"The letter is {letter!r}; it is one of A, B, C, D and E.")
    judged = judge(simulate(handler, FaultPlan.crash(letter, HOUR)), handler)
    harm = judged.damage
    revealed = "Counting the averages reveals this crash: the average of hour {} is {}."
    why = (
        f"A crash at {letter} does no harm in this order." * judged.consistent
        or (harm.duplicated and revealed.format(harm.duplicated[0], "in the output more than once"))
        or (harm.missing and revealed.format(harm.missing[0], "missing"))
        or "The counter reveals this crash." * (harm.counter != harm.expected_counter)
        or "No average is wrong after this crash." * (not harm.wrong)
    )
    if why:
        return wrong(f"{why} {judged.sentence}", judged, handler)
    return right(
        f"Each hour has one average, the counter is right, and some averages are wrong. {judged.sentence}", judged
    )


ITEMS["04-silent-harm"] = Compared(
    cases=[()],
    takes=(list, tuple),
    ask=ask_order,
    rule=silently,
    praise="",
)

# 04-what-it-saves: the values that a process must save for its successor.

SAVES_JOB = Job(items=6, duration=3)
PLANS = {
    "nobody dies": FaultPlan(),
    "the process dies between hours 3 and 4": FaultPlan([Fault("input.read", 4, "crash before")]),
}


def ask_pushes(handler: Any, when: Any) -> Any:
    """Return what a handler pushes, as text; None where it does not save anything; how it fails, as a sentence."""
    run = simulate(handler, PLANS[when], SAVES_JOB)
    if run.error:
        return f"Where {when}, your handler fails: {what_failed(run.error)}"
    saved = {write.part for write in run.writes} & {"state", "positions"}
    return [f"{float(push.value):.1f}" for push in run.pushes] if saved else None


def same_pushes(pushes: list[str], when: str) -> Any:
    """Compare the pushes of a handler with those of the solved handler; return a sentence on the first difference."""
    should = ask_pushes(answer_with("04-what-it-saves"), when)
    if pushes == should:
        return None
    if isinstance(pushes, str):
        return pushes.removesuffix(".")
    return f"Where {when}, it pushes {', '.join(pushes or ['nothing'])}; right is {', '.join(should)}"


ITEMS["04-what-it-saves"] = Compared(
    cases=[(when,) for when in PLANS],
    ask=ask_pushes,
    rule=same_pushes,
    praise="Killed between two hours, your handler continues. What if it is killed in the middle of an hour?",
)
