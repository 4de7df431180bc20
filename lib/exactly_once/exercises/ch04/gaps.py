"""The gaps of chapter 04: how the learner's lines are judged."""

import functools
from collections import Counter

import pandas as pd

from ... import show as drawing
from ...errors import BadInput, CourseError, what_failed
from ...faults import POINTS, Fault, FaultPlan
from ...handlers import at_least_once, at_most_once, handler_in_order
from ...pipeline import Job, Window
from ...pipeline.window import spans
from ...simulate import simulate
from ...solutions import library_of
from ...stores.codec import decode
from ...verdict import judge
from ...verdict.verdict import endless, step_limit
from ..kinds.gap import gap
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


# 04-invariant: an invariant against doubled averages.

INVARIANT_JOB = Job(items=2)
NOTHING = "it gives no answer"


def goes_back(node):
    """A handler that pushes the first average a second time, after all others; no fault is needed."""
    positions, window, first = node.positions.load(), node.state.load(), None
    while node.running():
        items, positions = node.read(positions)
        window.push(items)
        node.output.push(window.average())
        first = first or window.average()
    node.output.push(first)


CALM = Job(items=3)  # one hour more than `INVARIANT_JOB`: counting the averages is not enough
DOUBLING = ((at_least_once, FaultPlan.crash("C", 1)), (goes_back, FaultPlan()))


def asked(rule, view, **given):
    """Return the answer of a learner's rule to a view, or `NOTHING` for a rule without an answer."""
    said = rule(view, **given)
    return NOTHING if said is None or said is ... else said


@gap("04-invariant")
def check_invariant(answer):
    """Explore, under the learner's invariant, one handler that doubles nothing and two that double an average."""
    rule = functools.partial(asked, answer)
    try:
        found = proved(at_most_once, rule, CALM, crashes=1).counterexample
        if found and NOTHING in found.sentence:
            return unsolved("your lines, with a return at their end,")
        if found:
            hours = len(found.run.pushes)
            return wrong(
                f"It says no although nothing is doubled, at a moment with {hours or 'no'} "
                f"{'average' if hours == 1 else 'averages'} in the output.",
                found,
                at_most_once,
            )
        for handler, plan in DOUBLING:
            if proved(handler, rule, INVARIANT_JOB, crashes=len(plan.faults)).ok:
                run = simulate(handler, plan, INVARIANT_JOB)
                values = list(dict.fromkeys(push.value for push in run.pushes))
                hours = " ".join(str(values.index(push.value) + 1) for push in run.pushes)
                return wrong(f"It holds in a run that doubles an average: this one pushes {hours}.", run, handler)
    except BadInput as why:
        return wrong(str(why))
    return right("The invariant holds where no average is doubled, and fails where one is.")


# 04-never-twice: the four writes in an order in which no average is ever in the output twice.

NEVER_TWICE_JOB = Job(items=3)


def no_more_than_hours(view):
    """The rule: the output never holds more averages than there are hours in the inputs."""
    count = len(view.outputs)
    return (
        count <= NEVER_TWICE_JOB.items
        or f"{spans(range(1, NEVER_TWICE_JOB.items + 1))} have {count} averages in the output"
    )


@gap("04-never-twice", refuses=(at_most_once,))
def check_never_twice(answer):
    """Compare a run without a crash with the library's, then try a crash anywhere."""
    run = calm(answer, NEVER_TWICE_JOB)
    if run.error:
        return wrong(f"With nothing killed, your handler fails: {what_failed(run.error)}", run, answer)
    if not run.writes:
        return unsolved("the four writes")
    judged = judge(run, at_least_once)
    if not judged.exactly_once:
        return wrong(
            f"With nothing killed, your handler leaves something else than `naive`. {judged.sentence}", judged, answer
        )
    found = proved(answer, no_more_than_hours, NEVER_TWICE_JOB, crashes=1).counterexample
    if found:
        return wrong(f"A crash doubles an average. {found.sentence}", found, answer)
    return right(
        "Wherever the process dies, no average is in the output twice. The price is that effects can be lost."
    )


# 04-one-step: state and positions in one write, so that no crash makes them disagree.

ONE_STEP_JOB = Job(items=3)


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


BREAKS_IT = {
    at_least_once: "leaves a wrong average",
    one_too_many: "leaves a wrong average",
    too_early: "loses an average",
}


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


# 04-trim: which readings stay in a window?

HOURS = 3
CASES = {  # {what is special about a case: the hours of its readings, stream by stream}
    "one reading in each hour": ([1, 2, 3, 4, 5], []),
    "two readings in each hour": ([1, 2, 3, 4], [1, 2, 3, 4]),
    "nothing that is too old": ([4, 5], [4]),
    "one hour twice": ([1, 2, 3, 3, 4], []),
    "a stream that is behind": ([3, 4, 5], [1, 2, 3]),
}


def readings_of(case):
    """Return the list of `Reading`s of a case, in the order in which they were pushed."""
    streams = Job(items=6).inputs().values()
    return [stream[hour - 1] for stream, hours in zip(streams, CASES[case], strict=True) for hour in hours]


