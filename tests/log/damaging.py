"""Logs to be damaged, in processes that die, and what is left of them: for the tests of files and the long trials."""

import multiprocessing
import os
import random
import shutil

from exactly_once.errors import CourseError
from exactly_once.log import Consumer, Pair, open_log

SPAWN = multiprocessing.get_context("spawn")


def filled(folder, brokers=3, batches=300, seed=0, **settings):
    """Write batches of ten records to a new log, in a process of its own that closes it in order. Returns the values.

    Open connections of this process must not be in the way of what a test does to the files.
    """
    run(_fill, folder, brokers, batches, seed, settings)
    return [f"{number} {place}" for number in range(batches) for place in range(10)]


def _fill(folder, brokers, batches, seed, settings):
    chance = random.Random(seed)
    with open_log(folder, brokers) as log:
        log.create_topic("t", **{"replicas": brokers, "min_insync_replicas": min(2, brokers)} | settings)
        producer = log.new_producer_id()
        for number in range(batches):
            records = [Pair(str(chance.randrange(99)), f"{number} {place}") for place in range(10)]
            log.append("t", 0, records, "all", producer, 0, 10 * number)


def run(function, *arguments, status=0):
    """Run a function in a process of its own until it ends, with this status."""
    process = SPAWN.Process(target=function, args=arguments)
    process.start()
    process.join()
    assert process.exitcode == status


def flip(path, place, bit):
    """Flip one bit of a file."""
    with open(path, "r+b") as file:
        file.seek(place)
        (old,) = file.read(1)
        file.seek(place)
        file.write(bytes([old ^ 1 << bit]))


def after_flips(source, work, name, wanted, count, seed):
    """Flip one bit of a file in `count` fresh copies of a log. Returns how many flips were harmless, and refused.

    `wanted` is (values, end): a reader gets exactly the written values, and the log has the same end;
    or the log reports the damage in a sentence.
    """
    chance, harmless, said = random.Random(seed), 0, []
    size = os.path.getsize(source / name)
    pages = size // 32768
    for _ in range(count):
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(source, work)
        # half of the flips hit the header of a page, where SQLite keeps its own data
        place = chance.randrange(pages) * 32768 + chance.randrange(300) if chance.random() < 0.5 else None
        place, bit = chance.randrange(size) if place is None else place, chance.randrange(8)
        flip(work / name, place, bit)
        try:
            with open_log(work) as log:
                consumer, found = Consumer(log, "t"), []
                while records := consumer.poll(chance.choice([7, 500, 10_000])):
                    found += [record.value for record in records]
                appended = log.append("t", 0, [Pair("new", "new")]).offset
        except CourseError as why:
            said.append(str(why))
            continue
        harmless += 1
        assert found == wanted[0], (seed, name, place, bit, len(found))
        assert appended == wanted[1], (seed, name, place, bit)
    assert not [sentence for sentence in said if "delete" in sentence]
    return harmless, len(said)
