"""A store over PostgreSQL where the server, a client or a connection fails, and its prepared transactions."""

import os
import subprocess
import sys

import psutil
import psycopg
import pytest

from exactly_once.errors import BadInput, CourseError, OutcomeUnknown
from exactly_once.servers import new_name, opened
from exactly_once.stores import Blocked, Origin


@pytest.fixture
def store(postgresql):
    store = opened(postgresql.url, "database", new_name())
    yield store
    store.remove()
    store.close()


def in_a_process(store, then):
    """Have another process do something with the store, and return that process; its `ready()` says that it did."""
    code = (
        "import sys, time; from exactly_once.servers import opened\n"
        f"store = opened({store.url!r}, 'database', {store.schema!r})\n"
        f"def ready(): print(flush=True); time.sleep(600)\n{then}"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"\n"
    process.stdout.close()
    return process


def test_another_password_is_refused(postgresql):
    wrong = postgresql.folder / "wrong"
    wrong.write_text("*:*:*:course:guessed\n")
    wrong.chmod(0o600)
    with pytest.raises(CourseError, match=r"cannot be reached .*authentication failed"):
        opened(postgresql.url.replace("passwords", "wrong"), "database", new_name()).journal()


def test_where_the_name_of_its_folder_is_short_it_listens_to_no_port(postgresql):
    listening = psutil.Process(postgresql.pid()).net_connections("inet")
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


def test_a_preparer_that_is_killed_leaves_its_transaction_prepared(store):
    store.do("t", "add", 5)
    process = in_a_process(store, "store.do('t', 'prepare', 'a', [['t', 'add', 1]]); ready()")
    process.kill()
    process.wait()
    assert (store.do("p", "prepared").value, store.do("t", "total").value) == (["a"], 5)
    assert store.do("p", "commit_prepared", "a").value is True
    assert store.do("t", "total").value == 6


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


def test_an_identifier_too_long_for_postgresql_is_refused(store):
    with pytest.raises(BadInput, match="PostgreSQL takes fewer than 200"):
        store.do("p", "prepare", "a" * 199, [["t", "add", 1]])
