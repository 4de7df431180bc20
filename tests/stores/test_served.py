"""A process that serves stores: nobody who is stopped or dies on the way blocks another, and it ends with its run."""

import json
import multiprocessing
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client

import psutil
import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.stores import Origin, SQLiteStore
from exactly_once.stores.codec import encode
from exactly_once.stores.served import LONGEST_PATH, WHERE, Link, ServedStore, Server, Service
from tests.spark.run.waiting import gone

SERVER = "exactly_once.spark.task.server"
SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture
def service(tmp_path):
    service = Service(tmp_path, SERVER)
    yield service
    service.stop()


def store_of(folder, name="engine"):
    return ServedStore(Link.found_in(folder), name)


def written(folder):
    """Return (address, secret) that the process which serves has written: a path, or (host, port)."""
    found = json.loads((folder / WHERE).read_text())
    address = found["address"]
    return address if isinstance(address, str) else tuple(address), found["key"]


def connected(folder):
    """Return a connection that has said the secret, to send bytes over as one likes."""
    address, key = written(folder)
    return Client(address, authkey=bytes.fromhex(key))


def add_for_ever(folder, began):
    store = store_of(folder)
    while True:
        store.do("sum", "add", 1)
        began.set()


def test_a_request_that_has_come_by_half_is_not_carried_out_and_blocks_nobody(service):
    request = encode(["engine", "do", "sum", "add", [1], {**vars(Origin())}]).encode()
    whole = struct.pack("!i", len(request)) + request
    with connected(service.folder) as slow:
        os.write(slow.fileno(), whole[:-5])
        assert store_of(service.folder).do("sum", "add", 10).value == 10
        os.write(slow.fileno(), whole[-5:])
        assert json.loads(slow.recv_bytes())[0] == "done"
    with connected(service.folder) as dies:
        os.write(dies.fileno(), whole[:-5])
    assert store_of(service.folder).do("sum", "total").value == 11


def test_a_reply_that_nobody_takes_blocks_nobody(service):
    store = store_of(service.folder)
    store.fill("long", ["x" * 1000] * 2000)
    with connected(service.folder) as stopped:
        stopped.send_bytes(encode(["engine", "look", "long", "log"]).encode())
        assert store.do("sum", "add", 1).value == 1
        assert store.do("sum", "add", 1).value == 2


@pytest.mark.some(day=0, ci=1)
@pytest.mark.parametrize("sign", [signal.SIGSTOP, signal.SIGKILL])
def test_clients_that_are_stopped_or_killed_anywhere_block_nobody_and_leave_whole_operations(service, sign):
    mine = store_of(service.folder)
    for _ in range(6):
        began = SPAWN.Event()
        client = SPAWN.Process(target=add_for_ever, args=(service.folder, began))
        client.start()
        assert began.wait(30)
        os.kill(client.pid, sign)
        before = mine.do("sum", "total").value
        assert mine.do("other", "add", 1).value > 0
        assert mine.do("sum", "add", 1).value >= before + 1
        client.kill()
        client.join()
    assert len([entry for entry in mine.journal() if entry.part == "sum" and entry.verb == "add"]) == mine.look(
        "sum", "table"
    )


def test_who_does_not_know_the_secret_is_sent_away_and_the_others_are_served(service):
    address, key = written(service.folder)
    with pytest.raises(AuthenticationError):
        Client(address, authkey=b"guessed")
    silent = Client(address)  # connects, and never answers the challenge
    assert store_of(service.folder).do("c", "write", 1).value == 1
    silent.close()
    assert (service.folder / WHERE).stat().st_mode & 0o077 == 0
    assert key not in " ".join(psutil.Process(service.pid).cmdline())


def test_several_threads_may_ask_one_store(service):
    store, threads = store_of(service.folder), []
    for _ in range(4):
        threads.append(threading.Thread(target=lambda: [store.do("sum", "add", 1) for _ in range(50)]))
        threads[-1].start()
    for thread in threads:
        thread.join()
    assert store.look("sum", "table") == 200


def test_it_ends_when_it_is_stopped_and_leaves_files_that_anybody_may_open(tmp_path):
    service = Service(tmp_path, SERVER)
    store_of(tmp_path).do("c", "write", "kept")
    assert os.getsid(service.pid) == service.pid  # in no process group of a task, nor of the kernel
    service.stop()
    assert gone(service.pid)
    assert Link.found_in(tmp_path) is None
    store = SQLiteStore(tmp_path / "engine.db")
    assert store.look("c", "cell") == "kept"
    store.close()
    service.stop()  # once more does nothing


