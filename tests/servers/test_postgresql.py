"""A store over PostgreSQL where the server, a client or a connection fails, and its prepared transactions."""

import os
import shutil
import signal
import subprocess
import sys
import threading

import psutil
import psycopg
import pytest

from exactly_once.errors import BadInput, CourseError, OutcomeUnknown
from exactly_once.servers import kinds
from exactly_once.servers import link as module
from exactly_once.servers.kinds import PostgreSQL
from exactly_once.servers.link import Link
from exactly_once.servers.postgresql import PostgreSQLStore
from exactly_once.stores import Blocked, Origin

NUMBERS = iter(range(10**6))


@pytest.fixture
def store(postgresql):
    store = PostgreSQLStore(postgresql.url, "database", f"tests{next(NUMBERS)}")
    yield store
    store.remove()
    store.close()


def in_a_process(store, then):
    """Have another process do something with the store, and return that process; its `ready()` says that it did."""
    code = (
        "import sys, time; from exactly_once.servers.postgresql import *; from exactly_once.stores import *\n"
        f"store = PostgreSQLStore({store.url!r}, 'database', {store.schema!r})\n"
        f"def ready(): print(flush=True); time.sleep(600)\n{then}"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"\n"
    process.stdout.close()
    return process


def test_the_password_is_nowhere_but_in_a_closed_file_and_asked_for(postgresql):
    assert postgresql.secret not in postgresql.url
    words = [word for process in psutil.process_iter(["cmdline"]) for word in process.info["cmdline"] or ()]
    assert not any(postgresql.secret in word for word in words)
    assert (postgresql.folder / "passwords").stat().st_mode & 0o077 == 0
    wrong = postgresql.folder / "wrong"
    wrong.write_text("*:*:*:course:guessed\n")
    wrong.chmod(0o600)
    with pytest.raises(CourseError, match=r"cannot be reached .*authentication failed"):
        PostgreSQLStore(postgresql.url.replace("passwords", "wrong"), "database").journal()


def test_it_starts_from_a_folder_that_is_closed_to_other_users(postgresql, tmp_path, monkeypatch):
    """As in a home directory of root's, where another user runs the server."""
    if not postgresql.programs.is_relative_to(kinds.FETCHED):
        pytest.skip("PostgreSQL is not the one that `make servers` fetched, which can be copied.")
    closed = tmp_path / "closed"
    shutil.copytree(kinds.FETCHED / "postgresql", closed / "postgresql", symlinks=True)
    closed.chmod(0o700)
    monkeypatch.setattr(kinds, "FETCHED", closed)
    server = PostgreSQL()
    try:
        assert server.programs.is_relative_to(closed)
        assert server.alive()
    finally:
        server.stop()


def test_it_listens_nowhere_but_in_its_folder(postgresql):
    """Where the folder's name is short enough for a socket; else on loopback alone."""
    listening = [one.laddr for one in psutil.Process(postgresql.pid()).net_connections("inet")]
    assert {address.ip for address in listening} <= {"127.0.0.1"}
    assert bool(listening) != (f"host={postgresql.in_url()}&" in postgresql.url)


@pytest.mark.skipif(os.getuid() != 0, reason="not root: PostgreSQL runs as this user")
def test_as_root_it_runs_as_another_user(postgresql):
    assert psutil.Process(postgresql.pid()).uids().effective != 0


def test_a_server_that_is_killed_keeps_what_it_has_answered(postgresql, store):
    store.do("c", "write", "kept", origin=Origin(stamp=5))
    store.do("t", "prepare", "mine", [["t", "add", 1]])
    postgresql.kill()
    postgresql.start()
    with pytest.raises(OutcomeUnknown, match="was lost"):
        store.do("c", "write", "lost")
    assert store.do("c", "read").value == [1, "kept"]
    assert store.do("p", "prepared").value == ["mine"]
    with pytest.raises(Blocked, match="'mine' holds a row"):
        store.do("t", "add", 1)
    assert store.do("p", "commit_prepared", "mine").value is True
    assert store.look("t", "table") == 1
    assert [entry.sent for entry in store.journal() if entry.part == "c"] == [7, 9]


def test_a_server_that_does_not_answer_leaves_the_outcome_open(postgresql, store, monkeypatch):
    store.do("c", "write", 1)
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.5)
    postgresql.pause()
    try:
        with pytest.raises(OutcomeUnknown, match="it was done or it was not"):
            store.do("c", "write", 2)
    finally:
        postgresql.resume()
    monkeypatch.undo()
    assert store.do("c", "read").value[0] in (1, 2)


def test_a_server_that_is_not_there_is_told_in_a_sentence(monkeypatch):
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.2)
    with pytest.raises(
        CourseError, match=r"postgresql://127\.0\.0\.1:1/none cannot be reached .*Look whether it runs"
    ):
        PostgreSQLStore("postgresql://user:secret@127.0.0.1:1/none", "database").do("c", "read")


def test_a_client_killed_in_a_transaction_leaves_nothing_of_it_and_holds_nothing(store):
    store.do("c", "write", 1)
    process = in_a_process(store, "with store._changing(): store._put('cell', 'c', (2, '2')); ready()")
    process.kill()
    process.wait()
    assert store.do("c", "read").value == [1, 1]
    assert store.do("c", "write", 3).value == 2


