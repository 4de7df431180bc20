"""The stores over real servers pass the one conformance suite, and a killed client leaves whole operations."""

import subprocess
import sys
import threading

import psutil
import pytest

from exactly_once.servers import STARTED, new_name, opened
from tests.servers.conftest import had
from tests.stores import store_conformance

ADDS = """
import sys
from exactly_once.servers import opened
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
@pytest.mark.some(day=45, ci=90)
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


def test_several_clients_lose_no_update(store, place):
    stores = [store, *(opened(place[0], "engine", place[1]) for _ in range(2))]
    threads = [threading.Thread(target=lambda one=one: [one.do("t", "add", 1) for _ in range(20)]) for one in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.look("t", "table") == 60
    assert [(entry.value, entry.sent) for entry in store.journal()] == [(one, 2 * one) for one in range(1, 61)]


@pytest.mark.parametrize("kind", STARTED.values())
def test_the_secret_is_in_closed_files_alone_and_the_server_on_loopback_alone(kind):
    server = had(kind)
    assert server.secret not in server.url
    words = [word for process in psutil.process_iter(["cmdline"]) for word in process.info["cmdline"] or ()]
    assert not any(server.secret in word for word in words)
    assert server.folder.stat().st_mode & 0o077 == 0
    assert (server.folder / "password").stat().st_mode & 0o077 == 0
    ends = psutil.Process(server.pid()).net_connections("inet")
    listening = {one.laddr.ip.removeprefix("::ffff:") for one in ends if one.status == psutil.CONN_LISTEN}
    assert listening <= {"127.0.0.1"}
