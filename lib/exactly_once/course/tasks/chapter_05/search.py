"""Every schedule of a learner's broker, the shortest first: a breadth-first search over plain states (05b, 05e)."""

import contextlib
import copy
import io
import pickle
from collections import deque
from dataclasses import dataclass

from ....errors import CourseError
from ..run_answer import own_lines, words_of


class Broken(Exception):
    """The specification does not hold. `traceback` holds the learner's own lines where the code raised.

    `words` tell a step that led there and that the search does not know of, `state` what it led to.
    """

    words, state = "", None

    def __init__(self, sentence, traceback=""):
        super().__init__(sentence)
        self.traceback = traceback


@dataclass(frozen=True)
class Found:
    """What a search came to: `sentence` is "" when nothing is wrong; if not, `lines` tell the schedule, and `log` is
    what the broker's log holds in the end, `arrivals` what came to it, where the states note that. `states` were
    looked at, `whole` tells whether these are all.
    """

    sentence: str = ""
    lines: tuple = ()
    log: tuple = ()
    arrivals: tuple = ()
    states: int = 0
    whole: bool = True
    traceback: str = ""


def searched(first, most):
    """Return what comes of all that can happen from a state on, looking at no more than `most` states.

    A state has `moves()`, which yields (words, a function that returns (the state after it, what was answered)),
    `judge()`, which raises `Broken`, `settle()`, which raises it if what is left to do is not done when nothing goes
    wrong any more, `key()` and `log`. Raises `CourseError` for a broker that cannot be copied or compared.
    """
    seen, queue = {_key(first)}, deque([(first, ())])
    while queue:
        state, lines = queue.popleft()
        try:
            state.settle()
        except Broken as why:
            return _found(why, lines, state, seen)
        for words, move in state.moves():
            after, told = state, (*lines, words)
            try:
                after, answer = move()
                told = (*lines, f"{words}: {answer}")
                after.judge()
            except Broken as why:
                return _found(why, told, after, seen)
            if (key := _key(after)) not in seen:
                if len(seen) >= most:
                    return Found(states=len(seen), whole=False)
                seen.add(key)
                queue.append((after, told))
    return Found(states=len(seen))


def _found(why, lines, state, seen):
    lines = (*lines, why.words) if why.words else lines
    state = why.state or state
    return Found(str(why), lines, state.log, getattr(state, "arrivals", ()), len(seen), traceback=why.traceback)


@contextlib.contextmanager
def step(words, state):
    """Let a `Broken` tell that it happened at a step, in `words`, that led to `state`."""
    try:
        yield
    except Broken as why:
        why.words, why.state = words, why.state or state
        raise


def asked(words, function, *arguments):
    """Return what a learner's function returns. Raises `Broken`, with `words`, for whatever it raises."""
    try:
        return function(*arguments)
    except Exception as why:  # noqa: BLE001 - whatever a learner's code raises is told, with the schedule
        raise Broken(f"{words} fails with {words_of(why)}.", own_lines(why)) from None


def copied(broker, replaced=None):
    """Return a copy of a learner's broker; `replaced` maps the id of an object in it to what stands in its place."""
    try:
        return copy.deepcopy(broker, dict(replaced or {}))
    except Exception as why:
        raise CourseError(f"Your broker cannot be copied ({words_of(why)}). {KEEP}") from why


def shared(kind):
    """Return in words what the brokers of a class have in common: values in the class, and globals of its methods."""
    held = [(name, value) for name, value in vars(kind).items() if not (callable(value) or name.startswith("__"))]
    for function in list(vars(kind).values()):
        names = getattr(function, "__globals__", {})
        held += [(name, names[name]) for name in function.__code__.co_names if name in names] if names else []
    return repr([(name, value) for name, value in held if isinstance(value, (int, str, list, dict, set, tuple))])


def alone(kind, before):
    """Raise `Broken` if brokers have changed what they share, which was `before`: no restart takes that away."""
    if shared(kind) != before:
        raise Broken(
            "Your brokers share something outside of themselves, a global variable or an attribute of the class. "
            "Another broker knows nothing of that: keep in self all that a broker knows."
        )


KEEP = "Keep numbers, texts, lists, tuples, sets and dictionaries in self."


def frozen(*values):
    """Return bytes that are equal for equal values only."""
    pickled = io.BytesIO()
    pickler = _Pickler(pickled)
    pickler.fast = True  # equal values, equal bytes: without it, they depend on which of them are one object
    pickler.dump(values)
    return pickled.getvalue()


class _Pickler(pickle.Pickler):
    """Pickles a class by its name: nobody reads these bytes, and a learner's class lives in no module."""

    def reducer_override(self, value):
        return (named, (value.__qualname__,)) if isinstance(value, type) else NotImplemented


def named(name):
    """Return what stands for a class in those bytes."""
    return name


def _key(state):
    try:
        return state.key()
    except Exception as why:
        raise CourseError(f"Your broker holds something that cannot be compared ({words_of(why)}). {KEEP}") from why
