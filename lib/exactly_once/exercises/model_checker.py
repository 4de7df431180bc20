"""A plain model checker: every schedule of a model whose states are values, the shortest schedule first.

This is the loop of chapter 01 (gap 01-explore) with bounds, a rule for unfinished work, and an error message in
words. The explorer (`explore`) suspends a learner's function in the middle; here, a learner's class is a part
of a model that calls its methods. The shape is that of stateright's `Model` (Rust, github.com/stateright).

    found, frontier = {key of the first state}, [the first state]
    while frontier:
        state = frontier.pop(0)                    # breadth-first, so the first schedule found is a shortest one
        for action in actions(state):
            after = next(state, action)
            if the key of after is in found: continue
            if the rule does not hold in after: return the schedule, and action
            add the key to found, and after to frontier
"""

import contextlib
import copy
import io
import pickle
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from ..errors import CourseError, own_lines, words_of

State = TypeVar("State")
Value = TypeVar("Value")
KEEP = "Keep numbers, texts, lists, tuples, sets and dictionaries in self."


class Broken(Exception):
    """A property does not hold. `traceback` holds the learner's own lines where their code raised.

    Where it happened within a step, `within` and `state` say so: a line of the schedule, and the state it led to.
    """

    within: str = ""
    state: Any = None

    def __init__(self, sentence: str, traceback: str = "") -> None:
        super().__init__(sentence)
        self.traceback = traceback


class Action(NamedTuple):
    """Something that may happen: a line of the schedule, and the model's method that carries it out."""

    words: str
    method: str
    arguments: tuple[Any, ...] = ()


class Step(NamedTuple):
    """An action that was carried out, and its result in words; "" where the result needs no words or is not known."""

    action: Action
    answer: Any = ""

    def __str__(self) -> str:
        return f"{self.action.words}: {self.answer}" if self.answer != "" else self.action.words


@dataclass(frozen=True)
class Found:
    """The result of a search, or of one schedule that was carried out.

    `sentence` is "" when nothing is wrong. `steps` are those of the schedule, `lines` tell them, and `shown` is what
    the model shows of the last state. `states` were found, and `whole` tells whether these are all; if not, every
    schedule of fewer than `depth` steps was tried. `traceback` holds the learner's own lines.
    """

    sentence: str = ""
    steps: tuple[Step, ...] = ()
    lines: tuple[str, ...] = ()
    shown: Any = None
    states: int = 0
    whole: bool = True
    depth: int = 0
    traceback: str = ""

    @property
    def schedule(self) -> tuple[Action, ...]:
        """The actions of the schedule."""
        return tuple(step.action for step in self.steps)


class Model(ABC, Generic[State]):
    """The model that is explored. States are values: `next` returns a new one and changes none.

    A model has `start` and `actions`. The rest may stay as it is here: a rule that always holds, nothing that is
    left to do, and states that are hashable. `start`, `next`, `judge` and `settle` may raise `Broken`.
    """

    @abstractmethod
    def start(self) -> State:
        """Return the first state."""

    @abstractmethod
    def actions(self, state: State) -> Iterable[Action]:
        """Yield the possible next actions."""

    def next(self, state: State, action: Action) -> tuple[State, Any]:
        """Return (the state after an action, its result); the result is a part of the action's line."""
        after: tuple[State, Any] = getattr(self, action.method)(state, *action.arguments)
        return after

    def judge(self, state: State) -> None:
        """Raise `Broken` where a state must not be."""

    def settle(self, state: State) -> None:
        """Let nothing go wrong any more. Raise `Broken` if work is left undone."""

    def key(self, state: State) -> Any:
        """Return a value that is equal for equal states only."""
        return state

    def shown(self, state: State) -> Any:
        """Return the part of a state that a picture shows, as plain values."""
        return None


def explore(model: Model[State], states: int = 20_000, seconds: float = 3_600.0) -> Found:
    """Return the result of every schedule of a model; the shortest schedule that breaks it comes first.

    The search ends, not `whole`, where there are more than so many `states`, or after so many seconds. Raises
    `CourseError` for a state that cannot be copied or compared.
    """
    last, until = _Last(model), time.monotonic() + seconds
    with last.broken() as found:
        state = last.start()
        known = {model.key(state)}
        frontier: deque[tuple[State, tuple[Step, ...]]] = deque([(state, ())])
        while frontier:
            state, schedule = frontier.popleft()
            last.state, last.steps = state, schedule
            model.settle(state)
            for action in model.actions(state):
                last.state, last.steps = state, schedule
                after = last.next(action)
                if (key := model.key(after)) in known:
                    continue
                model.judge(after)
                if len(known) >= states or time.monotonic() > until:
                    return Found(states=len(known), whole=False, depth=len(schedule))
                known.add(key)
                frontier.append((after, last.steps))
        return Found(states=len(known))
    return found[0]


