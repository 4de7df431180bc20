"""The passes agree with the rules, event for event: on small random logs, without Spark."""

import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from exactly_once.clocks import Event, History
from exactly_once.clocks.generate import random_history
from exactly_once.errors import BadInput
from exactly_once.spark.clocks.stamp_locally import stamp_here
from tests.spark.clocks.alone import stamp_blocks


def log_of(history):
    """Return a history as a log: process and message by number."""
    processes, names = list(history.processes), {}
    rows = [
        (
            processes.index(event.process),
            history.index[place],
            event.kind,
            None if event.message is None else names.setdefault(event.message, len(names)),
        )
        for place, event in enumerate(history)
    ]
    return pandas.DataFrame(rows, columns=["process", "position", "kind", "message"])


def by_place(log, stamps):
    return dict(zip(zip(log["process"], log["position"], strict=True), stamps, strict=True))


def depth_of(history):
    """Return the most messages on one causal path."""
    depths = [0] * len(history)
    for place in history.causal_order:
        before = history.previous[place]
        ways = [depths[send] + 1 for send in history.senders[place]] + ([] if before is None else [depths[before]])
        depths[place] = max(ways, default=0)
    return max((depths[receive] for _, receive in history.arrows), default=0)


@settings(max_examples=150)
@given(
    some.integers(2, 6),
    some.integers(2, 60),
    some.integers(0, 10**6),
    some.sampled_from([0.3, 0.6, 0.9]),
    some.integers(1, 5),
)
def test_blocks_reference_and_history_agree_and_a_chain_takes_a_pass_for_each_message(
    count, events, seed, share, parts
):
    history = random_history(count, events, seed, messages=share)
    log = log_of(history).sample(frac=1, random_state=seed)
    expected = by_place(log_of(history), history.lamport)
    assert by_place(log, stamp_here(log)) == expected
    stamps, passes = stamp_blocks(log, parts)
    assert stamps == expected
    assert passes == depth_of(history) + 1


def small(*rows):
    return pandas.DataFrame(rows, columns=["process", "position", "kind", "message"])


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([(0, 1, "send", 4), (0, 2, "send", 4)], "Message 4 is sent 2 times"),
        ([(0, 1, "send", 4), (1, 1, "receive", 4), (1, 2, "receive", 4)], "Message 4 is received 2 times"),
        ([(0, 1, "local", None), (1, 1, "receive", 7)], "Message 7 is received and never sent"),
        ([(0, 1, "local", None), (0, 1, "send", 7)], "position 1 of process 0 stands where another"),
        ([(0, 1, "lokal", None)], "position 1 of process 0 is of no kind"),
        ([(0, 1, "send", None)], "position 1 of process 0 names no message"),
        ([(-2, 1, "local", None)], "process -2 belongs to no process"),
        ([(3, -1, "local", None)], "process 3 has no position"),
        ([(0, 1, "receive", 1), (0, 2, "send", 2), (1, 1, "receive", 2), (1, 2, "send", 1)], "a circle"),
    ],
)
def test_what_is_wrong_with_a_log_is_said(rows, said):
    assert said in stamp_blocks(small(*rows), 3)


def test_a_message_to_nobody_is_no_mistake():
    log = small((0, 1, "send", 1), (0, 2, "send", 2), (1, 1, "receive", 2))
    assert stamp_blocks(log, 2) == ({(0, 1): 1, (0, 2): 2, (1, 1): 3}, 2)
    assert list(stamp_here(log)) == [1, 2, 3]


def test_the_reference_refuses_what_never_comes():
    with pytest.raises(BadInput, match="Message 7 is waited for in vain"):
        stamp_here(small((0, 1, "receive", 7)))
    with pytest.raises(BadInput, match="pandas DataFrame"):
        stamp_here([1])


def test_one_history_by_hand():
    history = History([Event("p", "send", "a"), Event("q", "local"), Event("q", "local"), Event("q", "receive", "a")])
    stamps, passes = stamp_blocks(log_of(history), 2)
    assert sorted(stamps.values()) == [1, 1, 2, 3]
    assert passes == 2
