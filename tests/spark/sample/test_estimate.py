"""How often a batch is late: p for one node, p² for two, and no better than one where a node can hold up another."""

import math

import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.lockfree import hourly_means
from exactly_once.node.pickling import pickle_handler
from exactly_once.spark.sample.estimate import COLUMNS, FAR, SlotsUnit, late_batches, line_to, try_batches, wilson


def late(handler, nodes, p, batches, seed="0"):
    ((word, found),) = try_batches([SlotsUnit(pickle_handler(handler), nodes, p, batches, seed, [])])
    assert word == "late", found
    return found[0]


def under_a_lock(node):
    registers = node.registers
    while True:
        version, taken = registers.read("lock")
        if taken or not registers.cas("lock", version, True):
            continue
        positions = node.positions.load()
        if node.running(positions):
            items, following = node.read(positions)
            node.output.push(items[0].value)
            node.positions.save(following)
        registers.cas("lock", version + 1, False)
        if not node.running(positions):
            return


def test_one_node_is_late_as_often_as_it_is_out():
    low, high = wilson(late(hourly_means, 1, 0.1, 6_000), 6_000, z=4)
    assert low < 0.1 < high


def test_two_nodes_are_late_about_as_often_as_both_are_out():
    low, high = wilson(late(hourly_means, 2, 0.2, 6_000), 6_000, z=4)
    assert high < 0.2 / 2
    assert low < 0.2**2
    assert high > 0.2**2 / 2


def test_under_a_lock_two_nodes_are_no_better_than_p_squared_by_far():
    assert late(under_a_lock, 2, 0.1, 3_000) > 4 * late(hourly_means, 2, 0.1, 3_000)


def test_a_seed_gives_the_same_count_again_and_another_seed_another():
    counts = {seed: late(hourly_means, 2, 0.2, 1_000, seed) for seed in "abcdefgh"}
    assert len(set(counts.values())) > 1
    assert late(hourly_means, 2, 0.2, 1_000, "a") == counts["a"]


def test_nodes_that_never_finish_a_batch_are_told():
    def nothing(node):
        node.positions.load()

    ((word, why),) = try_batches([SlotsUnit(pickle_handler(nothing), 2, 0.1, 100, "0", [])])
    assert word == "failed"
    assert "did not finish batch 1" in why


def test_wilson_intervals_are_those_of_the_tables():
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(10, 10) == pytest.approx((0.7225, 1), abs=1e-4)


def test_a_line_through_points_on_a_line_is_that_line():
    y, error = line_to([(0, 1, 4), (1, 3, 1), (2, 5, 4)], -3)
    assert y == pytest.approx(-5)
    assert error == pytest.approx(math.sqrt(1 / 9 + 16 / 8))


@pytest.mark.cluster
def test_the_table_of_the_estimate(spark):
    found = late_batches(batches=2_000, ps=(0.1, 0.2), spark=spark)
    assert tuple(found.columns) == COLUMNS
    assert list(found.measured) == [True, True, False] * 2
    measured, far = found[found.measured], found[~found.measured]
    assert (measured.low < measured.rate).all()
    assert (measured.rate < measured.high).all()
    assert (measured.batches == 2_000).all()
    assert list(far.p) == [FAR, FAR]
    one, two = far.rate
    assert two < one / 100
    assert (far.low < far.expected).all()
    assert (far.expected < far.high).all()


@pytest.mark.cluster
def test_nonsense_is_refused(spark):
    for more in ({"ps": (0,)}, {"ps": (1.5,)}, {"nodes": (0,)}, {"batches": 3}, {"handler": None}):
        with pytest.raises(BadInput):
            late_batches(**{"spark": spark, **more})

    def fails(node):
        raise ZeroDivisionError

    with pytest.raises(CourseError, match="ZeroDivisionError"):
        late_batches(fails, spark=spark)
