"""The gaps of chapter 04: how the learner's lines are judged."""

import functools

from ...errors import BadInput, CourseError, what_failed
from ...faults import POINTS, Fault, FaultPlan
from ...handlers import at_least_once, handler_in_order
from ...pipeline import Job, Window
from ...simulate import simulate
from ...solutions import library_of
from ...stores.codec import decode
from ...verdict import judge
from ..kinds.old_gap import gap
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import answers, called, calm, proved

# 04-every-place: a fault plan for each moment of one iteration at which a crash can strike.

EVERY_PLACE_HOUR = 3
STEPS = ("input.read", "output.push", "database.increment", "state.save", "positions.save")
WRITES = STEPS[1:]


def plans_of(function):
    """Return the tokens of the plans that the learner's function gives; None for no answer.

    This function runs in the sandbox. Raises `BadInput` for an answer that is no list of fault plans.
    """
    said = function(list(STEPS))
    if said is None or said is ...:
        return None
    try:
        plans = list(said)
    except TypeError:
        raise BadInput(f"It returns {said!r}; give a list of fault plans.") from None
    for plan in plans:
        if not isinstance(plan, FaultPlan):
            raise BadInput(f"Its list holds {plan!r}, which is no fault plan; one is FaultPlan([a fault]).")
    return [plan.token for plan in plans]


@gap("04-every-place")
def check_every_place(answer):
    """Run the chapter's handler under each of the plans, and see between which writes it died."""
    try:
        tokens = called(plans_of, answer)
    except BadInput as why:
        return wrong(str(why))
    if tokens is None:
        return unsolved("your lines, with a return at their end,")
    places = set()
    for plan in map(FaultPlan.parse, tokens):
        judged = judge(simulate(at_least_once, plan), at_least_once)
        if not judged.reached or [(one.deadly, one.item) for one in plan.faults] != [(True, EVERY_PLACE_HOUR)]:
            what = judged.sentence if not judged.reached else "Each plan is of one crash at hour 3, and no more."
            return wrong(f"One of your plans is {plan.token}. {what}", judged, at_least_once)
        places.add(sum(entry.life == 1 and entry.item == EVERY_PLACE_HOUR for entry in judged.run.writes))
    for count in range(len(WRITES) + 1):
        if count not in places:
            return wrong(f"{_gap(count)} No plan of yours kills the process there.")
    return right(f"{len(tokens)} plans: a crash before the first write, in each gap between two, and after the last.")


def _gap(count):
    """Name the moment after `count` writes of one iteration."""
    if not count:
        return f"A process can die before its first write, {WRITES[0]}."
    if count == len(WRITES):
        return f"A process can die after its last write, {WRITES[-1]}."
    return f"A process can die after {WRITES[count - 1]} and before {WRITES[count]}."


# 04-one-step: state and positions in one write, so that no crash makes them disagree.

ONE_STEP_JOB = Job(items=3, duration=2, threshold=2)  # one window holds as many numbers, and is not above


@functools.cache
def fault_free(job):
    """Return (averages, counter): the chapter's handler's result without a fault."""
    outcome = simulate(at_least_once, job=job).outcome
    return [decode(text) for text in outcome.outputs], outcome.counter


def repeats_at_most(view):
    """The rule: no average is ever wrong; in the end no average and no increment is missing. Repeats are allowed."""
    averages, counter = fault_free(ONE_STEP_JOB)
    if any(value not in averages for value in view.outputs):
        return "an average in the output is wrong"
    if not view.done:
        return True
    for hour, value in enumerate(averages, 1):
        if value not in view.outputs:
            return f"the average of hour {hour} is missing from the output"
    return view.counter >= counter or f"the counter is {view.counter} and should be {counter} at least"


@gap("04-one-step")
def check_one_step(answer):
    """Compare a run without a crash with the library's, then try a crash anywhere."""
    run = calm(answer, ONE_STEP_JOB)
    if run.error:
        return wrong(f"With nothing killed, your handler fails: {what_failed(run.error)}", run, answer)
    if not run.writes:
        return unsolved("your lines")
    left = [decode(text) for text in run.outcome.outputs], run.outcome.counter
    if left != fault_free(ONE_STEP_JOB):
        averages, counter = fault_free(ONE_STEP_JOB)
        return wrong(
            f"With nothing killed, it leaves {len(left[0])} averages in the output and the counter at {left[1]}. "
            f"It should leave the {len(averages)} right averages and the counter at {counter}.",
            run,
            answer,
        )
    found = proved(answer, repeats_at_most, ONE_STEP_JOB, crashes=1)
    if found.counterexample:
        return wrong(f"One crash breaks it. {found.counterexample.sentence}", found.counterexample, answer)
    return right(
        f"Wherever the process dies, no average is wrong, and no effect is missing ({found.states} states, "
        "one crash anywhere). What may still go wrong is the next question."
    )


# 04-promise: at-least-once as an invariant. Repeats are allowed, wrong averages never, missing ones not in the end.

PROMISE_JOB = Job(items=3)
NOTHING = "it gives no answer"


def too_early(node):
    """A handler whose only harm is a lost hour: it saves window and positions in one write, before the effects."""
    window, positions = node.state.load() or (Window(), node.start)
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.state.save([window, positions])
        node.output.push(window.average())


def one_too_many(node):
    """A handler that pushes every right average, and at the end a wrong one; no fault is needed."""
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, positions = node.read(positions)
        window.push(items)
        node.output.push(window.average())
    node.output.push(window.average() + 1)