def carried_out(model: Model[State], schedule: Iterable[Action], judged: bool = True) -> Found:
    """Return the result of one schedule; unless it is `judged`, only a failure is reported."""
    last = _Last(model)
    with last.broken() as found:
        state = last.start()
        for action in schedule:
            state = last.next(action)
            if judged:
                model.judge(state)
        if judged:
            model.settle(state)
        return last.found()
    return found[0]


class _Last(Generic[State]):
    """The state of a model that was reached last, and the steps to it."""

    def __init__(self, model: Model[State]) -> None:
        self.model = model
        self.state: Any = None
        self.steps: tuple[Step, ...] = ()

    def start(self) -> State:
        self.state, self.steps = None, ()
        state = self.model.start()
        self.state = state
        self.model.judge(state)
        return state

    def next(self, action: Action) -> State:
        before, steps = self.state, self.steps
        self.steps = (*steps, Step(action))
        after, answer = self.model.next(before, action)
        self.state, self.steps = after, (*steps, Step(action, answer))
        return after

    def found(self, why: Broken | None = None) -> Found:
        lines, state = tuple(map(str, self.steps)), self.state
        if why is None:
            return Found("", self.steps, lines, self.model.shown(state))
        lines, state = (*lines, why.within) if why.within else lines, state if why.state is None else why.state
        shown = None if state is None else self.model.shown(state)
        return Found(str(why), self.steps, lines, shown, traceback=why.traceback)

    @contextlib.contextmanager
    def broken(self) -> Iterator[list[Found]]:
        """Put into the list that it gives what a `Broken` tells."""
        told: list[Found] = []
        try:
            yield told
        except Broken as why:
            told.append(self.found(why))


@contextlib.contextmanager
def step(words: str, state: Any) -> Iterator[None]:
    """Let a `Broken` tell that it happened within a step, in `words`, that led to `state`."""
    try:
        yield
    except Broken as why:
        why.within, why.state = words, state if why.state is None else why.state
        raise


def asked(words: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of a learner's function. Raises `Broken`, with `words`, for any exception of the function."""
    try:
        return function(*arguments)
    except CourseError:
        raise
    except Exception as why:  # noqa: BLE001 - whatever a learner's code raises is told, with the schedule
        raise Broken(f"{words} fails with {words_of(why)}.", own_lines(why)) from None


def copied(value: Value, replaced: dict[int, Any] | None = None) -> Value:
    """Return a copy of a learner's object; `replaced` maps the id of an object in it to its replacement.

    Raises `CourseError` for an object that cannot be copied.
    """
    try:
        return copy.deepcopy(value, dict(replaced or {}))
    except Exception as why:
        raise CourseError(f"An object of your class cannot be copied ({words_of(why)}). {KEEP}") from why


def frozen(*values: Any) -> bytes:
    """Return bytes that are equal for equal values only. Raises `CourseError` for a value without such bytes."""
    pickled = io.BytesIO()
    pickler = _Pickler(pickled)
    pickler.fast = True  # equal values, equal bytes: without it, they depend on which of them are one object
    try:
        pickler.dump(values)
    except Exception as why:
        raise CourseError(
            f"An object of your class holds something that cannot be compared ({words_of(why)}). {KEEP}"
        ) from why
    return pickled.getvalue()


def flat(content: Any) -> Iterator[Any]:
    """Yield the items of nested lists, tuples, sets and dictionaries that are no such container."""
    if isinstance(content, dict):
        content = [*content, *content.values()]
    if isinstance(content, (list, tuple, set, frozenset)):
        for each in content:
            yield from flat(each)
    else:
        yield content


class _Pickler(pickle.Pickler):
    """Pickles a class by its name: nobody reads these bytes, and a learner's class lives in no module."""

    def reducer_override(self, value: Any) -> Any:
        return (named, (value.__qualname__,)) if isinstance(value, type) else NotImplemented


def named(name: str) -> str:
    """Return the replacement of a class in those bytes."""
    return name
