"""Consume, transform, produce with commit intervals: every record arrives once, and late or soon by its way."""

from contextlib import closing

import pytest

from exactly_once import show
from exactly_once.costs import batched
from exactly_once.costs.batched import BATCH, KAFKAS, WAYS, Pipeline, _check
from exactly_once.errors import BadInput, CourseError
from exactly_once.servers.kafka.broker import Kafka
from tests.servers.conftest import had


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("partitions", [1, 3])
def test_on_the_log(way, partitions):
    found = batched(way, interval_ms=5, partitions=partitions, lasting=0.02, rate=300)
    assert len(found.latencies) == 6
    assert found.seconds > 0
    assert 0 < found.median <= found.p99 <= found.longest
    assert f"{way} on sqlite, a commit every 5 ms" in repr(found)


@pytest.mark.parametrize("way", [*WAYS, *KAFKAS])
def test_on_kafka(way):
    had(Kafka)
    found = batched(way, "kafka:", interval_ms=20, partitions=2, lasting=0.05, rate=200)
    assert len(found.latencies) == 12
    assert found.rate > 0


def test_a_reader_waits_for_the_commit_of_a_transaction_and_for_no_other():
    every = 0.3
    waits = {way: batched(way, interval_ms=1000 * every, lasting=0.1, rate=100) for way in WAYS}
    assert all(waits[way].longest > every / 2 for way in ("transactional", "at_most_once"))
    assert waits["at_least_once"].median < every / 4
    assert waits["idempotent"].median < every / 4
    table = show.latencies(list(waits.values())).table
    assert table["commit every, ms"].tolist() == ["300"] * 4


def test_without_a_rate_there_are_no_latencies():
    found = batched("at_least_once", interval_ms=5, lasting=0.02, rate=None)
    assert found.latencies == ()
    with pytest.raises(BadInput, match="has no latencies"):
        _ = found.p99


class Forgets(Pipeline):
    def send(self, partition, values):
        super().send(partition, values[1:] if self.positions[partition] == 3 * BATCH else values)


class Doubles(Pipeline):
    def send(self, partition, values):
        super().send(partition, values)
        if self.positions[partition] == 3 * BATCH:
            super().send(partition, values)


@pytest.mark.parametrize("kind", [Forgets, Doubles])
def test_a_pipeline_that_loses_or_doubles_a_record_is_found(kind, tmp_path):
    with closing(kind(tmp_path / "log", "at_least_once", 1)) as pipe:
        records = sum(pipe.turn(0.0) for _ in range(5))
        with pytest.raises(CourseError, match="lost, doubled or misplaced"):
            _check(pipe, records)


@pytest.mark.parametrize(
    "given",
    [
        {"way": "exactly_once"}, {"way": next(iter(KAFKAS))}, {"stores": "etcd://here:2379"}, {"stores": 3},
        {"interval_ms": 0}, {"interval_ms": "100"}, {"partitions": 0},
        {"lasting": 0}, {"lasting": True}, {"rate": -1}, {"rate": "fast"},
    ],
)  # fmt: skip
def test_wrong_values_are_refused(given):
    with pytest.raises(BadInput):
        batched(**{"way": "transactional", **given})