def test_when_it_is_gone_its_clients_are_told_in_a_sentence(service):
    store = store_of(service.folder)
    store.do("c", "write", 1)
    service.kill()
    with pytest.raises(CourseError, match=r"does not answer .*: it ends with its run\. Run again\."):
        store.do("c", "read")


def test_it_ends_with_its_parent_and_takes_the_folder_along(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    code = (
        "import sys, time; from exactly_once.stores.served import *\n"
        f"service = Service({str(folder)!r}, {SERVER!r}); print(service.pid, flush=True); time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    pid = int(parent.stdout.readline())
    store_of(folder).do("c", "write", 1)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert gone(pid, seconds=20)
    assert not folder.exists()


def test_where_the_folder_has_a_long_name_it_listens_on_loopback(tmp_path):
    folder = tmp_path / ("x" * LONGEST_PATH)
    folder.mkdir()
    service = Service(folder, SERVER)
    assert json.loads((folder / WHERE).read_text())["address"][0] == "127.0.0.1"
    assert store_of(folder).do("c", "write", 1).value == 1
    service.stop()


@pytest.fixture
def served(tmp_path):
    """A server in this process, and a link to it."""
    server = Server(tmp_path, b"secret")
    server.start()
    link = Link(server.address, b"secret")
    yield server, link
    link.close()
    server.stop()


NO_REQUESTS = [b"\xff\xfe", b"{", b"7", b"{}", b"[]", b'["engine"]', b'["engine", ["do"]]', b'["engine", "dance"]']


@pytest.mark.parametrize("request_bytes", NO_REQUESTS)
def test_what_it_does_not_understand_is_answered_with_a_sentence_and_it_goes_on(served, request_bytes):
    server, link = served
    with Client(server.address, authkey=b"secret") as connection:
        for _ in range(2):
            connection.send_bytes(request_bytes)
            how, sentence = json.loads(connection.recv_bytes())
            assert (how, sentence[:24]) == ("refused", "A request to the stores ")
    assert ServedStore(link, "engine").do("c", "write", 1).value == 1


@pytest.mark.parametrize("name", ["../outside", "a/b", "..", ".", "", "a\n", 7, ["a"], "/tmp/x"])
def test_a_store_is_a_file_of_the_folder_and_no_other(served, tmp_path, name):
    before = sorted(tmp_path.parent.iterdir())
    with pytest.raises(BadInput, match="its name must be a file's"):
        served[1].ask(name, "journal", 0)
    assert sorted(tmp_path.parent.iterdir()) == before
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".db"] == []


def test_who_says_no_secret_is_left_alone_after_a_while(served, monkeypatch):
    server, link = served
    monkeypatch.setattr("exactly_once.stores.served.SECRET_SECONDS", 0.2)
    before = threading.active_count()
    silent = [Client(server.address) for _ in range(20)]
    for one in silent:
        while True:  # the challenge; then the end, when the server has hung up
            try:
                one.recv_bytes()
            except (EOFError, OSError):
                break
    deadline = time.monotonic() + 30
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before
    monkeypatch.undo()
    assert ServedStore(link, "engine").do("c", "write", 1).value == 1


def test_a_client_of_a_server_that_is_stopped_is_told_so_and_goes_on_when_it_is_woken(service, monkeypatch):
    store, late = store_of(service.folder), store_of(service.folder)
    store.do("c", "write", 1)
    os.kill(service.pid, signal.SIGSTOP)
    try:
        monkeypatch.setattr("exactly_once.stores.served.ANSWER_SECONDS", 1)
        for one in (late, late):  # one that has connected meanwhile
            with pytest.raises(CourseError, match=r"has not answered for 1 seconds: it is stopped.*nobody can tell"):
                one.do("c", "read")
    finally:
        os.kill(service.pid, signal.SIGCONT)
    monkeypatch.undo()
    assert [one.look("c", "cell") for one in (store, late)] == [1, 1]


def test_where_one_was_killed_the_next_one_begins_and_beside_a_living_one_none(tmp_path):
    first = Service(tmp_path, SERVER)
    store_of(tmp_path).do("c", "write", "kept")
    first.kill()
    second = Service(tmp_path, SERVER)
    assert store_of(tmp_path).look("c", "cell") == "kept"
    with pytest.raises(CourseError, match=r"Another process serves the stores in .* already"):
        Service(tmp_path, SERVER)
    assert store_of(tmp_path).look("c", "cell") == "kept"
    second.stop()


def test_a_module_that_does_not_start_is_told(tmp_path):
    with pytest.raises(CourseError, match="ended at once"):
        Service(tmp_path, "exactly_once.no_such_module")
