"""What makes no sense is refused in a sentence, before any cluster starts."""

import pytest

from exactly_once import Job, Numbers, replay_on_cluster, run_on_cluster
from exactly_once.clocks import effects_before_causes
from exactly_once.errors import BadInput, CourseError
from exactly_once.handlers import at_least_once
from exactly_once.lockfree import general
from exactly_once.spark import (
    LiveRun,
    Twins,
    broken_conditions,
    cluster,
    delivery_table,
    kill_the_leader,
    run_query,
    waits,
)

SETTINGS = [  # (what is called, the settings, what is said)
    *((cluster, {"master": master}, "master is ") for master in ("local[0]", "local[2,]", "locale", 2)),
    (cluster, {"slots": 3}, "slots is 3"),
    (kill_the_leader, {"acks": 2}, "acks is 2"),
    (kill_the_leader, {"records": 5}, "at is 20"),
    (kill_the_leader, {"moment": "later"}, "moment is 'later'; it can be appended, replicated, anywhere"),
    (kill_the_leader, {"acks": 1, "idempotent": True}, "An idempotent producer needs acks='all', and it is 1"),
    (delivery_table, {"records": 9}, "number of records"),
    *((waits, {"fault": "stop", "seconds": seconds}, "the length of the stop") for seconds in (0, 61, "2", None)),
    (effects_before_causes, {"table": [1]}, "columns kind and message"),
    *((run_query, {"sink": sink}, repr(sink)) for sink in ("both", 3)),
    (run_query, {"kill": [("F", 1)], "hours": 3}, "'F'; it can be A, B, C, D, E"),
    (run_query, {"kill": [("D", 3)], "hours": 3}, "a batch of kill is 3; it must be between 0 and 2"),
    (run_query, {"kill": ["D"], "hours": 3}, "['D']; give pairs"),
    *((broken_conditions, {"which": which}, "it can be none, source, rand") for which in ("sinks", ["none", "x"], 3)),
    *((run_on_cluster, {"handler": handler}, "handler") for handler in (None, 3, "x", lambda: None)),
    (LiveRun, {"handler": at_least_once, "job": Job(arrival="as it comes")}, "as it comes"),
    (LiveRun, {"handler": at_least_once, "job": Numbers(3)}, "The job of a live run is Numbers("),
    (LiveRun, {"handler": [at_least_once] * 2}, "give a function of one argument"),
    (Twins, {"job": Job(arrival="as it comes")}, "inputs that arrive together"),
    (Twins, {"handler": at_least_once}, "'at_least_once' is not lock-free"),
    (Twins, {"pace": 0}, "in a second is 0"),
]


def test_settings_that_make_no_sense():
    wrong = [(call, settings, words) for call, settings, words in SETTINGS if words not in said(call, **settings)]
    assert wrong == []


def said(call, **settings):
    """Return the sentence of the `BadInput` that a call raises."""
    with pytest.raises(BadInput) as why:
        call(**settings)
    return str(why.value)


def test_what_is_found_at_the_start_and_what_needs_one():
    silent = Twins(general(lambda state, readings: (state, [None])), hours=3)
    with pytest.raises(BadInput, match="0 outputs for 3 hours; twins here show one for each hour"):
        silent.__enter__()
    with pytest.raises(CourseError, match="have not begun"):
        Twins().kill(1)
    with pytest.raises(BadInput):
        replay_on_cluster("x", at_least_once)
