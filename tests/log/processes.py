"""What a process does in the test of many: it writes numbered records until all are acknowledged."""

import time

from exactly_once.log import open_log
from exactly_once.log.errors import LogError


def write(where, who, count):
    """Write `count` batches of two records as an idempotent producer; each again and again until it is
    acknowledged.
    """
    with open_log(where) as log:
        producer = log.new_producer_id()
        for number in range(count):
            while True:
                try:
                    receipt = log.append("t", 0, [[who, number, 0], [who, number, 1]], "all", producer, 0, 2 * number)
                    assert receipt.acknowledged
                    break
                except LogError:
                    time.sleep(0.01)


def trouble(where, seed, rounds, under_way=None):
    """Kill and revive brokers, one at a time; after some of it, set the event `under_way`."""
    with open_log(where) as log:
        for number in range(rounds):
            broker = (seed + number) % 3
            log.kill(broker)
            if under_way is not None and number == 5:
                under_way.set()
            time.sleep(0.05)
            log.revive(broker)
            time.sleep(0.05)
