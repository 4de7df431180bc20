"""The shared cluster with four places for tasks."""

import pytest


@pytest.fixture
def four(shared_cluster):
    """Return a session with four places."""
    from exactly_once.spark import cluster

    return cluster(slots=4, take_over=True)