@gap("04-trim", refuses=(Window.trim,))
def check_trim(answer):
    """Ask the learner's function about windows with old readings, none, one twice, and a stream that is behind."""
    asked = {case: readings_of(case) for case in CASES}
    told = answers(answer, [[readings, HOURS] for readings in asked.values()])
    if all(fine and (said is None or said is ...) for fine, said in told):
        return unsolved("your lines, with a return at their end,")
    for (case, readings), (fine, said) in zip(asked.items(), told, strict=True):
        wanted = library_of("04-trim")(readings, HOURS)
        if not fine:
            return wrong(f"With {case}, your lines fail with {said}.")
        if not isinstance(said, (list, tuple)):
            return wrong(f"With {case}, it returns {said!r}; give a list of readings.")
        if strange := [one for one in said if one not in readings]:
            return wrong(f"With {case}, its list holds {strange[0]!r}, which is not one of the readings.")
        if Counter(said) != Counter(wanted):
            return wrong(_difference(case, said, wanted), picture=_picture(readings, said, wanted))
    return right(
        "It drops the old readings and no others. Note that it does not ask whether a reading is in the window twice."
    )


def _difference(case, said, wanted):
    kept, lost = Counter(said) - Counter(wanted), Counter(wanted) - Counter(said)
    newest = max(reading.hour for reading in wanted)
    what = (
        f"With {case}, the newest hour is {newest}, so the last {HOURS} hours are {newest - HOURS + 1} to {newest}."
    )
    if kept:
        return f"{what} Your lines keep a reading of hour {next(iter(kept)).hour}."
    return f"{what} Your lines drop a reading of hour {next(iter(lost)).hour}."


def _picture(readings, said, wanted):
    """Draw the readings that should stay beside the readings that did."""
    rows, left, right_ones = [], Counter(said), Counter(wanted)
    for reading in readings:
        stays, kept = right_ones[reading] > 0, left[reading] > 0
        right_ones[reading] -= stays
        left[reading] -= kept
        words = ("✓ " if stays == kept else "✗ ") + ("kept" if kept else "dropped")
        rows.append((reading.hour, reading.stream, "stays" if stays else "goes", words))
    table = pd.DataFrame(rows, columns=["hour", "stream", "should", "with your lines"])
    return drawing.Picture(drawing.table_html(table), text=table.to_string(index=False))


# 04-try-again: call an increment again when its outcome is unknown.

TRY_AGAIN_HOUR = 3
FAULTS = {"lost request": "its request is lost", "lost reply": "its reply is lost"}


def handler_that(manages):
    """Return the chapter's handler with `manages` in charge of the increment."""

    def handler(node):
        positions, window = node.positions.load(), node.state.load()
        while node.running():
            items, next_positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.output.push(window.average())
            if len(window) > node.threshold:
                manages(node.database.increment)
            node.state.save(window)
            node.positions.save(next_positions)
            positions = next_positions

    return handler


def run_with(manages, plan):
    """Return the `Run` of that handler under a fault plan."""
    return simulate(handler_that(manages), plan, Job())


def verdict(manages, plan):
    """Return (verdict, run) of the learner's lines under a fault plan. The lines run in the sandbox."""
    try:
        run = called(run_with, manages, plan)
    except CourseError as why:
        if str(why) == endless(step_limit([Job()])):
            raise CourseError("Your lines call the increment again and again, and do not return.") from None
        raise
    return judge(run, handler_that(library_of("04-try-again"))), run


@gap("04-try-again")
def check_try_again(answer):
    """Run the chapter's handler with the learner's lines: calm, with the request lost, with the reply lost."""
    calm, run = verdict(answer, FaultPlan())
    handler = handler_that(answer)
    if run.error:
        return wrong(
            f"With nothing lost, your lines fail: {what_failed(run.error)}", calm, handler, traceback=run.error
        )
    if not run.outcome.counter:
        return unsolved("your lines")
    if not calm.exactly_once:
        return wrong(f"With nothing lost, one call is enough. {calm.sentence}", calm, handler)
    lost = {kind: verdict(answer, FaultPlan([Fault("database.increment", TRY_AGAIN_HOUR, kind)])) for kind in FAULTS}
    for kind, (judged, run) in lost.items():
        if run.error:
            return wrong(
                f"When {FAULTS[kind]}, your lines fail: {what_failed(run.error)} The error has to be caught.",
                judged,
                handler,
                traceback=run.error,
            )
    request = lost["lost request"][0]
    if request.damage.counter > request.damage.expected_counter:
        return wrong(f"When {FAULTS['lost request']}, one more call is enough. {request.sentence}", request, handler)
    if not request.exactly_once:
        return wrong(
            f"When {FAULTS['lost request']}, the increment is not carried out, and your lines do not try again. "
            f"{request.sentence}",
            request,
            handler,
        )
    return right(
        "It calls once when all goes well, and a second time when the outcome is unknown. "
        "The next question asks what that costs."
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
