"""Fixtures with real servers. Where one cannot be had, its tests are skipped, and in CI they fail."""

import os

import pytest

from exactly_once import CourseError
from exactly_once.servers.kinds import Etcd, PostgreSQL


def had(kind, **options):
    """Return the server of a kind that this process has. Skips the test where it cannot be had, outside of CI."""
    return started(kind.shared, **options)


def started(start, **options):
    """Return the server that a function starts. Skips the test where it cannot be had, outside of CI."""
    try:
        return start(**options)
    except CourseError as why:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(why))


def sound(server):
    """Give a server that runs to one test; it runs afterwards, even if the test left it paused or killed."""
    server.start()
    yield server
    server.resume()
    server.start()


@pytest.fixture
def postgresql():
    yield from sound(had(PostgreSQL))


@pytest.fixture
def etcd():
    yield from sound(had(Etcd))
