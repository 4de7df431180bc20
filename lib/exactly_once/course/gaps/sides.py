"""What the gaps of chapters 03 and 05 share: the two sides of a log as programs, and how the learner's lines are
judged: by a proof, by moments of a run, and by a table of faults."""

from ...delivery.run import READINGS, key_of
from ...errors import CourseError, what_failed
from ...faults import Fault, FaultPlan
from ...handlers.logs.producer import producer_that_retries
from ...node import LogSource, Numbers, Program
from ...simulate import simulate
from ...verdict.ideal import endless, step_limit
from ..tasks.reply import right, unsolved, wrong
from ..tasks.run_answer import answers, called, proved

RECORD = 2


def sends(producer, records):
    """Return the program of a producer of so many records, which are the numbers from 1 on."""
    return Program(producer, Numbers(records), READINGS, "producer")


def both(consumer, records):
    """Return the programs of a producer and of a consumer of its log."""
    return [sends(producer_that_retries, records), Program(consumer, LogSource(READINGS), name="consumer")]


def calm(programs):
    """Return the `Run` of the learner's lines when nothing goes wrong. Raises as `called` does."""
    try:
        return called(simulate, programs, FaultPlan())
    except CourseError as why:
        if str(why) == endless(step_limit(programs if isinstance(programs, list) else [programs])):
            raise CourseError("Your lines take step after step, and do not come to an end.") from None
        raise


def stumbles(program, records, untouched):
    """Return the reply to a producer that falls short with nothing lost and nobody killed, or None.

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
        f"With nothing lost and nobody killed, your lines fail: {what_failed(run.error)}",
        run,
        handlers,
        traceback=run.error,
    )


def strayed(view):
    """Return what is wrong with the keys of the records in the log, or None."""
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


class Moment:
    """What a rule is asked about: what is in the log, and whether the producer has come to its end."""

    def __init__(self, outputs, done):
        self.outputs, self.done = list(outputs), done

    def look(self, store, part, kind):
        """Return the records of the partition as `View.look` does."""
        return [[offset, key_of(value), value, value] for offset, value in enumerate(self.outputs)]


def judged_by_moments(rule, moments, praise):
    """Return the reply to a rule of the learner's, asked about `moments`.

    Each is (what the log holds, whether the producer has come to its end, whether the rule holds, why).
    """
    found = answers(rule, [Moment(outputs, done) for outputs, done, _, _ in moments])
    if all(went and said in (None, ...) for went, said in found):
        return unsolved("your lines")
    for (outputs, done, holds, why), (went, said) in zip(moments, found, strict=True):
        when = f"The log holds {outputs}, and the producer {'has come to its end' if done else 'is still at work'}"
        if not went:
            return wrong(f"{when}: your rule fails with {said}.")
        if not isinstance(said, (bool, str)):
            return wrong(
                f"{when}: your rule returns {said!r}. It returns True, or False, or a text that says what is wrong."
            )
        if (said is True) != holds:
            return wrong(f"{when}. {why} Your rule returns {said!r}.")
    return right(praise)


def judged_by_copies(function, table, program, step, praise):
    """Return the reply to a learner's count of the copies that a fault leaves, asked for all of `table`.

    The table is {setting: {kind of fault: copies}}; `program(setting, records)` is what a run shows it with, its
    fault at the `step` of record 2.
    """
    cases = [(setting, kind) for setting in table for kind in table[setting]]
    found = answers(function, [list(case) for case in cases])
    if all(went and said in (None, ...) for went, said in found):
        return unsolved("your lines")
    for (setting, kind), (went, said) in zip(cases, found, strict=True):
        asked = f"copies({setting!r}, {kind!r})"
        if not went:
            return wrong(f"{asked} fails with {said}.")
        if said != table[setting][kind]:
            shown = program(setting, 3)
            run = simulate(shown, FaultPlan([Fault(step, RECORD, kind)]))
            left = [push.value for push in run.pushes].count(RECORD)
            return wrong(
                f"{asked} returns {said!r}. In this run, with that fault at record {RECORD}, the log holds it "
                f"{('not at all', 'once', 'twice')[left]}.",
                run,
                shown.handler,
            )
    return right(praise)
