"""One cluster for all tests of this folder; it ends with them, so that a test of another folder can start its own."""

import pytest


@pytest.fixture(scope="package")
def shared_cluster():
    """The end of the cluster that tests of this folder start, when they are through."""
    from exactly_once.spark import stop_cluster

    yield
    stop_cluster()


@pytest.fixture
def spark(shared_cluster):
    """The shared session: two executors, warm, started again should it be gone."""
    from exactly_once.spark import cluster

    return cluster(take_over=True)


@pytest.fixture
def four(shared_cluster):
    """The shared session with four places for tasks: for twins, the database's node, and one more."""
    from exactly_once.spark import cluster

    return cluster(slots=4, take_over=True)
