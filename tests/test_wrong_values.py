"""Wrong values are refused in a sentence, at the parameters of what notebooks call.

Each function is called with right arguments but for one, which gets values that its type does not admit. What is
asked for is an error of the course, under 600 characters, that quotes the value if it is a text or a number. What no
type says stands in `SAID`, with a part of the sentence.
"""

import builtins
import inspect
import math
import re
import types
import typing
from collections.abc import Hashable
from functools import partial

import pytest

from exactly_once import Job, LogSource, Numbers, Partition, judge, prove, show, simulate
from exactly_once.clocks import LamportClock, random_history
from exactly_once.course import exercises, first_crash, near_the_death, sorted_by_clocks
from exactly_once.errors import BadInput, CourseError
from exactly_once.explore import replay
from exactly_once.handlers import STAGES, Bank, Chain, at_least_once
from exactly_once.lockfree import Estimate, Given, assembled, general, stale_reads
from exactly_once.log import Consumer, Producer, load_log, murmur2, open_log, partition_for
from exactly_once.stores import SQLiteStore
from exactly_once.widgets import twins

two_locks = STAGES["locks"]
RUN = simulate(at_least_once, job=Job(items=1))
PROOF = prove(at_least_once, items=1)
JUDGED = judge(RUN, at_least_once)
HISTORY = random_history(2, 4)
MEMORY = open_log()
MEMORY.create_topic("clicks")
# The functions and classes for notebooks, each with right arguments for the parameters without a default.
RIGHT = {
    Estimate: {},
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
    exercises.hand_in: {},
    near_the_death: {"crash": first_crash()[0]},
    sorted_by_clocks: {"events": near_the_death(first_crash()[0])},
    LogSource: {"partition": Partition("clicks")},
    Numbers: {},
    Partition: {"name": "clicks"},
    Job: {},
    show.averages: {"judged": JUDGED},
    show.code: {"handler": at_least_once},
    show.history: {"events": HISTORY},
    show.log: {"source": MEMORY},
    show.proof: {"found": PROOF},
    show.side_by_side: {"schedule": PROOF},
    show.spacetime: {"source": JUDGED},
    show.verdict: {"judged": JUDGED},
    simulate: {"handler": at_least_once},
    SQLiteStore: {"path": ":memory:"},
    judge: {"run": RUN, "handler": at_least_once},
}
# Parameters whose wrong values are not all refused in such a sentence yet. A name goes from here when they are.
LET_THROUGH = {
    "Consumer": "isolation log",
    "LogSource": "partition",
    "Numbers": "stream",
    "Partition": "acks brokers min_insync_replicas sequence_rule",
    "Producer": "idempotent log seed",
    "history": "marked order path stamps",
    "judge": "handler ideals reference run",
    "load_log": "dump",
    "log": "readers",
    "proof": "whole",
    "prove": "beat lock_free merge nodes progress stopped",
    "random_history": "seed",
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
    for door in RIGHT:
        code = door.__init__ if inspect.isclass(door) else door
        hints = typing.get_type_hints(code, localns=Names(code.__globals__))
        for name, one in inspect.signature(door).parameters.items():
            if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL):
                yield door, name, hints[name]


def test_a_wrong_value_is_refused():
    let_through = []
    for door, name, hint in parameters():
        for value in WRONG if name not in LET_THROUGH.get(door.__name__, "").split() else ():
            if admits(hint, value):
                continue
            try:
                door(**{**RIGHT[door], name: value})
            except CourseError as told:
                text = str(told)
                quoted = not isinstance(value, (str, int, float)) or str(value) in text
            else:
                text, quoted = "nothing was said", False
            if not quoted or len(text) >= 600:
                let_through.append((door.__name__, name, value, text))
    assert let_through == []


def nothing(state, inputs):
    return state, []


ORDERS = r"give each mover at least one, such as \('a', 'b', 7\)"
SAID = [
    *((partial(make, orders), ORDERS) for make in (partial(Bank, two_locks), Chain) for orders in (None, 5, [[]])),
    (lambda: Bank(two_locks, accounts=3), "give the balance of each"),
    (lambda: Chain(accounts=["a", "b"]), "give the balance of each"),
    (lambda: Bank("two_locks"), "The transfer is 'two_locks'; give a function"),
    (lambda: Bank(two_locks, auditor="twice"), "The auditor is 'twice'; give a function"),
    (lambda: stale_reads("hints"), "the read is 'hints'; it can be hint, search, compare"),
    (lambda: stale_reads("hint", most="two"), "The number of stale reads is 'two'"),
    (lambda: assembled(nothing, nothing, "loop"), "A part of the handler is 'loop'; give three functions"),
    (lambda: near_the_death(RUN.trace), "give a trace in which a process dies"),
    (lambda: sorted_by_clocks((), math.inf), "The stores are inf behind; give seconds"),
    (lambda: general(nothing, outputs=5), "The outputs are 5; give the names of queues"),
    (lambda: general(nothing, inputs=5), "The queues to read are 5; give their names"),
    (lambda: Given(5), "The queues to read are 5; give their names"),
    (lambda: Given(("a",), 5), "The values are 5; give a list for each of a"),
    (lambda: twins(job=5), "The job is 5; give a Job"),
]


def test_what_makes_no_sense_is_refused_in_one_sentence():
    for call, says in SAID:
        with pytest.raises(BadInput, match=r"^[^\n]+[.]$") as why:
            call()
        assert re.search(says, str(why.value))


def test_the_names_of_what_is_let_through_are_names_of_parameters():
    there = {(door.__name__, name) for door, name, _ in parameters()}
    assert {(door, name) for door, names in LET_THROUGH.items() for name in names.split()} <= there
