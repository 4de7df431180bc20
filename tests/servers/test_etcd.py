"""A store over etcd where a member, a client or a connection fails, and why `version` guards nothing."""

import os
import re
import subprocess
import sys
import threading

import psutil
import pytest

from exactly_once.errors import BadInput, CourseError, OutcomeUnknown
from exactly_once.paths import ROOT
from exactly_once.servers import EtcdKeys
from exactly_once.servers.by_url import new_name, opened
from exactly_once.servers.kinds import Etcd
from exactly_once.stores import Origin
from tests.servers.conftest import had


@pytest.fixture
def store(etcd):
    store = opened(etcd.url, "engine", new_name())
    yield store
    store.remove()
    store.close()


@pytest.fixture(scope="module")
def three():
    cluster = had(Etcd, members=3)
    yield cluster
    cluster.stop()


def test_the_password_is_nowhere_but_in_a_closed_file_and_asked_for(etcd):
    assert etcd.secret not in etcd.url
    words = [word for process in psutil.process_iter(["cmdline"]) for word in process.info["cmdline"] or ()]
    assert not any(etcd.secret in word for word in words)
    assert (etcd.folder / "password").stat().st_mode & 0o077 == 0
    host = etcd.url.partition("@")[2].partition("?")[0]
    for who in ("", "course:guessed@", "root@"):
        with pytest.raises(CourseError, match="refused a request"):
            opened(f"etcd://{who}{host}", "engine", new_name()).journal()
    assert opened(f"etcd://course:{etcd.secret}@{host}", "engine", new_name()).journal() == []


def test_it_listens_for_clients_alone_and_on_loopback_alone(etcd):
    listening = [one.laddr for one in psutil.Process(etcd.pid()).net_connections("inet") if one.status == "LISTEN"]
    assert [(address.ip, address.port) for address in listening] == [("127.0.0.1", *etcd.ports.values())]


def test_a_server_that_is_killed_keeps_what_it_has_answered(etcd, store):
    store.do("c", "write", "kept", origin=Origin(stamp=5))
    etcd.kill()
    etcd.start()
    assert store.do("c", "read").value == [1, "kept"]
    assert [entry.sent for entry in store.journal()] == [7, 9]


def test_several_clients_lose_no_update(etcd):
    """A transaction that finds another `mod_revision` is tried again."""
    where = new_name()
    store, *_ = stores = [opened(etcd.url, "engine", where) for _ in range(3)]
    threads = [threading.Thread(target=lambda one=one: [one.do("t", "add", 1) for _ in range(30)]) for one in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.look("t", "table") == 90
    assert [entry.value for entry in store.journal()] == list(range(1, 91))
    assert [entry.sent for entry in store.journal()] == list(range(2, 182, 2))
    store.remove()


def test_a_killed_leader_is_followed_by_another_member_and_nothing_is_lost(three):
    store = opened(three.url, "engine", new_name())
    for number in range(10):
        store.do("t", "add", number)
    for _ in range(2):
        leader = three.leader()
        three.kill(leader)
        for number in range(10):  # a reply may be lost: then it is read whether it was done
            before = store.look("t", "table")
            try:
                store.do("t", "add", number)
            except OutcomeUnknown:
                assert store.look("t", "table") in (before, before + number)
        assert three.leader() != leader
        three.start(leader)
    added = [entry.value for entry in store.journal() if entry.verb == "add"]
    assert added == sorted(added)
    assert store.look("t", "table") == added[-1]
    store.remove()


def test_a_key_tells_its_numbers_and_is_written_only_if_they_are_as_expected(etcd):
    keys = EtcdKeys(etcd.url)
    keys.delete("numbers")
    assert keys.get("numbers") is None
    assert keys.put_if("numbers", "mine", "MOD", 1) is False
    assert keys.put_if("numbers", "mine", "MOD", 0) is True
    made = keys.get("numbers")
    assert (made.value, made.version, made.create_revision) == ("mine", 1, made.mod_revision)
    keys.put("numbers", {"a": [1, None]})
    changed = keys.get("numbers")
    assert (changed.value, changed.version, changed.create_revision) == ({"a": [1, None]}, 2, made.create_revision)
    assert keys.put_if("numbers", "late", "MOD", made.mod_revision) is False
    with pytest.raises(BadInput, match="target is 'VALUE'"):
        keys.put_if("numbers", "late", "VALUE", 1)
    keys.delete("numbers")
    keys.put("numbers", "made again")
    again = keys.get("numbers")
    assert (again.version, again.mod_revision > made.mod_revision) == (made.version, True)
    assert keys.put_if("numbers", "late", "MOD", made.mod_revision) is False
    assert keys.put_if("numbers", "late", "VERSION", made.version) is True, (
        "ABA: it overwrites what it has never seen"
    )
    keys.delete("numbers")
    keys.close()


def test_what_is_fetched_is_safe_to_kill():
    """A member of an older etcd may lose what it has answered: see Etcd.SAFE."""
    lock = (ROOT / "lib" / "exactly_once" / "servers" / "locks" / "go.mod").read_text()
    version = tuple(map(int, re.search(r"go.etcd.io/etcd/server/v3 v(\S+)", lock)[1].split(".")))
    assert version[2] >= Etcd.SAFE[version[:2]]


def test_make_servers_says_what_it_cannot_fetch_and_a_missing_server_what_to_do(tmp_path):
    """In a terminal without a network and without Go."""
    settings = {"EXACTLY_ONCE_SERVERS": str(tmp_path), "PATH": str(tmp_path), "PIP_NO_INDEX": "1"}

    def said(*command):
        done = subprocess.run(
            [sys.executable, *command], env={**os.environ, **settings}, capture_output=True, text=True
        )
        return done.returncode, done.stdout + done.stderr

    code, text = said("-m", "exactly_once.servers.fetch")
    assert code == 1
    assert "postgresql could not be fetched: " in text
    assert text.startswith("etcd is left out: Go builds it, which is not installed here. Install Go (go.dev/dl)")
    assert [path for path in tmp_path.glob("*/fetched") if path.parent.name != "kafka"] == []
    text = said("-c", "from exactly_once.servers.kinds import Etcd; Etcd()")[1]
    assert "is missing. Call `make servers`" in text
