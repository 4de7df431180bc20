"""One cluster for all tests of this folder, under a lease of its own, so that an open notebook keeps its cluster."""

import os

import pytest


@pytest.fixture(scope="session")
def spark():
    """The shared session: two executors, warm. Tests that stop or kill the driver use a process of their own."""
    from exactly_once.spark import cluster, stop_cluster

    before = os.environ.get("EXACTLY_ONCE_LEASE")
    os.environ["EXACTLY_ONCE_LEASE"] = f"tests-{os.getpid()}"  # two runs of the tests at once must not meet
    yield cluster(take_over=True)
    stop_cluster()
    os.environ.pop("EXACTLY_ONCE_LEASE")
    if before is not None:
        os.environ["EXACTLY_ONCE_LEASE"] = before
