"""What makes no sense is refused in a sentence: estimates, contention, the general form and what it reads."""

import math
import re

import pytest

from exactly_once import CellSource, in_turns
from exactly_once.errors import BadInput
from exactly_once.lockfree import Estimate, Given, Queue, contend
from exactly_once.lockfree.general import general


def same(state, readings):
    return state, []


def pushes(node):
    Queue(node.registers, "output").push("mine")


WRONG = [  # (what is called, with what, what is said)
    (Estimate, {"nodes": 0}, "the number of nodes is 0"),
    (Estimate, {"nodes": 2.0}, "the number of nodes is 2.0"),
    (Estimate, {"batch": 0}, "the length of a batch in seconds is 0"),
    (Estimate, {"batch": "10"}, "the length of a batch in seconds is '10'"),
    (Estimate, {"a_day": 8641}, "from 0 to 8640, so many batches a day has"),
    (Estimate, {"a_day": -1}, "the number of mishaps a day is -1"),
    (Estimate, {"a_day": math.nan}, "the number of mishaps a day is nan"),
    (Estimate, {"repair": 0}, "the repair time in batches is 0"),
    (Estimate, {"common": 1.1}, "the share of mishaps with a common cause is 1.1"),
    (contend, {"queue": "stack"}, "stack"),
    (contend, {"processes": 5}, "5"),
    (contend, {"processes": 1, "stopped": "step"}, "1"),
    (contend, {"stopped": "anywhere"}, "anywhere"),
    (contend, {"pushes": 2, "stopped": "step"}, "2"),
    (contend, {"pushes": 0}, "0"),
    (general, {"function": 3}, "two arguments"),
    (general, {"function": same, "name": "a.b"}, "without a dot"),
    (general, {"function": same, "name": ""}, "without a dot"),
    (general, {"function": same, "outputs": "output"}, "names of queues"),
    (general, {"function": same, "outputs": ("a", "a")}, "name each queue once"),
    (general, {"function": same, "inputs": "left"}, "queues to read"),
    (general, {"function": same, "inputs": ("",)}, "queues to read"),
    (general, {"function": same, "batch": 0}, "inputs of a step"),
    (general, {"function": same, "first": object()}, "cannot keep"),
    *((CellSource, {"queues": queues}, "The queues to read are") for queues in ((), "a", ("a", ""), ("a", "a"))),
    *(
        (Given, {"queues": ("a", "b"), "values": values}, "")
        for values in (((1,),), ((), ()), ((1,), (None,)), ((1,), (object(),)))
    ),
    (in_turns, {"handlers": [pushes], "turns": [1] * 9}, "one has ended"),
    (in_turns, {"handlers": [pushes], "turns": [2]}, "number of a node"),
]


def test_what_makes_no_sense_is_refused():
    for call, settings, words in WRONG:
        with pytest.raises(BadInput, match=re.escape(words)):
            call(**settings)
