"""The stores over real servers pass the one conformance suite, and a killed client leaves whole operations."""

import subprocess
import sys

import pytest

from exactly_once.servers.by_url import STARTED, new_name, opened
from tests.servers.conftest import had
from tests.stores import store_conformance

ADDS = """
import sys
from exactly_once.servers.by_url import opened
store = opened(*sys.argv[1:])
print(flush=True)
while True:
    store.do("t", "add", 1)
"""


@pytest.fixture(params=STARTED)
def place(request):
    """Return the URL of a server, and a name that nobody else uses there."""
    return had(STARTED[request.param]).url, new_name()


@pytest.fixture
def store(place):
    url, where = place
    store = opened(url, "engine", where)
    yield store
    store.remove()
    store.close()


@pytest.mark.parametrize("check", store_conformance.CHECKS, ids=lambda check: check.__name__)
def test_conformance(check, store):
    check(store)


def test_a_client_that_is_killed_leaves_whole_operations_and_holds_nothing(store, place):
    with subprocess.Popen(
        [sys.executable, "-c", ADDS, place[0], "engine", place[1]], stdout=subprocess.PIPE
    ) as client:
        assert client.stdout.readline() == b"\n"
        while (store.look("t", "table") or 0) < 20:
            pass
        client.kill()
    done = store.look("t", "table")
    assert store.do("t", "add", 1).value == done + 1
    assert [entry.value for entry in store.journal()] == list(range(1, done + 2))


def test_runs_on_one_server_share_nothing(store, place):
    other = opened(place[0], "engine", new_name())
    store.do("c", "write", 1)
    assert (store.look("c", "cell"), other.look("c", "cell"), other.journal()) == (1, None, [])
    other.remove()
    other.close()
