"""Opening a log in a folder: made when it is not there, by many at once; what is missing or cannot be used is
named.
"""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.log import open_log
from exactly_once.log.errors import CorruptLog

from .test_processes import SPAWN


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


def test_a_log_to_which_partitions_are_added_meanwhile_is_not_taken_for_damaged(tmp_path):
    """A partition's replica is a row and a table, which come together: whoever opens the file sees both or none."""
    over = threading.Event()

    def add():
        with open_log(tmp_path) as log:
            for number in range(400):
                log.create_topic(f"t{number}")
                log.append(f"t{number}", 0, ["a"])
                if over.is_set():
                    return

    with open_log(tmp_path), ThreadPoolExecutor(1) as pool:
        adding = pool.submit(add)
        try:
            while not adding.done():
                open_log(tmp_path).close()
        finally:
            over.set()
        adding.result()


def test_a_log_that_lost_a_broker_s_file_is_not_taken_for_an_empty_one(tmp_path):
    with open_log(tmp_path, brokers=2) as log:
        log.create_topic("t", replicas=2)
        log.append("t", 0, ["a"])
    (tmp_path / "broker-1.sqlite").unlink()
    for _ in range(2):
        with pytest.raises(CorruptLog, match=r"broker-1\.sqlite is missing, or empty\. If other brokers hold"):
            open_log(tmp_path)


@pytest.mark.parametrize("left", [b"", b"S", None])
def test_a_log_that_lost_its_controller_s_file_is_not_taken_for_a_new_one(left, tmp_path):
    with open_log(tmp_path) as log:
        log.create_topic("t")
        log.append("t", 0, ["a"])
    (tmp_path / "controller.sqlite").unlink()
    if left is not None:
        (tmp_path / "controller.sqlite").write_bytes(left)
    for _ in range(2):
        with pytest.raises(CorruptLog, match=r"controller\.sqlite has lost its topics.*Put back a copy of the log"):
            open_log(tmp_path)










