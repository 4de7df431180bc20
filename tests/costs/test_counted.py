"""What a handler asks of its stores for a record, and the time that the model makes of it."""

import math

import pytest

from exactly_once import Job, LogSource, Numbers, Partition, Program, Window
from exactly_once.costs import counted, predicted
from exactly_once.errors import BadInput
from exactly_once.handlers import STRATEGIES
from exactly_once.lockfree import general

OPERATIONS = {  # of node 1 a record, how many more it waits for, and those of node 2
    "at_least_once": (5, 0, 0),
    "at_most_once": (5, 0, 0),
    "idempotent_output": (5, 0, 0),
    "transactional": (11, 3, 5),
    "two_phase": (4, 0, 0),
    "offset_in_sink": (2, 0, 3),
    "lock_free": (17, 0, 3),
    "structured_streaming": (6, 0, 0),
}


def saves_every_tenth(node):
    positions = node.positions.load()
    for _ in range(3):
        node.state.load()  # at the start, which is no price of a record
    while node.running(positions):
        items, positions = node.read(positions)
        node.output.push(items[0].value)
        if items[0].hour % 10 == 0:
            node.positions.save(positions)
    node.state.save(0)


def counts_long_windows(node):
    positions, window = node.start, Window()
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        if len(window) > node.threshold:
            node.database.increment()


@pytest.mark.slow  # chapter 14 counts those of most
def test_the_operations_of_each_strategy():
    assert set(STRATEGIES) == set(OPERATIONS)
    for name, (operations, waits, others) in OPERATIONS.items():
        found = counted(name)
        assert (found.operations, found.waits, found.all) == (operations, waits, operations + others), name
        assert sum(found.nodes[0].values()) == operations
        assert counted(STRATEGIES[name]).nodes == found.nodes


def test_what_starts_and_ends_a_run_is_no_price_and_what_comes_seldom_is_an_average():
    assert counted(saves_every_tenth).nodes == [
        {("engine", "fetch"): 1, ("engine", "append"): 1, ("engine", "write"): 0.1}
    ]


def test_the_window_is_full_whatever_its_length_before_anything_is_counted():
    for job, increments in ((Job(), 1), (Job(threshold=47), 1), (Job(threshold=48), 0)):
        assert counted(counts_long_windows, job).operations == 1 + increments


def one_by_one(node):
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        node.output.push(items[0].value)
        node.positions.save(positions)


def test_a_program_has_its_own_source_and_that_of_a_log_has_one_length():
    assert counted([Program(one_by_one, Numbers(count=3))]).operations == counted(one_by_one).operations == 3
    with pytest.raises(BadInput, match="LogSource, which has one length"):
        counted(Program(one_by_one, LogSource(Partition("orders"))))


@pytest.mark.slow
def test_twins_work_beside_each_other():
    found = counted(general(lambda state, inputs: (state, [1])), nodes=2)
    assert len(found.nodes) == 2
    twins = predicted(counted("lock_free", nodes=3), 0.001)
    assert twins.seconds >= predicted(counted("lock_free"), 0.001).seconds, "a twin makes nothing faster"
    assert twins.partitions(200) == predicted(counted("lock_free"), 0.001).partitions(200) == 4, (
        "as exercise 14b says"
    )
    assert found.all > counted(general(lambda state, inputs: (state, [1]))).all


@pytest.mark.not_by_day
def test_the_model_takes_the_longest_path():
    quick = predicted(counted("offset_in_sink"), {"fetch": 0.001, "transact": 0.002, "next": 0.0, "read": 0.004})
    assert quick.seconds == pytest.approx(0.003)
    assert quick.by_node[1] == pytest.approx(0.006)
    assert quick.rate == pytest.approx(1 / 0.006)
    far = predicted(counted("offset_in_sink"), lambda store, verb: 0.1 if store == "engine" else 0.001)
    assert far.by_node == pytest.approx((0.2, 0.2))
    markers = {("log", "marker"): 1.0, ("offsets", "offsets_marker"): 1.0}
    slow = predicted(counted("transactional"), lambda *key: markers.get(key, 0.0))
    assert slow.seconds == pytest.approx(3), "the next transaction waits for three markers"


def test_what_a_rate_needs():
    found = predicted(counted("at_least_once"), 0.005)
    assert (found.seconds, found.rate) == (pytest.approx(0.025), pytest.approx(40))
    assert [found.partitions(rate) for rate in (1, 40, 41, 2000)] == [1, 1, 2, 50]
    assert found.needs(40) == "One handler makes the 40 records a second."
    assert "50 partitions" in found.needs(2000)
    assert predicted(counted("at_least_once"), 0).rate == math.inf
    assert "Node 2 is slower, with 15 ms a record. So one handler makes 67 a second." in repr(
        predicted(counted("offset_in_sink"), 0.005)
    )
