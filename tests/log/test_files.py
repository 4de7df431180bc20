"""The files of a whole log: they are made when they are not there, by many at once; what is lost is found out."""

import multiprocessing

import pytest

from exactly_once.log import open_log
from exactly_once.log.log_errors import CorruptLog

SPAWN = multiprocessing.get_context("spawn")
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
        (tmp_path / CONTROLLER).unlink(missing_ok=True)
        if left is not None:
            (tmp_path / CONTROLLER).write_bytes(left)
        for _ in range(2):
            with pytest.raises(CorruptLog, match=r"controller\.sqlite is missing, or empty\. Put back a copy"):
                open_log(tmp_path)


def test_a_log_of_two_with_one_file_lost_is_not_taken_for_an_empty_one(tmp_path):
    with open_log(tmp_path, 2) as log:
        log.create_topic("t", replicas=2)
        log.append("t", 0, ["a"])
    (tmp_path / "broker-1.sqlite").unlink()
    for _ in range(2):
        with pytest.raises(CorruptLog, match=r"broker-1\.sqlite is missing, or empty\. Put back a copy"):
            open_log(tmp_path)
