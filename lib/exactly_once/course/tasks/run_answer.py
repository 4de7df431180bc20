"""Learners' answers at work, in the sandbox's child process, where they can do no harm."""

import sysconfig
import traceback
from pathlib import Path

from ... import show as drawing
from ...errors import CourseError, by_cell, line_of
from ...faults import FaultPlan
from ...node.live import checked_handler
from ...node.pickling import pickle_handler, unpickle_handler
from ...sandbox import pool as sandbox
from ...sandbox import prove_safely
from ...simulate import simulate

SECONDS = 10.0
LONGEST_WORDS = 500  # characters of what a learner's exception says
LIBRARIES = (str(Path(__file__).parents[2]), *map(sysconfig.get_paths().get, ("stdlib", "purelib", "platlib")))


sandbox.preload(__package__)  # it takes a second or more, which is no time of the learner's


class AnswerFailed(CourseError):
    """A learner's code raised. `traceback` holds the learner's own lines."""

    def __init__(self, message, traceback=""):
        super().__init__(message)
        self.traceback = traceback


def proved(handler, rule, job, seconds=SECONDS, **bounds):
    """Return the `Proof` of a learner's handler under an invariant, `rule`; `bounds` go to `prove`.

    Raises `CourseError` for code that does not come to an end within `seconds`, or cannot be explored.
    """
    return prove_safely(handler, invariant=rule, job=job, seconds=seconds, **bounds)


def called(ours, theirs, *arguments, seconds=5.0, seed=None):
    """Return what `ours(theirs, *arguments)` returns, called in the child process.

    `ours` is a function of the course, at the top of its module; `theirs` what the learner wrote: a function, a
    class, or a dictionary or list of them. It gets there as a fresh copy, and what it prints is dropped. With `seed`
    the process is the one with this hash seed, one of `HASH_SEEDS`. Raises `AnswerFailed` when the learner's code
    raises, `HandlerStuck` when it takes more than `seconds` seconds, and whatever `CourseError` `ours` raises.
    """
    return sandbox.call(_called, ours, pickle_handler(theirs), arguments, seconds=seconds, seed=seed)


def calm(handler, job, seconds=5.0):
    """Return the `Run` of a learner's handler when nothing goes wrong. Raises as `called` does."""
    return called(simulate, checked_handler(handler), FaultPlan(), job, seconds=seconds)


def calm_picture(handler, job, hour):
    """Draw what a learner's handler does at one hour of a calm run, or say that there is no handler yet."""
    if handler is ...:
        return drawing.Picture("<p>There is no handler yet.</p>", text="There is no handler yet.")
    return drawing.spacetime(calm(handler, job), hour)


def answers(function, cases, seconds=5.0):
    """Return what a learner's function answers to each of `cases`: (True, answer) or (False, what it raised).

    A case is the argument; for a function of several arguments give a list of them, `[first, second]`.
    """
    return called(_answers, function, list(cases), seconds=seconds)


def _called(ours, pickled, arguments):
    try:
        return ours(unpickle_handler(pickled), *arguments)
    except CourseError:
        raise
    except BaseException as why:  # noqa: BLE001 - whatever a learner's code raises, SystemExit too, is told
        raise AnswerFailed(f"Your code fails with {words_of(why)}.", own_lines(why)) from None


def _answers(function, cases):
    return [_answer(function, case if isinstance(case, list) else [case]) for case in cases]


def _answer(function, arguments):
    try:
        return True, function(*arguments)
    except BaseException as why:  # noqa: BLE001 - whatever a learner's code raises, SystemExit too, is told
        return False, words_of(why)


def words_of(why):
    """Return what an exception is and says, cut short where nobody would read on, and the learner's line, if any."""
    said = str(why)
    said = said if len(said) <= LONGEST_WORDS else f"{said[:LONGEST_WORDS]} …"
    told = f"{type(why).__name__}: {said}" if said else type(why).__name__
    frames = _own_frames(why)
    return f"{told} ({line_of(frames[-1].filename, frames[-1].lineno)})" if frames else told


def own_lines(why):
    """Return the traceback of the learner's own lines."""
    return by_cell("".join(traceback.StackSummary.from_list(_own_frames(why)).format()))


def _own_frames(why):
    """Return the frames of an exception that are neither this package's nor a library's."""
    return [
        frame
        for frame in traceback.extract_tb(why.__traceback__)
        if not frame.filename.startswith((*LIBRARIES, "<fr"))
    ]
