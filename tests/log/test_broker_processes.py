"""Brokers as processes: the start, the order of leaders, and the end of every process in every case."""

import json
import os
import pickle
import socket
import struct
import subprocess
import sys
import threading
import time

import psutil
import pytest

from exactly_once import CourseError
from exactly_once.log import ControllerProcess, NetworkProducer, Topic, open_log
from exactly_once.spark.cluster.processes import is_running

LIMIT = 60  # s; for what comes at once, on any machine
LOOK = 0.02


def brokers(folder, armed=None, note=lambda *_: None, **settings):
    topic = Topic("orders", **{"replicas": 3, "min_insync_replicas": 2} | settings)
    return ControllerProcess(folder, topic, topic.replicas, armed, note)


def wait(controller, done):
    deadline = time.monotonic() + LIMIT
    while not done():
        assert time.monotonic() < deadline, "it does not come"
        controller.step(LOOK)


def send(controller, acks, records=6, meanwhile=lambda: None, producer=None):
    """Let a producer send in a thread while the controller does its work; return the attempts."""
    sender = NetworkProducer(controller.topic, controller.port.number, controller.secret, acks, producer, LIMIT)
    thread = threading.Thread(target=sender.send_all, args=(records,), daemon=True)
    thread.start()

    def through():
        meanwhile()
        return not thread.is_alive()

    wait(controller, through)
    wait(controller, controller.settled)
    sender.close()
    return sender.answers


def acknowledged(attempts):
    return [one.number for one in attempts if one.what == "acknowledged"]


def read(folder):
    """Return the values that a reader finds, and the values in each broker's own file."""
    log = open_log(f"sqlite:{folder}")
    try:
        replicas = log.snapshot()["partitions"][0]["replicas"]
        own = [[record["value"] for record in one["records"]] for one in replicas]
        return [record.value for record in log.fetch("orders", 0, 0)], own
    finally:
        log.close()


SIX = [1, 2, 3, 4, 5, 6]
WITHOUT = [1, 2, 4, 5, 6]
TWICE = [1, 2, 3, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("acks", "moment", "numbered", "found"),
    [
        (1, "appended", False, WITHOUT),
        (1, "replicated", False, SIX),
        ("all", "appended", False, SIX),
        ("all", "replicated", False, TWICE),
        ("all", "replicated", True, SIX),
    ],
)
@pytest.mark.some(day=3)
def test_what_a_leader_that_dies_at_record_3_leaves(tmp_path, acks, moment, numbered, found):
    heard = []
    with brokers(tmp_path, {0: (3, moment)}, lambda *what: heard.append(what)) as controller:
        wait(controller, controller.ready)
        producer = controller.controller.new_producer_id() if numbered else None
        attempts = send(controller, acks, producer=producer)
        assert controller.processes[0].wait(LIMIT) == -9
        assert (controller.partition().leader, controller.partition().isr) == (1, (1, 2))
        assert controller.leads[1][0] == 1
        assert controller.leads[1][1] > controller.died[0]
    assert acknowledged(attempts) == SIX
    unanswered = {(one.number, one.broker) for one in attempts if one.what == "no answer"}
    assert unanswered == {(3, 0)} if acks == "all" else unanswered <= {(4, 0)}
    assert [one.epoch for one in attempts if one.what == "acknowledged" and one.number != 3] == [0, 0, 1, 1, 1]
    assert [one.number for one in attempts if one.duplicate] == ([3] if numbered else [])
    assert read(tmp_path) == (found, [[1, 2, 3], found, found]), "the dead leader's file has record 3"
    assert [text for _, who, text, _ in sorted(heard) if who == "controller"] == [
        "has heard nothing from broker 0 for 0.45 s",
        "elects broker 1; in sync are [1, 2]",
    ]


def test_a_leader_that_comes_back_follows_and_gives_up_what_nobody_else_has(tmp_path):
    heard = []
    with brokers(tmp_path, {0: (3, "appended")}, lambda *what: heard.append(what)) as controller:
        wait(controller, controller.ready)
        send(controller, 1)
        controller.restart(0)
        wait(controller, lambda: controller.partition().isr == (0, 1, 2))
        wait(controller, lambda: any(what == "cuts" for *_, what in heard))  # by another connection than the leader's
        assert controller.partition().leader == 1
    assert read(tmp_path) == (WITHOUT, [WITHOUT] * 3)
    assert [text for _, who, text, _ in heard if who == "broker 0"][-1] == (
        "cuts its log back from offset 3 to 2, where the leader's begins to differ"
    )


class Harm:
    """What makes a folder when it is unpickled."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


def hung_up(stranger):
    try:
        return stranger.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def test_who_does_not_know_the_secret_is_not_heard(tmp_path):
    with brokers(tmp_path) as controller:
        wait(controller, controller.ready)
        with socket.create_connection(("127.0.0.1", controller.port.number)) as stranger:
            for message in (b"wrong", pickle.dumps(Harm(tmp_path / "harm"))):
                stranger.sendall(struct.pack("!i", len(message)) + message)
            stranger.setblocking(False)
            wait(controller, lambda: hung_up(stranger))
        assert not (tmp_path / "harm").exists(), "nothing of it was unpickled"
        assert acknowledged(send(controller, "all", 2)) == [1, 2]


def test_a_broker_that_fails_by_itself_is_named_with_its_error(tmp_path):
    (tmp_path / "broker-1.sqlite").write_bytes(b"no database " * 100)
    controller = brokers(tmp_path)
    with controller, pytest.raises(CourseError, match=r"Broker 1's process ended by itself \(1\): .*CorruptLog"):
        wait(controller, controller.ready)
    assert [process.poll() is not None for process in controller.processes.values()] == [True] * 3


ORPHANS = """
import json, os, sys
from pathlib import Path
from exactly_once.log import Topic
from exactly_once.log import ControllerProcess
controller = ControllerProcess(Path(sys.argv[1]), Topic("orders", replicas=3), 3).__enter__()
while not controller.ready():
    controller.step(0.02)
print(json.dumps([process.pid for process in controller.processes.values()]), flush=True)
os.kill(os.getpid(), 9)
"""


def test_brokers_end_when_the_process_that_started_them_is_killed(tmp_path):
    said = subprocess.run(
        [sys.executable, "-c", ORPHANS, str(tmp_path)], capture_output=True, text=True, timeout=LIMIT, check=False
    )
    left = []
    for pid in json.loads(said.stdout):
        try:
            left.append(psutil.Process(pid))
        except psutil.NoSuchProcess:  # it has ended already
            continue
    deadline = time.monotonic() + LIMIT
    while any(map(is_running, left)):
        assert time.monotonic() < deadline, "a broker went on without its controller"
        time.sleep(LOOK)
