"""The files of a whole log: they are made when they are not there, by many at once; what is lost or changed in one of
them is found out, and made good from the others.
"""

import shutil
import sqlite3
import subprocess
import sys

import pytest

from exactly_once.log import open_log
from exactly_once.log.errors import CorruptLog, NotEnoughReplicas
from exactly_once.log.storage.sqlite_disk import SQLiteDisk

from .damaging import SPAWN, append_and_die, filled, run
from .disk_writers import append
from .opened import held, values

CONTROLLER = "controller.sqlite"


def open_and_append(where, process):
    """Open a log that may not be there yet, create its topic unless somebody has, and append, again and again."""
    for number in range(5):
        with open_log(where) as log:
            log.create_topic("t", partitions=2, exist_ok=True)
            log.append("t", number % 2, [[process, number]])


def test_four_processes_open_a_new_folder_at_once(tmp_path):
    where = f"sqlite:{tmp_path / 'not' / 'there' / 'yet'}"
    processes = [SPAWN.Process(target=open_and_append, args=(where, process)) for process in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * 4
    with open_log(where) as log:
        found = [record.value for partition in range(2) for record in log.fetch("t", partition, 0)]
    assert sorted(found) == [[process, number] for process in range(4) for number in range(5)]


def test_a_log_that_lost_its_controller_s_file_is_not_taken_for_a_new_one(tmp_path):
    with open_log(tmp_path) as log:
        log.create_topic("t")
        log.append("t", 0, ["a"])
    for left in (None, b"", b"S"):
        (tmp_path / CONTROLLER).unlink()
        if left is not None:
            (tmp_path / CONTROLLER).write_bytes(left)
        for _ in range(2):
            with pytest.raises(CorruptLog, match=r"controller\.sqlite has lost its topics.*Put back a copy"):
                open_log(tmp_path)


def changed(path, *statement):
    """Change a file behind the library's back, after it was closed."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(*statement)
    connection.close()


@pytest.mark.parametrize("compact", [False, True])
def test_batches_that_are_missing_are_missed(tmp_path, compact):
    filled(tmp_path / "log", 1, 20, compact=compact, segment_bytes=1000)
    with open_log(tmp_path / "log") as log:
        log.compact("t", 0) if compact else log.delete_records("t", 0, 10)
        start = log.log_start("t", 0)
    for number, gone in enumerate(["<= 10", "= 60", "= 190", "> 100", "BETWEEN 50 AND 80", ">= 0"]):
        copy = shutil.copytree(tmp_path / "log", tmp_path / str(number))
        changed(copy / "broker-0.sqlite", f"DELETE FROM batches_1 WHERE base {gone}")
        with pytest.raises(CorruptLog, match=r"batches are missing|whose last batch ends"), open_log(copy) as log:
            log.fetch("t", 0, start)


def test_a_write_ahead_log_that_was_deleted_is_found_out(tmp_path):
    filled(tmp_path, 1, 1)
    run(append_and_die, tmp_path, range(3), status=-9)
    (tmp_path / "broker-0.sqlite-wal").unlink()
    for _ in range(2):
        with pytest.raises(CorruptLog, match=r"not closed in order, and broker-0\.sqlite-wal, .* is gone"):
            open_log(tmp_path)


def test_a_file_that_was_not_closed_but_let_go_is_whole(tmp_path):
    path = tmp_path / "broker-0.sqlite"
    for number in range(3):
        append(SQLiteDisk(path), [number])
    one, other = SQLiteDisk(path), SQLiteDisk(path)
    one.close()
    append(other, [3])
    del other
    disk = SQLiteDisk(path)
    assert [record.value for batch in disk.batches("orders-0") for record in batch.records()] == [0, 1, 2, 3]
    disk.close()
    assert [file.name for file in tmp_path.iterdir()] == ["broker-0.sqlite"]


@pytest.mark.parametrize("broker", [0, 1])
def test_a_log_of_three_with_one_file_lost_opens_with_two_and_is_made_whole(tmp_path, broker):
    written = filled(tmp_path, 3, 20)
    (tmp_path / f"broker-{broker}.sqlite").unlink()
    others = [one for one in range(3) if one != broker]
    with open_log(tmp_path) as log:
        assert (log.alive, log.isr("t", 0), values(log)) == (others, others, written)
        log.append("t", 0, ["more"])
        assert held(log, broker) == []
        with pytest.raises(
            CorruptLog, match=rf"broker-{broker}\.sqlite is missing, or empty.*rebuild\(\) of the log"
        ):
            log.revive(broker)
    with open_log(tmp_path) as log:
        log.rebuild(broker)
        assert (log.alive, sorted(log.isr("t", 0))) == ([0, 1, 2], [0, 1, 2])
        assert held(log, broker) == values(log) == [*written, "more"]
    with open_log(tmp_path) as log:
        assert log.alive == [0, 1, 2]


def test_a_log_of_two_with_one_file_lost_is_not_taken_for_an_empty_one(tmp_path):
    filled(tmp_path, 2, 1)
    (tmp_path / "broker-1.sqlite").unlink()
    for _ in range(2):
        with pytest.raises(CorruptLog, match=r"broker-1\.sqlite is missing, or empty\. If other brokers hold"):
            open_log(tmp_path)


def test_a_damaged_follower_dies_of_it_and_the_leader_goes_on(tmp_path):
    written = filled(tmp_path, 3, 20)
    changed(tmp_path / "broker-1.sqlite", "UPDATE batches_1 SET time = 5 WHERE base = 190")
    with open_log(tmp_path) as log:
        assert log.append("t", 0, ["more"]).acknowledged
        assert log.alive == [0, 2]
        with pytest.raises(CorruptLog, match="offset 190 is not what was written"):
            log.revive(1)
        log.rebuild(1)
        assert held(log, 1) == held(log, 0) == [*written, "more"]
    assert (tmp_path / "broker-1.sqlite.damaged-1").exists()


def test_a_damaged_leader_is_rebuilt_from_its_followers(tmp_path):
    written = filled(tmp_path, 3, 20)
    changed(tmp_path / "broker-0.sqlite", "UPDATE batches_1 SET payload = 'x' WHERE base = 50")
    with open_log(tmp_path) as log:
        with pytest.raises(CorruptLog, match=r"offset 50 is not .*rebuild\(\) of the log fills it anew"):
            log.fetch("t", 0, 0)
        log.rebuild(0)
        assert values(log) == held(log, 0) == written


def test_a_broker_that_alone_has_records_is_not_rebuilt(opened):
    log = opened(3)
    log.create_topic("t")
    log.append("t", 0, ["a"])
    with pytest.raises(NotEnoughReplicas, match=r"Only broker 0 is in sync for t-0.*rebuild\(0, unclean=True\)"):
        log.rebuild(0)
    assert values(log) == ["a"]
    log.rebuild(1)
    log.rebuild(0, unclean=True)
    assert (values(log), log.append("t", 0, ["b"]).offset) == ([], 0)


@pytest.mark.parametrize(("broker", "deaths"), [(0, ()), (0, (0, 1)), (1, (0,))])
def test_an_old_copy_of_a_file_costs_nothing(tmp_path, broker, deaths):
    """A leader that lacks what its followers have does not cut them down; it becomes a follower, and copies."""
    path, copy = tmp_path / f"broker-{broker}.sqlite", tmp_path / "copy"
    written = filled(tmp_path, 3, 10)
    shutil.copy(path, copy)
    with open_log(tmp_path) as log:
        for dead in deaths:
            log.kill(dead)
            log.revive(dead)
        log.append("t", 0, ["more"])
    shutil.copy(copy, path)
    with open_log(tmp_path) as log:
        assert log.append("t", 0, ["last"]).acknowledged
        assert values(log) == [*written, "more", "last"]
        log.replicate()
        assert held(log, 0) == held(log, 1) == held(log, 2) == values(log)
        assert log.isr("t", 0) == [0, 1, 2]


def test_logs_that_are_open_when_the_process_ends_are_closed_in_order(tmp_path):
    program = f"from exactly_once.log import open_log\nlogs = [open_log('sqlite:{tmp_path}', 2) for _ in range(3)]"
    subprocess.run([sys.executable, "-c", program], check=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broker-0.sqlite", "broker-1.sqlite", CONTROLLER]


def idempotent(log, values):
    """Append values one by one with a producer's numbers."""
    producer = log.new_producer_id()
    for number, value in enumerate(values):
        log.append("t", 0, [value], producer=producer, producer_epoch=0, sequence=number)


def writes_to_a_new_topic(log):
    log.create_topic("later", 1)
    log.append("later", 0, ["x"])


LATER = {
    "begins a producer": lambda log: idempotent(log, "abcde"),
    "begins a transactional producer": lambda log: log.transactional_producer("mine").init_transactions(),
    "elects another leader": lambda log: (log.kill(0), log.revive(0)),
    "writes to a new topic": writes_to_a_new_topic,
}


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_a_controllers_file_that_was_put_back_alone_is_refused(tmp_path, later):
    place = tmp_path / "log"
    with open_log(place, 2) as log:
        log.create_topic("t", replicas=2)
        log.transactional_producer("another").init_transactions()
        idempotent(log, "ab")
    shutil.copy(place / CONTROLLER, tmp_path)
    with open_log(place) as log:
        later(log)
    shutil.copy(place / CONTROLLER, tmp_path / "right")
    shutil.copy(tmp_path / CONTROLLER, place)
    for _ in range(2):
        with pytest.raises(CorruptLog, match=r"controller\.sqlite is older than the brokers' files: .*whole folder"):
            open_log(place)
    shutil.copy(tmp_path / "right", place / CONTROLLER)
    open_log(place).close()
