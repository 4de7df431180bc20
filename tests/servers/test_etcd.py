"""A store over etcd where a member, a client or a connection fails, and why `version` guards nothing."""

import os
import re
import subprocess
import sys

import pytest

from exactly_once.errors import BadInput, CourseError, OutcomeUnknown
from exactly_once.paths import ROOT
from exactly_once.servers import EtcdKeys, new_name, opened
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


def test_nobody_gets_in_without_the_password(etcd):
    host = etcd.url.partition("@")[2].partition("?")[0]
    for who in ("", "course:guessed@", "root@"):
        with pytest.raises(CourseError, match="refused a request"):
            opened(f"etcd://{who}{host}", "engine", new_name()).journal()
    assert opened(f"etcd://course:{etcd.secret}@{host}", "engine", new_name()).journal() == []


def test_a_server_that_is_killed_keeps_what_it_has_answered(etcd, store):
    store.do("c", "write", "kept", origin=Origin(stamp=5))
    etcd.kill()
    etcd.start()
    assert store.do("c", "read").value == [1, "kept"]
    assert [entry.sent for entry in store.journal()] == [7, 9]


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
