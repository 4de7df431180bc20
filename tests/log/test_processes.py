"""Several processes on one replicated log, while brokers die and come back: all that was acknowledged is there
once.
"""

import multiprocessing
import os
import signal

from exactly_once.log import open_log

from . import processes
from .opened import held

SPAWN = multiprocessing.get_context("spawn")


def started(function, *arguments):
    process = SPAWN.Process(target=function, args=arguments, daemon=True)
    process.start()
    return process


def test_acknowledged_records_are_there_once_and_in_order_whatever_the_brokers_do(tmp_path):
    where = f"sqlite:{tmp_path / 'log'}"
    with open_log(where, 3) as log:
        log.create_topic("t", replicas=3, min_insync_replicas=2, segment_bytes=2000)
    writers = [started(processes.write, where, who, 40) for who in range(2)]
    troubles = started(processes.trouble, where, 0, 12)
    under_way = SPAWN.Event()
    victim = started(processes.trouble, where, 1, 1000, under_way)
    assert under_way.wait(120)
    os.kill(victim.pid, signal.SIGKILL)  # wherever it is, with a broker dead or half revived
    for process in (*writers, troubles):
        process.join(120)
        assert process.exitcode == 0
    with open_log(where) as log:
        for broker in range(3):
            log.revive(broker)
        log.elect()
        log.replicate()
        assert log.isr("t", 0) == [0, 1, 2]
        found = [record.value for record in log.fetch("t", 0, 0)]
        for who in range(2):
            mine = [value for value in found if value[0] == who]
            assert mine == [[who, number, part] for number in range(40) for part in range(2)]
        assert held(log, 0) == held(log, 1) == held(log, 2) == found
