"""The SQLite disk under several writers and readers at once, and under SIGKILL: whole batches, in order, none
lost.
"""

import multiprocessing
import os
import random
import signal
import time

import pytest

from exactly_once.log.storage.sqlite_disk import SQLiteDisk
from tests.log import disk_writers
from tests.log.disk_writers import REPLICA, check_order

SPAWN = multiprocessing.get_context("spawn")


class Child:
    """A process of `disk_writers`, and what it told last."""

    def __init__(self, function, path, *arguments):
        self.ear, mouth = SPAWN.Pipe(duplex=False)
        order = (
            [path, mouth] if function is disk_writers.read_for_ever else [path, arguments[0], mouth, *arguments[1:]]
        )
        self.process, self.told = SPAWN.Process(target=function, args=order, daemon=True), None
        self.process.start()
        mouth.close()

    def hear(self):
        """Return the newest word; wait for the first one."""
        while self.told is None or self.ear.poll():
            self.told = self.ear.recv()
        return self.told

    def kill(self):
        """Kill it, and return what it had told until then."""
        assert self.process.is_alive(), "it ended by itself"
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.join()
        assert self.process.exitcode == -signal.SIGKILL
        while True:
            try:
                self.told = self.ear.recv()
            except EOFError:
                return self.told


def series(path, kills, seed):
    """Let two writers and two readers work on one file, and kill one of the four at random moments, again and
    again.
    """
    chance = random.Random(seed)
    SQLiteDisk(path).close()
    writers = {number: Child(disk_writers.write_for_ever, path, number) for number in range(2)}
    readers = [Child(disk_writers.read_for_ever, path) for _ in range(2)]
    disk, seen, end = SQLiteDisk(path), {}, 0
    for _ in range(kills):
        for child in [*writers.values(), *readers]:
            child.hear()
        time.sleep(chance.uniform(0, 0.05))
        if chance.random() < 0.25:
            readers.pop().kill()
            readers.insert(0, Child(disk_writers.read_for_ever, path))
            continue
        number = chance.choice(list(writers))
        told = writers[number].kill() or 0
        end = check_order(disk.batches(REPLICA, end), seen, end)
        inside = seen[number]
        assert inside in (told, told + 1), "what was acknowledged is there; the last may not have come to tell"
        writers[number] = Child(disk_writers.write_for_ever, path, number, inside)
    last = {number: child.kill() or 0 for number, child in writers.items()}
    for reader in readers:
        reader.kill()
    disk.check()
    seen = {}
    check_order(disk.batches(REPLICA), seen)
    assert all(seen[number] >= last[number] for number in writers)
    disk.close()
    return sum(seen.values())


def test_two_writers_and_two_readers_of_which_one_is_killed_again_and_again(tmp_path):
    assert series(tmp_path / "broker.sqlite", 10, seed=5) > 10


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(4))
def test_many_more_kills(tmp_path, seed):
    assert series(tmp_path / "broker.sqlite", 60, seed) > 60


def test_a_process_that_dies_within_a_transaction_leaves_nothing(tmp_path):
    path = tmp_path / "broker.sqlite"
    disk = SQLiteDisk(path)
    disk_writers.append(disk, [b"0 0 0 1 "])
    before = disk.status(REPLICA)
    child = SPAWN.Process(target=disk_writers.die_within, args=(path,))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    assert disk.status(REPLICA) == before
    assert disk.get("kept") is None
    assert disk_writers.append(disk, [b"0 1 0 1 "]) == 1, "nobody waits for the dead"
    assert check_order(disk.batches(REPLICA), {}) == 2
    disk.check()


def test_a_reader_sees_one_state_while_another_writes(tmp_path):
    path = tmp_path / "broker.sqlite"
    writer, reader = SQLiteDisk(path), SQLiteDisk(path)
    disk_writers.append(writer, [b"0 0 0 1 "])
    with reader.reading():
        first = reader.batches(REPLICA)
        disk_writers.append(writer, [b"0 1 0 1 "])
        assert reader.batches(REPLICA) == first
    assert len(reader.batches(REPLICA)) == 2
