"""The same cluster as for the tests of `spark`: two executors, warm, under a lease of its own."""

import os

import pytest


@pytest.fixture(scope="session")
def spark():
    """The shared session. Asked for twice within one run of the tests, it is one cluster."""
    from exactly_once.spark import cluster, stop_cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EXACTLY_ONCE_LEASE", os.environ.get("EXACTLY_ONCE_LEASE", "tests"))
        yield cluster(take_over=True)
        stop_cluster()
