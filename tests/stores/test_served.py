"""A process that serves stores: nobody who is stopped or dies on the way blocks another, and it ends with its run."""

import json
import multiprocessing
import os
import signal
import struct
import subprocess
import sys
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client

import psutil
import pytest

from exactly_once.stores import WHERE, Link, Origin, ServedStore, Service
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
    request = json.dumps(["engine", "do", "sum", "add", [1], {**vars(Origin())}]).encode()
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
        stopped.send_bytes(json.dumps(["engine", "look", "long", "log"]).encode())
        assert store.do("sum", "add", 1).value == 1
        assert store.do("sum", "add", 1).value == 2


@pytest.mark.some(day=0, ci=1)
@pytest.mark.parametrize("sign", [signal.SIGSTOP, signal.SIGKILL])
def test_clients_that_are_stopped_or_killed_anywhere_block_nobody_and_leave_whole_operations(service, sign):
    mine = store_of(service.folder)
    for _ in range(3):
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
    assert gone(pid, seconds=60)
    assert not folder.exists()
