"""Logs for tests, on either storage, with a clock that stands still until it is told."""

import pytest

from exactly_once.log import open_log


class Clock:
    """A clock in milliseconds."""

    def __init__(self):
        self.now = 1_000_000

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["memory:", "sqlite:"])
def opened(request, tmp_path, clock):
    """Give a function that opens a log on this storage; opened again, it is the same log on SQLite alone."""
    logs = []

    def make(brokers=3, **options):
        where = request.param if request.param == "memory:" else f"{request.param}{tmp_path / 'log'}"
        logs.append(open_log(where, brokers, **{"clock": clock} | options))
        return logs[-1]

    yield make
    for log in logs:
        log.close()


def values(log, topic="t", partition=0, start=0, **how):
    """Return what a reader sees of a partition."""
    return [record.value for record in log.fetch(topic, partition, start, **how)]


def held(log, broker, topic="t", partition=0):
    """Return the values in a broker's own log."""
    (found,) = [
        replica
        for one in log.snapshot()["partitions"]
        for replica in one["replicas"]
        if (one["topic"], one["partition"], replica["broker"]) == (topic, partition, broker)
    ]
    return [record["value"] for record in found["records"]]
