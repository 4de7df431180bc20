"""The shared cluster with four places for tasks."""

import pytest

from tests.spark.conftest import own_lease  # noqa: F401 - a fixture


@pytest.fixture
def four(own_lease):  # noqa: F811
    """Return a session with four places."""
    from exactly_once.spark import cluster

    return cluster(slots=4, take_over=True)
