"""Processes that have clusters of their own."""

import pytest

from exactly_once.spark.cluster import processes

from ..run.actor import Actor


@pytest.fixture
def actor(tmp_path):
    """Make actors; end them, and what they left, after the test."""
    made = []

    def make(**variables):
        made.append(Actor(tmp_path, **variables))
        return made[-1]

    yield make
    for one in made:
        one.process.kill()
        processes.kill([*processes.our_processes(one.pid)])
        one.leave()