def one_for_another(node):
    """A handler that pushes the first average again in place of the second; no fault is needed."""
    positions, window, averages = node.positions.load(), node.state.load(), []
    while node.running():
        items, positions = node.read(positions)
        window.push(items)
        averages.append(window.average())
        node.output.push(averages[0 if len(averages) == 2 else -1])


BREAKS_IT = {
    at_least_once: "leaves a wrong average",
    one_too_many: "leaves a wrong average",
    too_early: "loses an average",
    one_for_another: "loses an average",
}


def asked(rule, view, right):
    """Return the answer of a learner's rule to a view, or `NOTHING` for a rule without an answer."""
    said = rule(view, right=right)
    return NOTHING if said is None or said is ... else said


@gap("04-promise")
def check_promise(answer):
    """Explore one handler that keeps the promise and two that break it, under the learner's invariant."""
    averages, _ = fault_free(PROMISE_JOB)
    rule = functools.partial(asked, answer, right=averages)
    keeps = library_of("04-one-step")
    try:
        found = proved(keeps, rule, PROMISE_JOB, crashes=1).counterexample
        if found and NOTHING in found.sentence:
            return unsolved("your lines, with a return at their end,")
        if found:
            many = len(found.run.pushes)
            return wrong(
                f"It says no where the promise is kept: at a moment with {many or 'no'} "
                f"{'average' if many == 1 else 'averages'} in the output.",
                found,
                keeps,
            )
        for handler, harm in BREAKS_IT.items():
            if proved(handler, rule, PROMISE_JOB, crashes=1).ok:
                spoilt = proved(
                    handler, functools.partial(library_of("04-promise"), right=averages), PROMISE_JOB, crashes=1
                ).counterexample
                return wrong(f"It holds in a run that {harm}.", spoilt, handler)
    except BadInput as why:
        return wrong(str(why))
    return right("It allows repeats, and finds the averages that are wrong or missing in the end.")


# 04-silent-harm: an order of the writes and a crash that leave wrong averages but right numbers of them.

SILENT_HARM_HOUR = 3


@gap("04-silent-harm", takes=(list, tuple))
def check_silent_harm(answer):
    """Kill the handler with the chosen order of writes at the chosen letter, and judge the result."""
    if callable(answer):
        ((fine, said),) = answers(answer, [[]])
        if not fine:
            return wrong(f"Your function fails with {said}.")
    else:
        said = answer
    if said is None or said is ...:
        return unsolved("an order and a letter, returned together,")
    try:
        order, letter = said
        handler = handler_in_order(order)
    except CourseError as why:
        return wrong(str(why))
    except (TypeError, ValueError):
        return wrong(f"It gives {said!r}; give two things, an order of the four writes and a letter.")
    if letter not in POINTS:
        return wrong(f"The letter is {letter!r}; it is one of A, B, C, D and E.")
    judged = judge(simulate(handler, FaultPlan.crash(letter, SILENT_HARM_HOUR)), handler)
    harm = judged.damage
    if judged.consistent:
        return wrong(f"A crash at {letter} does no harm in this order. {judged.sentence}", judged, handler)
    for what, hours in (("in the output more than once", harm.duplicated), ("missing", harm.missing)):
        if hours:
            return wrong(
                f"Counting the averages reveals this crash: the average of hour {hours[0]} is {what}. "
                f"{judged.sentence}",
                judged,
                handler,
            )
    if harm.counter != harm.expected_counter:
        return wrong(f"The counter reveals this crash. {judged.sentence}", judged, handler)
    if not harm.wrong:
        return wrong(f"No average is wrong after this crash. {judged.sentence}", judged, handler)
    return right(
        f"Each hour has one average, the counter is right, and some averages are wrong. {judged.sentence}", judged
    )


# 04-what-it-saves: the values that a process must save for its successor.

WHAT_IT_SAVES_JOB = Job(items=6, duration=3)
BETWEEN = FaultPlan([Fault("input.read", 4, "crash before")])  # hour 3 is done, and hour 4 not begun

LACKS = {
    "positions": "Incarnation 2 cannot know how far incarnation 1 had come: the positions are not saved.",
    "state": "Incarnation 2 cannot know what was in the window: the state is not saved.",
}


@gap("04-what-it-saves")
def check_what_it_saves(answer):
    """Run the learner's handler without a crash, then kill it between two hours."""
    calm_run = calm(answer, WHAT_IT_SAVES_JOB)
    if calm_run.error:
        return wrong(f"With nothing killed, your handler fails: {what_failed(calm_run.error)}", calm_run, answer)
    saved = {entry.part for entry in calm_run.writes} & {"state", "positions"}
    hours = [push.value for push in calm_run.pushes]
    if hours != [push.value for push in simulate(library_of("04-what-it-saves"), job=WHAT_IT_SAVES_JOB).pushes]:
        return wrong("With nothing killed, the output is not the average of each hour, once.", calm_run, answer)
    if not saved:
        return unsolved("what is to be saved")
    judged = judge(called(simulate, answer, BETWEEN, WHAT_IT_SAVES_JOB), library_of("04-what-it-saves"))
    if judged.damage.outputs:
        lacks = " ".join(LACKS[part] for part in LACKS if part not in saved)
        reason = lacks or "State and positions are saved, but not with the values of the end of each iteration."
        return wrong(f"Killed between hours 3 and 4, it does not continue as it should. {reason}", judged, answer)
    return right(
        "Killed between two hours, your handler continues. What if it is killed in the middle of an hour?",
        judged,
        answer,
    )
