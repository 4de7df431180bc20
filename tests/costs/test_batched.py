"""Consume, transform, produce with commit intervals: every record arrives once, and late or soon by its way."""

import pytest

from exactly_once import show
from exactly_once.costs import batched

WAYS = ("at_least_once", "transactional")


@pytest.mark.parametrize(("way", "partitions"), [(way, number % 2 * 2 + 1) for number, way in enumerate(WAYS)])
def test_on_the_log(way, partitions):
    found = batched(way, interval_ms=5, partitions=partitions, lasting=0.02, rate=300)
    assert len(found.latencies) == 6
    assert found.seconds > 0
    assert 0 < found.median <= found.p99 <= found.longest
    assert f"{way} on sqlite, a commit every 5 ms" in repr(found)


@pytest.mark.slow
def test_a_reader_waits_for_the_commit_of_a_transaction_and_for_no_other():
    every = 0.3
    waits = {way: batched(way, interval_ms=1000 * every, lasting=0.1, rate=100) for way in WAYS}
    assert waits["transactional"].longest > every / 2
    assert waits["at_least_once"].median < every / 4
    names = show.latencies(list(waits.values())).layout.yaxis.ticktext
    assert [name.rpartition(", ")[2] for name in names] == ["300 ms"] * 2
