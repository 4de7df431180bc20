"""One cluster for all tests of this folder, under a lease of its own, so that an open notebook keeps its cluster."""

import os

import pytest


@pytest.fixture(scope="session")
def own_lease():
    """A lease for this run of the tests, and the end of its cluster when they are through."""
    from exactly_once.spark import stop_cluster

    before = os.environ.get("EXACTLY_ONCE_LEASE")
    os.environ["EXACTLY_ONCE_LEASE"] = f"tests-{os.getpid()}"  # two runs of the tests at once must not meet
    yield
    stop_cluster()
    os.environ.pop("EXACTLY_ONCE_LEASE")
    if before is not None:
        os.environ["EXACTLY_ONCE_LEASE"] = before


@pytest.fixture
def spark(own_lease):
    """The shared session: two executors, warm, started again should it be gone."""
    from exactly_once.spark import cluster

    return cluster(take_over=True)