def test_a_client_stopped_in_a_transaction_is_waited_for_only_so_long(store, monkeypatch):
    """PostgreSQL ends a transaction whose client does nothing; the client hears of it when it goes on."""
    monkeypatch.setattr(module, "LOCK_SECONDS", 30)
    store.do("c", "write", 1)
    short = "Link.to(store.url).connection.execute(\"SET idle_in_transaction_session_timeout = '0.3s'\")"
    then = f"with store._changing(): store._put('cell', 'c', (2, '2')); {short}; ready()"
    process = in_a_process(store, then)
    process.send_signal(signal.SIGSTOP)
    try:
        assert store.do("c", "write", 3).value == 2
    finally:
        process.kill()
        process.wait()


def test_a_preparer_that_is_killed_leaves_its_transaction_prepared(store):
    store.do("t", "add", 5)
    process = in_a_process(store, "store.do('t', 'prepare', 'a', [['t', 'add', 1]]); ready()")
    process.kill()
    process.wait()
    assert (store.do("p", "prepared").value, store.do("t", "total").value) == (["a"], 5)
    assert store.do("p", "commit_prepared", "a").value is True
    assert store.do("t", "total").value == 6


def test_a_committer_that_is_killed_before_the_journal_leaves_it_to_the_next_operation(store):
    origin = Origin(life=3, step=4, inputs=((1, "seattle"),))
    store.do("t", "prepare", "a", [["t", "add", 1], ["l", "append", "x"]], origin=origin)
    assert store._end("commit_prepared", f"{store.schema}:a") is True  # and there the client is killed
    assert store.do("t", "add", 1).value == 2
    told = [(entry.part, entry.verb, entry.value, entry.life, entry.inputs) for entry in store.journal()[1:]]
    assert told == [
        ("t", "add", 1, 3, origin.inputs), ("l", "append", "x", 3, origin.inputs), ("t", "add", 2, 0, ()),
    ]  # fmt: skip


def test_a_prepared_transaction_of_another_program_holds_its_rows_too(postgresql, store):
    store.do("c", "write", 1)
    with psycopg.connect(postgresql.url, autocommit=True) as other:
        other.execute(f"BEGIN; UPDATE {store.schema}.parts SET content = '2'; PREPARE TRANSACTION 'by hand'")
        with pytest.raises(Blocked, match="'by hand' holds a row"):
            store.do("c", "write", 3)
        assert store.do("c", "read").value == [1, 1]
        other.execute("ROLLBACK PREPARED 'by hand'")
    assert store.do("c", "write", 3).value == 2


def test_a_row_that_another_session_has_locked_is_waited_for(postgresql, store):
    store.do("c", "write", 1)
    with psycopg.connect(postgresql.url) as other:
        other.execute(f"SELECT * FROM {store.schema}.parts FOR UPDATE")
        with pytest.raises(Blocked, match="Another session's transaction holds a row"):
            store.do("c", "write", 2)
    assert store.do("c", "write", 2).value == 2


def test_several_threads_and_processes_lose_no_update(store):
    add = "for _ in range(50): store.do('t', 'add', 1)\nready()"
    processes = []
    threads = [
        threading.Thread(target=lambda: processes.append(in_a_process(store, add))),
        threading.Thread(target=lambda: [store.do("t", "add", 1) for _ in range(50)]),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    processes[0].kill()
    processes[0].wait()
    assert store.look("t", "table") == 100
    entries = store.journal()
    assert [entry.value for entry in entries] == list(range(1, 101))
    assert [entry.sent for entry in entries] == list(range(2, 202, 2))


def test_two_stores_on_one_server_share_nothing(store):
    other = PostgreSQLStore(store.url, "engine", f"{store.schema}_other")
    store.do("t", "prepare", "a", [["t", "add", 1]])
    assert other.do("p", "prepared").value == []
    assert other.do("t", "add", 1).value == 1
    other.remove()
    assert store.do("p", "prepared").value == ["a"]


def test_an_identifier_too_long_for_postgresql_is_refused(store):
    with pytest.raises(BadInput, match="PostgreSQL takes fewer than 200"):
        store.do("p", "prepare", "a" * 199, [["t", "add", 1]])


def test_without_prepared_transactions_it_says_what_to_set(postgresql, monkeypatch):
    monkeypatch.setattr(PostgreSQL, "PREPARED", 0)
    server = PostgreSQL()
    try:
        store = PostgreSQLStore(server.url, "database")
        with pytest.raises(CourseError, match="Set max_prepared_transactions"):
            store.do("p", "prepare", "a", [["t", "add", 1]])
        store.close()
    finally:
        server.stop()


def test_in_a_folder_with_a_long_name_it_listens_on_loopback(postgresql, monkeypatch):
    monkeypatch.setattr("exactly_once.servers.kinds.LONGEST_PATH", 10)
    server = PostgreSQL()
    try:
        store = PostgreSQLStore(server.url, "database")
        assert "host=127.0.0.1" in store.url
        assert store.do("c", "write", 1).value == 1
        store.close()
    finally:
        server.stop()


def test_a_forked_process_has_a_link_of_its_own(store):
    store.do("c", "write", 1)
    mine = Link.to(store.url)
    child = os.fork()
    if child == 0:
        os._exit(Link.to(store.url) is mine)
    assert os.waitpid(child, 0)[1] == 0
