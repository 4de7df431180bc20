"""The gaps of chapter 04: plans of crashes, handlers that save, and what at-least-once promises."""

import itertools
from collections.abc import Iterable
from types import SimpleNamespace

from ...errors import CourseError, what_failed
from ...exercises.kinds.compared import Compared
from ...exercises.kinds.mistakes import answer_with
from ...exercises.kinds.proved import Proved, World
from ...exercises.kinds.reply import right, wrong
from ...faults import POINTS, Fault, FaultPlan
from ...handlers import at_least_once, handler_in_order
from ...node.program import checked_handler
from ...pipeline import Job
from ...simulate import simulate
from ...verdict import judge
from .checks import calm, lost, wanted

ITEMS: dict = {}  # {name: item}

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


def places(tokens, steps):
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


def ask_promise(rule, outputs, done):
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


def ask_pushes(handler, when):
    """Return what a handler pushes, as text; None where it does not save anything; how it fails, as a sentence."""
    run = simulate(handler, PLANS[when], SAVES_JOB)
    if run.error:
        return f"Where {when}, your handler fails: {what_failed(run.error)}"
    saved = {write.part for write in run.writes} & {"state", "positions"}
    return [f"{float(push.value):.1f}" for push in run.pushes] if saved else None


def same_pushes(pushes, when):
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
