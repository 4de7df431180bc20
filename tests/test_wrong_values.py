"""Wrong values are refused in a sentence, at the parameters of the typed functions that notebooks call.

Each function is called with right arguments but for one, which gets values that its type does not admit. What is
asked for is an error of the course, under 600 characters, that quotes the value if it is a text or a number.
"""

import builtins
import inspect
import math
import types
import typing
from collections.abc import Hashable

import pytest

from exactly_once import show
from exactly_once.clocks import LamportClock, random_history
from exactly_once.course.classroom.files import read_folder
from exactly_once.course.classroom.hand_in import hand_in
from exactly_once.course.workshop.build import build
from exactly_once.errors import CourseError
from exactly_once.explore import prove, replay
from exactly_once.handlers import at_least_once
from exactly_once.log import Consumer, Producer, load_log, murmur2, open_log, partition_for
from exactly_once.node import LogSource, Numbers, Partition
from exactly_once.paths import ROOT
from exactly_once.pipeline import Job
from exactly_once.simulate import simulate
from exactly_once.stores import SQLiteStore
from exactly_once.verdict import judge
from exactly_once.widgets import same_stop

RUN = simulate(at_least_once, job=Job(items=1))
PROOF = prove(at_least_once, items=1)
JUDGED = judge(RUN, at_least_once)
HISTORY = random_history(2, 4)
MEMORY = open_log()
MEMORY.create_topic("clicks")
# The functions and classes for notebooks, each with right arguments for the parameters without a default.
DOORS = {
    LamportClock: {},
    random_history: {},
    prove: {"handler": at_least_once, "items": 1},
    replay: {"token": PROOF.counterexample.token, "handler": at_least_once},
    Consumer: {"log": MEMORY, "topic": "clicks"},
    Producer: {"log": MEMORY},
    load_log: {"dump": {}},
    murmur2: {"key": "ann"},
    open_log: {},
    partition_for: {"key": "ann", "partitions": 2},
    build: {"tag": "lab-1"},
    hand_in: {},
    read_folder: {"folder": ROOT / "data"},
    LogSource: {"partition": Partition("clicks")},
    Numbers: {},
    Partition: {"name": "clicks"},
    Job: {},
    show.averages: {"judged": JUDGED},
    show.code: {"handler": at_least_once},
    show.history: {"events": HISTORY},
    show.log: {"source": MEMORY},
    show.proof: {"found": PROOF},
    show.series_figure: {},
    show.side_by_side: {"schedule": PROOF},
    show.spacetime: {"source": JUDGED},
    show.verdict: {"judged": JUDGED},
    simulate: {"handler": at_least_once},
    SQLiteStore: {"path": ":memory:"},
    judge: {"run": RUN, "handler": at_least_once},
    same_stop: {},
}
# Parameters whose wrong values are not all refused in such a sentence yet. A name goes from here when they are.
LET_THROUGH = {
    "Consumer": "isolation log",
    "LogSource": "isolation most partition",
    "Numbers": "stream",
    "Partition": "acks brokers min_insync_replicas sequence_rule",
    "Producer": "idempotent log seed",
    "SQLiteStore": "name",
    "history": "marked order path stamps",
    "judge": "handler ideals reference run",
    "load_log": "dump",
    "log": "numbers readers",
    "open_log": "flush",
    "proof": "whole",
    "prove": "beat lock_free merge nodes progress stopped",
    "random_history": "overtaking seed",
}
WRONG = (None, "nonsense", b"bytes", -7, 2.5, math.nan, [[]], {"a": 10**60}, object())


def admits(hint, value):
    """Tell whether a type admits a value. What a container holds is not looked at."""
    if hint in (typing.Any, object, Hashable) or isinstance(hint, typing.TypeVar):
        return True
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return any(admits(one, value) for one in typing.get_args(hint))
    if typing.get_origin(hint) is typing.Literal:
        return value in typing.get_args(hint)
    kind = typing.get_origin(hint) or hint
    if kind is float:
        return isinstance(value, (int, float))
    return isinstance(kind, type) and isinstance(value, kind)


class Names(dict):
    """The names that a function's types may use. A type that is imported for mypy alone admits no wrong value."""

    def __missing__(self, name):
        return vars(builtins).get(name) or type(name, (), {})


def parameters():
    """Yield (function, name of a parameter, its type) for all doors."""
    for door in DOORS:
        code = door.__init__ if inspect.isclass(door) else door
        hints = typing.get_type_hints(code, localns=Names(code.__globals__))
        for name, one in inspect.signature(door).parameters.items():
            if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL):
                yield door, name, hints[name]


CASES = [
    pytest.param(door, name, value, id=f"{door.__name__}-{name}-{number}")
    for door, name, hint in parameters()
    if name not in LET_THROUGH.get(door.__name__, "").split()
    for number, value in enumerate(WRONG)
    if not admits(hint, value)
]


@pytest.mark.some(day=100)
@pytest.mark.parametrize(("door", "name", "value"), CASES)
def test_a_wrong_value_is_refused(door, name, value):
    with pytest.raises(CourseError) as told:
        door(**{**DOORS[door], name: value})
    text = str(told.value)
    assert len(text) < 600
    if isinstance(value, (str, int, float)):
        assert str(value) in text


def test_the_names_of_what_is_let_through_are_names_of_parameters():
    there = {(door.__name__, name) for door, name, _ in parameters()}
    assert {(door, name) for door, names in LET_THROUGH.items() for name in names.split()} <= there
