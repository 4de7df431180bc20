"""A store over etcd where a member, a client or a connection fails, and why `version` guards nothing."""

import http.client
import threading

import psutil
import pytest

from exactly_once.errors import BadInput, CourseError, OutcomeUnknown
from exactly_once.servers import EtcdKeys, kinds
from exactly_once.servers import etcd as module
from exactly_once.servers.etcd import PREFIX, EtcdStore
from exactly_once.servers.kinds import Client, Etcd, packed
from exactly_once.stores import Origin
from tests.servers.conftest import had

NUMBERS = iter(range(10**6))


@pytest.fixture
def store(etcd):
    store = EtcdStore(etcd.url, "engine", f"tests{next(NUMBERS)}")
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
            EtcdStore(f"etcd://{who}{host}", "engine").journal()
    assert EtcdStore(f"etcd://course:{etcd.secret}@{host}", "engine").journal() == []
    with pytest.raises(CourseError, match="permission denied"):
        Client(etcd.url).ask("kv/range", key=packed("of somebody else"))


def test_it_listens_for_clients_alone_and_on_loopback_alone(etcd):
    listening = [one.laddr for one in psutil.Process(etcd.pid()).net_connections("inet") if one.status == "LISTEN"]
    assert [(address.ip, address.port) for address in listening] == [("127.0.0.1", *etcd.ports.values())]


def test_a_key_made_again_has_the_version_it_had_and_another_mod_revision(store):
    """ABA: who compares etcd's `version` takes the key that was deleted and made again for the one it has read."""
    client, key = store.client, packed(f"{PREFIX}aba")

    def swapped(target, **seen):
        same = {"key": key, "target": target, "result": "EQUAL", **seen}
        put = {"request_put": {"key": key, "value": packed("mine")}}
        return client.ask("kv/txn", compare=[same], success=[put]).get("succeeded", False)

    client.ask("kv/put", key=key, value=packed("A"))
    read = client.ask("kv/range", key=key)["kvs"][0]
    client.ask("kv/deleterange", key=key)
    client.ask("kv/put", key=key, value=packed("A"))
    again = client.ask("kv/range", key=key)["kvs"][0]
    assert (read["version"], again["version"]) == ("1", "1")
    assert int(again["mod_revision"]) > int(read["mod_revision"])
    assert swapped("MOD", mod_revision=read["mod_revision"]) is False
    assert swapped("VERSION", version=read["version"]) is True, "and so overwrites what it has never seen"


def test_a_cells_version_goes_on_where_a_rename_has_emptied_it(store):
    """The store never deletes a key: it counts beside the value."""
    assert [store.do("c", "write", value).value for value in "ab"] == [1, 2]
    store.do("c", "rename", "other")
    assert int(store.client.ask("kv/range", key=store._key("c"))["kvs"][0]["version"]) == 3
    assert store.do("other", "read").value == [1, "b"]


def test_a_server_that_is_killed_keeps_what_it_has_answered(etcd, store):
    store.do("c", "write", "kept", origin=Origin(stamp=5))
    etcd.kill()
    etcd.start()
    assert store.do("c", "read").value == [1, "kept"]
    assert [entry.sent for entry in store.journal()] == [7, 9]


def test_a_member_that_does_not_answer_leaves_the_outcome_open(etcd, store, monkeypatch):
    store.do("c", "write", 1)
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.5)
    store.close()  # so that the next connection has this limit
    etcd.pause()
    try:
        with pytest.raises(OutcomeUnknown, match="it was done or it was not"):
            store.do("c", "write", 2)
    finally:
        etcd.resume()
    monkeypatch.undo()
    store.close()
    assert store.do("c", "read").value[0] in (1, 2)


def test_a_reply_that_is_lost_leaves_the_outcome_open(store, monkeypatch):
    """The request was carried out, and nobody hears of it."""

    def lost(connection):
        raise ConnectionResetError("the reply is lost")

    ask, answered = store.client.ask, http.client.HTTPConnection.getresponse

    def asked(path, again=False, **body):
        with monkeypatch.context() as patch:
            if path == "kv/txn":
                patch.setattr(
                    http.client.HTTPConnection, "getresponse", lambda one: (answered(one).read(), lost(one))
                )
            return ask(path, again, **body)

    monkeypatch.setattr(store.client, "ask", asked)
    with pytest.raises(OutcomeUnknown, match="the reply is lost"):
        store.do("c", "write", "done")
    monkeypatch.undo()
    assert store.do("c", "read").value == [1, "done"]


def test_a_server_that_is_not_there_is_told_in_a_sentence(monkeypatch):
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.2)
    with pytest.raises(
        CourseError, match=r"No member of etcd://127\.0\.0\.1:1 can be reached .*Look whether it runs"
    ):
        EtcdStore("etcd://user:secret@127.0.0.1:1", "engine").do("c", "read")


@pytest.mark.parametrize("url", ["etcd:", "etcd://", "etcd://host", "http://host:1", "etcd://a@b@host:1"])
def test_a_url_of_another_form_is_refused(url):
    with pytest.raises(BadInput, match="etcd://user:password@host:port"):
        Client(url)


def test_several_clients_lose_no_update(etcd, store):
    """A transaction that finds another `mod_revision` is tried again."""
    stores = [store, *(EtcdStore(etcd.url, "engine", store.prefix[len(PREFIX) : -1]) for _ in range(2))]
    threads = [threading.Thread(target=lambda one=one: [one.do("t", "add", 1) for _ in range(30)]) for one in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.look("t", "table") == 90
    assert [entry.value for entry in store.journal()] == list(range(1, 91))
    assert [entry.sent for entry in store.journal()] == list(range(2, 182, 2))


def test_a_killed_leader_is_followed_by_another_member_and_nothing_is_lost(three):
    store = EtcdStore(three.url, "engine")
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


@pytest.mark.parametrize(
    ("version", "safe"),
    [((3, 4, 41), False), ((3, 4, 42), True), ((3, 5, 1), False), ((3, 5, 28), True), ((3, 6, 8), False),
     ((3, 6, 9), True), ((3, 7, 0), True), ((3, 3, 99), False), ((4, 0, 0), True)],
)  # fmt: skip
def test_old_versions_are_for_looking_only(etcd, monkeypatch, version, safe):
    monkeypatch.setattr(kinds, "_version", lambda program: version)
    monkeypatch.setattr(kinds.Server, "__init__", lambda server: None)
    assert Etcd(looking=True).safe is safe
    if not safe:
        with pytest.raises(CourseError, match="looking only"):
            Etcd()


def test_where_there_is_none_it_is_said_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setattr(kinds, "FETCHED", tmp_path)
    monkeypatch.setattr(kinds, "DEBIAN", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    for kind in (Etcd, kinds.PostgreSQL):
        with pytest.raises(CourseError, match=r"is missing\. Call `make servers`"):
            kind()


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
    keys.close()
