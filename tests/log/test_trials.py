"""Long trials with seeds: bits flipped at random, and processes and brokers killed at will; each prints its figures.

`EXACTLY_ONCE_TRIAL_SECONDS` says how long each goes on, 20 by default: an hour of kills is 3600.
`EXACTLY_ONCE_TRIAL_SEED` is the first seed.
"""

import os
import random
import signal
import time
from collections import Counter

import pytest

from exactly_once.errors import OutcomeUnknown
from exactly_once.log import Consumer, errors, open_log

from .damaging import SPAWN, after_flips, filled
from .opened import held, values

SECONDS = float(os.environ.get("EXACTLY_ONCE_TRIAL_SECONDS", "20"))
SEED = int(os.environ.get("EXACTLY_ONCE_TRIAL_SEED", "1"))
PARTITIONS = 2
RETRIABLE = (errors.NotEnoughReplicas, errors.NotEnoughReplicasAfterAppend, errors.LeaderNotAvailable, OutcomeUnknown)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(SECONDS + 600)]


@pytest.mark.parametrize(("brokers", "compact"), [(1, False), (3, False), (3, True)])
def test_bits_flipped_at_random_lose_nothing_in_silence(tmp_path, capsys, brokers, compact):
    written, seed, counted = (
        filled(tmp_path / "log", brokers, 300, compact=compact, segment_bytes=5000),
        SEED,
        Counter(),
    )
    if compact:
        with open_log(tmp_path / "log") as log:
            assert log.compact("t", 0)
            written = values(log)
    names = [f"broker-{number}.sqlite" for number in range(brokers)]
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        name = names[seed % brokers]
        harmless, refused = after_flips(tmp_path / "log", tmp_path / "work", name, (written, 3000), 20, seed)
        counted.update({"harmless": harmless, "refused": refused})
        seed += 1
    with capsys.disabled():
        print(f"\nflips: {brokers} brokers, seeds {SEED} to {seed - 1}: {counted.total()} bits, {dict(counted)}")


def write(where, who, life, notes, begun):
    """Write numbered records for ever; note each that is acknowledged, and each refusal by its name."""
    with open_log(where) as log, open(notes, "a", buffering=1, encoding="ascii") as noted:
        begun.set()
        producer, number = log.new_producer_id(), 0
        while True:
            try:
                log.append("t", who % PARTITIONS, [[who, life, number]], "all", producer, 0, number)
                print("acknowledged", life, number, file=noted)
                number += 1
            except RETRIABLE as why:
                print("refused", type(why).__name__, file=noted)


def read(where, who, life, notes, begun):
    """Read for ever in a group, and commit; note the counts, and check that no record of a writer is skipped."""
    with open_log(where) as log, open(notes, "a", buffering=1, encoding="ascii") as noted:
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
                    print("read", len(records), file=noted)
            except RETRIABLE as why:
                print("refused", type(why).__name__, file=noted)


def kill_brokers(where, who, life, notes, begun):
    """Kill and revive brokers for ever, never more than one at a time."""
    chance = random.Random(life)
    with open_log(where) as log, open(notes, "a", buffering=1, encoding="ascii") as noted:
        begun.set()
        while True:
            for broker in set(range(3)) - set(log.alive):
                log.revive(broker)
            log.kill(chance.randrange(3))
            print("broker killed", file=noted)
            time.sleep(chance.uniform(0, 0.1))


WORK = {0: write, 1: write, 2: write, 3: read, 4: kill_brokers}


def test_processes_and_brokers_killed_at_will_lose_and_double_nothing(tmp_path, capsys):
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
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        who = chance.choice(list(processes))
        killed(who)
        processes[who] = started(who)
    for who in processes:
        killed(who)
    check(where, {who: path.read_text(encoding="ascii").splitlines() for who, path in notes.items()}, lives, capsys)


def check(where, notes, lives, capsys):
    """Check that each acknowledged record is there once and in order, on every replica; print the figures."""
    acknowledged = Counter()
    for who in (0, 1, 2):
        for line in notes[who]:
            if line.startswith("acknowledged "):
                _, life, number = line.split()
                acknowledged[who, int(life)] = int(number) + 1
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
        for disk in log.disks:
            disk.check()
    for place, count in acknowledged.items():
        assert found[place] in (count, count + 1), (place, found[place], count)
    lines = [line.split() for of_one in notes.values() for line in of_one]
    refused = Counter(line[1] for line in lines if line[0] == "refused")
    with capsys.disabled():
        print(
            f"\nkills: seed {SEED}, {SECONDS:g} s: {sum(lives.values()) - len(lives)} processes killed, "
            f"{sum(line[0] == 'broker' for line in lines)} brokers killed, {sum(acknowledged.values())} batches "
            f"acknowledged, {sum(found.values())} there, {sum(int(line[1]) for line in lines if line[0] == 'read')} "
            f"read, refusals heard: {dict(refused)}"
        )
