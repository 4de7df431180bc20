"""One cluster of Spark's own for these tests, and the course's application on it."""

import os
import sys

import pytest

from exactly_once.paths import temporary
from tests.spark.foreign.standalone import HOSTS, Standalone, owns


@pytest.fixture(scope="module")
def standalone(tmp_path_factory, shared_cluster):
    """A master and two workers, of four cores and 2 GB each."""
    from exactly_once.spark import stop_cluster

    if not all(map(owns, HOSTS)):
        pytest.skip("This machine has one loopback address.")
    found = Standalone(tmp_path_factory.mktemp("standalone"))
    variables = {
        "EXACTLY_ONCE_SPARK": found.url,
        "SPARK_CONF_DIR": str(found.conf),
        "PYSPARK_PYTHON": sys.executable,  # where the workers have what they need
    }
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    yield found
    stop_cluster()
    found.stop()
    assert list(temporary("runs").iterdir()) == [], "the process that serves runs ends with its cluster"
    for name, value in before.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


@pytest.fixture
def foreign(standalone):
    """The course's session there, with four slots."""
    from exactly_once.spark import cluster

    return cluster(slots=4, take_over=True)
