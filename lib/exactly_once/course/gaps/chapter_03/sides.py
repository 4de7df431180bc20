"""What the gaps of chapter 03 share: the two sides of a log as programs, and a proof of the learner's lines."""

from ....delivery.run import READINGS, key_of
from ....errors import CourseError, what_failed
from ....faults import FaultPlan
from ....handlers.producer import producer_that_retries
from ....node import LogSource, Numbers, Program
from ....simulate import simulate
from ....verdict.ideal import endless, step_limit
from ...tasks.reply import unsolved, wrong
from ...tasks.run_answer import called, proved


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


def no_function(answer, what):
    """Return the reply to an answer that cannot be called, or None. `what` names what is asked for."""
    if answer is ...:
        return unsolved(what)
    return (
        None if callable(answer) else wrong(f"The answer is {answer!r}; give the function itself, without brackets.")
    )
