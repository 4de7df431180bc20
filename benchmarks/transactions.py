"""How long a log takes to go on after a crash in the middle of transactions, at 1,000,000 records.

Once they were written in 1,000 transactions and once in 10,000, a tenth of them aborted; each time the process dies
with one transaction open and one decided, without its marker. Recovery is all until the next producer can work: open
the log, read the coordinator's topic, take over, write the markers that are due, know the last stable offset, and
begin a new life of the producer that had a transaction open, whose records are aborted by that. The promises: at most
1 second, and at most 1.5 times as long for ten times as many completed transactions.
"""

import os
import shutil
import statistics
import sys
import time

from exactly_once.errors import CourseError
from exactly_once.log import open_log
from exactly_once.log.errors import ConcurrentTransactions
from exactly_once.paths import temporary

RECORDS, TIMES = 1_000_000, 20
FEW, MANY = 1_000, 10_000
SECONDS, RATIO = 1.0, 1.5


def written(folder, transactions):
    """Write the records in so many transactions, and leave one open and one decided."""
    log = open_log(f"sqlite:{folder}")
    log.create_topic("measured")
    coordinator, values = log.coordinator(), [str(number) for number in range(RECORDS // transactions)]
    lives = {name: coordinator.init_producer(name) for name in ("done", "open", "decided")}
    for number in range(transactions):
        log.append("measured", 0, values, "all", *lives["done"], 0, True)
        lives["done"] = coordinator.end("done", *lives["done"], "commit" if number % 10 else "abort")
        log.write_due_markers("done")
    log.append("measured", 0, ["not decided"], "all", *lives["open"], 0, True)
    log.append("measured", 0, ["committed"], "all", *lives["decided"], 0, True)
    coordinator.end("decided", *lives["decided"], "commit")
    log.close()


def recovered(folder):
    """Return the seconds until a new process, on a copy of the log, has everything decided and can go on."""
    copy = folder.with_name(f"{folder.name}-copy")
    shutil.copytree(folder, copy)
    started = time.perf_counter()
    with open_log(f"sqlite:{copy}") as log:
        coordinator = log.transactions
        coordinator.recover()
        log.write_due_markers()
        try:
            coordinator.init_producer("open")
        except ConcurrentTransactions:
            log.write_due_markers()
        coordinator.init_producer("open")
        end = log.last_stable("measured", 0)
        seconds = time.perf_counter() - started
        (last,) = log.fetch("measured", 0, end - 3, isolation="read_committed")
        if (end, last.value) != (log.log_end("measured", 0), "committed"):
            raise CourseError(f"After recovery the last stable offset is {end}, and the last record {last}.")
    shutil.rmtree(copy)
    return seconds


def main():
    """Write both logs, recover each of them in turns, and print the table. Returns 1 when a promise was missed."""
    folder = temporary("benchmarks", f"transactions-{os.getpid()}")
    try:
        logs = {count: folder / str(count) for count in (FEW, MANY)}
        for count, place in logs.items():
            written(place, count)
        turns = [{count: recovered(place) for count, place in logs.items()} for _ in range(TIMES)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    median = {count: statistics.median(turn[count] for turn in turns) for count in logs}
    for count, seconds in median.items():
        print(f"{RECORDS:,} records in {count:6,} transactions: recovered in {seconds:.3f} s (median of {TIMES})")
    ratio = statistics.median(turn[MANY] / turn[FEW] for turn in turns)
    kept = max(median.values()) <= SECONDS and ratio <= RATIO
    print(f"Ten times as many completed transactions: {ratio:.2f} times as long; promised at most {SECONDS:g} s and "
          f"{RATIO:g} times: {'kept' if kept else 'MISSED'}", flush=True)  # fmt: skip
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
