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
