"""Two and three real processes run the lock-free handler at once on one SQLite file, and are killed by SIGKILL."""

import multiprocessing
import random
from multiprocessing.connection import wait

import pytest

from exactly_once import Job
from exactly_once.lockfree import flawed, hourly_means
from exactly_once.node import program_of
from exactly_once.stores import MemoryStore, SQLiteStore
from exactly_once.verdict import Outcome, ideal_outcomes
from tests.lockfree import processes

SPAWN = multiprocessing.get_context("spawn")
ITEMS = 40


def outcome_of(folder, handler, count, chance=None):
    """Run `count` processes until each has ended; each is killed a few times when there is a `chance`."""
    store = SQLiteStore(folder / "engine.sqlite")
    Job(items=ITEMS).load_inputs({"engine": store})
    deaths = [[chance.randint(1, 60) for _ in range(3)] if chance else [] for _ in range(count)]
    together, killed = SPAWN.Barrier(count), 0
    running = {number: _start(folder, handler, deaths[number], together) for number in range(count)}
    while running:
        wait([process.sentinel for process in running.values()])
        for number, process in list(running.items()):
            code = process.exitcode
            if code == -9:
                killed += 1
                running[number] = _start(folder, handler, deaths[number])
            elif code is not None:
                assert code == 0
                del running[number]
    program = program_of(handler, Job(items=ITEMS))
    found = Outcome.of({"engine": store, "database": MemoryStore("database")}, [program])
    refused = [entry for entry in store.journal() if entry.verb == "cas" and entry.value is None]
    store.close()
    return found, killed, len(refused)


def right(handler):
    """Return the outcomes that are right."""
    return {ideal.outcome for ideal in ideal_outcomes(handler, Job(items=ITEMS))}


def _start(folder, handler, deaths, together=None):
    dies_at = deaths.pop() if deaths else None
    process = SPAWN.Process(target=processes.one_life, args=(folder, ITEMS, handler, dies_at, together))
    process.start()
    return process


@pytest.mark.some(day=0, ci=1)
@pytest.mark.parametrize("handler", [hourly_means, flawed.positions_apart])
@pytest.mark.parametrize("count", [2, 3])
def test_processes_at_once_under_sigkill_are_exactly_once(tmp_path, handler, count):
    found, killed, _ = outcome_of(tmp_path, handler, count, random.Random(count))
    assert found in right(handler)
    assert killed > 0


def test_two_processes_do_meet_and_without_preparing_one_repeats_the_other(tmp_path):
    for attempt in range(40):
        (tmp_path / str(attempt)).mkdir()
        found, _, refused = outcome_of(tmp_path / str(attempt), flawed.without_preparing, 2)
        if refused and found not in right(flawed.without_preparing):
            return
    raise AssertionError("in forty runs no two processes met")
