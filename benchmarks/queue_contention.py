"""Pushes in a second at a lock-free queue, against contention, with the queue behind a spinlock as the measure.

1 to 4 processes push to one queue in one SQLite file: 400 times in all, whoever makes them, a few times over, the two
queues in turns. The promise: whatever the contention, the lock-free queue makes at least as many pushes in a second
as the one behind a lock. Both share SQLite's own write lock,
and each step, a read too, is a transaction with a line in the journal: neither grows with the processes.
"""

import statistics
import sys

from exactly_once.lockfree.contention import KINDS, MOST_PROCESSES, contend

PUSHES, TIMES = 400, 7


def main():
    """Let the processes push, and print the table. Returns 1 when the promise was missed."""
    kept = True
    for processes in range(1, MOST_PROCESSES + 1):
        turns = [
            {queue: contend(queue, processes, pushes=PUSHES // processes).per_second for queue in KINDS}
            for _ in range(TIMES)
        ]
        free, locked = (statistics.median(turn[queue] for turn in turns) for queue in KINDS)
        ratio = statistics.median(turn["cas"] / turn["lock"] for turn in turns)
        kept = kept and ratio >= 1
        print(f"{processes} at once: lock-free {free:6,.0f} pushes/s, behind a lock {locked:6,.0f} pushes/s, "
              f"{ratio:.2f} times as many (medians of {TIMES})")  # fmt: skip
    print(f"Lock-free at least as many as behind a lock: {'kept' if kept else 'MISSED'}", flush=True)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
