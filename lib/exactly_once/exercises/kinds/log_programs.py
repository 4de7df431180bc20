"""Shared code of the gaps of chapters 03 and 05: a producer as a program, and three ways to judge the learner's
lines: by a proof, by moments of a run, and by a table of faults."""

from ...delivery.run import READINGS, key_of
from ...errors import CourseError, what_failed
from ...faults import Fault, FaultPlan
from ...node import Numbers, Program
from ...simulate import simulate
from ...verdict.verdict import endless, step_limit
from .by_cases import by_cases
from .invariant import Moment, refused_moment
from .reply import right, unsolved, wrong
from .run_answer import called, proved

RECORD = 2


def sends(producer, records):
    """Return the program of a producer of so many records, which are the numbers from 1 on."""
    return Program(producer, Numbers(records), READINGS, "producer")


def calm(programs):
    """Return the `Run` of the learner's lines when nothing goes wrong. Raises as `called` does."""
    try:
        return called(simulate, programs, FaultPlan())
    except CourseError as why:
        if str(why) == endless(step_limit(programs if isinstance(programs, list) else [programs])):
            raise CourseError("Your lines take step after step, and do not come to an end.") from None
        raise


def stumbles(program, records, untouched):
    """Return the reply to a producer that is wrong even without a fault, or None.

    `untouched(run)` tells by the calm `Run` whether the learner's lines do nothing yet.
    """
    run = calm(program)
    if refused := failed(run, program):
        return refused
    if untouched(run):
        return unsolved("your lines")
    sent, wanted = [push.value for push in run.pushes], [*range(1, records + 1)]
    if sent != wanted:
        named = f"{', '.join(map(str, wanted[:-1]))} and {wanted[-1]}"
        return wrong(f"With nothing lost the log holds {sent}; it should hold records {named}.", run, program)
    return None


def sent_nothing(run):
    """Tell whether a run left the log empty."""
    return not run.pushes


def failed(run, handlers):
    """Return the reply to lines that fail by themselves, or None."""
    if not run.error:
        return None
    return wrong(
        f"Without any fault, your lines fail: {what_failed(run.error)}",
        run,
        handlers,
        traceback=run.error,
    )


def strayed(view):
    """Return a sentence on the mistake in the keys of the records in the log, or None."""
    for _, key, value, _ in view.look("log", READINGS.name, "partition"):
        if key != key_of(value):
            return f"record {value} is in the log under the key {key!r}; in the input its key is {key_of(value)!r}"
    return None


def broken(programs, rule, **cases):
    """Return the reply to the first case that breaks a rule, or None.

    `cases` are {words: bounds of `prove`}, tried in order.
    """
    for words, bounds in cases.items():
        proof = proved(programs, rule, None, **{"crashes": 0, **bounds})
        if proof.counterexample is not None:
            return wrong(f"{words}. {proof.counterexample.sentence}", proof.counterexample, programs)
        if not proof.exhausted:
            return wrong(f"{words}. That is not proved: {proof.stopped}. Write it with fewer steps.")
    return None


class LogMoment:
    """A moment that a rule is asked about: the values in the log, and whether the producer has finished."""

    def __init__(self, outputs, done):
        self.outputs, self.done = list(outputs), done

    def look(self, store, part, kind):
        """Return the records of the partition as `View.look` does."""
        return [[offset, key_of(value), value, value] for offset, value in enumerate(self.outputs)]


def judged_by_moments(rule, moments, praise):
    """Return the reply to a rule of the learner's, asked about `moments`.

    Each is (values in the log, whether the producer has finished, whether the rule holds, why).
    """
    return refused_moment(rule, [_moment(*moment) for moment in moments]) or right(praise)


def _moment(outputs, done, holds, why):
    ended = "has finished" if done else "is still at work"
    return Moment(f"The log holds {outputs}, and the producer {ended}", LogMoment(outputs, done), holds, why)


def judged_by_copies(function, table, program, step, praise):
    """Return the reply to a learner's count of the copies that a fault leaves, asked for all of `table`.

    The table is {setting: {kind of fault: copies}}; `program(setting, records)` is what a run shows it with, its
    fault at the `step` of record 2.
    """
    cases = [(setting, kind) for setting in table for kind in table[setting]]

    def objection(setting, kind, said):
        if said == table[setting][kind]:
            return None
        shown = program(setting, 3)
        run = simulate(shown, FaultPlan([Fault(step, RECORD, kind)]))
        left = ("not at all", "once", "twice")[[push.value for push in run.pushes].count(RECORD)]
        sentence = f"In this run, with that fault at record {RECORD}, the log holds it {left}."
        return wrong(f"{asked(setting, kind)} returns {said!r}. {sentence}", run, shown.handler)

    def asked(setting, kind):
        return f"copies({setting!r}, {kind!r})"

    return by_cases(function, cases, asked, objection) or right(praise)
