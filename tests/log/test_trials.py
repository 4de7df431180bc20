"""Trials with seeds: processes and brokers killed at will, few by day and more by night.

`EXACTLY_ONCE_TRIAL_SEED` is the first seed.
"""

import multiprocessing
import os
import random
import signal
import time
from collections import Counter

import pytest

from exactly_once.errors import OutcomeUnknown
from exactly_once.log import Consumer, log_errors, open_log

from .opened import held, values

SPAWN = multiprocessing.get_context("spawn")
SEED = int(os.environ.get("EXACTLY_ONCE_TRIAL_SEED", "1"))
PARTITIONS = 2
RETRIABLE = (
    log_errors.NotEnoughReplicas,
    log_errors.NotEnoughReplicasAfterAppend,
    log_errors.LeaderNotAvailable,
    OutcomeUnknown,
)


def write(where, who, life, notes, begun):
    """Write numbered records for ever; note each that is acknowledged."""
    with open_log(where) as log, open(notes, "a", buffering=1, encoding="ascii") as noted:
        begun.set()
        producer, number = log.new_producer_id(), 0
        while True:
            try:
                log.append("t", who % PARTITIONS, [[who, life, number]], "all", producer, 0, number)
            except RETRIABLE:
                continue
            print(life, number, file=noted)
            number += 1


def read(where, who, life, notes, begun):
    """Read for ever in a group, and commit; check that no record of a writer is skipped."""
    with open_log(where) as log:
        begun.set()
        consumer, seen = Consumer(log, "t", group="g"), {}
        while True:
            try:
                records = consumer.poll(50)
                for record in records:
                    writer, its_life, number = record.value
                    before = seen.get((writer, its_life))
                    assert before is None or number == before + 1, (record, before)
                    seen[writer, its_life] = number
                if records:
                    consumer.commit()
            except RETRIABLE:
                continue


def kill_brokers(where, who, life, notes, begun):
    """Kill and revive brokers for ever, never more than one at a time."""
    chance = random.Random(life)
    with open_log(where) as log:
        begun.set()
        while True:
            for broker in set(range(3)) - set(log.alive):
                log.revive(broker)
            log.kill(chance.randrange(3))
            time.sleep(chance.uniform(0, 0.1))


WORK = {0: write, 1: write, 2: write, 3: read, 4: kill_brokers}


@pytest.mark.parametrize("kills", [5, pytest.param(100, marks=[pytest.mark.slow, pytest.mark.timeout(900)])])
@pytest.mark.not_by_day
def test_processes_and_brokers_killed_at_will_lose_and_double_nothing(tmp_path, kills):
    where, chance, lives = tmp_path / "log", random.Random(SEED), Counter()
    with open_log(where, 3) as log:
        log.create_topic("t", PARTITIONS, replicas=3, min_insync_replicas=2, segment_bytes=20_000)

    def started(who):
        lives[who] += 1
        notes[who].touch()
        begun = SPAWN.Event()
        process = SPAWN.Process(target=WORK[who], args=(where, who, lives[who], notes[who], begun), daemon=True)
        process.start()
        return process, begun

    def killed(who):
        process, begun = processes[who]
        if chance.random() < 0.8:  # the others die while they start
            while process.is_alive() and not begun.wait(1):
                pass
        time.sleep(chance.uniform(0, 0.5))
        assert process.is_alive(), f"{WORK[who].__name__} {who} ended by itself; seed {SEED}"
        os.kill(process.pid, signal.SIGKILL)
        process.join()

    notes = {who: tmp_path / f"notes-{who}" for who in WORK}
    processes = {who: started(who) for who in WORK}
    for _ in range(kills):
        who = chance.choice(list(processes))
        killed(who)
        processes[who] = started(who)
    for who in processes:
        killed(who)
    acknowledged = Counter()
    for who in (0, 1, 2):
        for line in notes[who].read_text(encoding="ascii").splitlines():
            life, number = map(int, line.split())
            acknowledged[who, life] = number + 1
    assert acknowledged.total()
    check(where, acknowledged)


def check(where, acknowledged):
    """Check that each acknowledged record is there once and in order, on every replica."""
    with open_log(where) as log:
        for broker in range(3):
            log.revive(broker)
        log.elect()
        log.replicate()
        found = Counter()
        for partition in range(PARTITIONS):
            there = values(log, partition=partition)
            assert all(held(log, broker, "t", partition) == there for broker in range(3))
            for who, life, number in there:
                assert number == found[who, life], (who, life, number)
                found[who, life] += 1
    for place, count in acknowledged.items():
        assert found[place] in (count, count + 1), (place, found[place], count)
