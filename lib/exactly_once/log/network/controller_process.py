"""The controller of brokers that are processes: it starts them, hears their heartbeats, and has leaders elected.

A broker that was silent for `SESSION_SECONDS` and whose process is gone is dead: Kafka's controller takes the silence
alone for a death (broker.session.timeout.ms, 9000, with a heartbeat every 2000). Here both are a twentieth of that,
and a broker that a busy machine keeps waiting is left in peace, so that a run ends as it should on any machine.
"""

import contextlib
import json
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Self

from ...errors import CourseError
from ..broker.controller import Controller, Partition
from ..broker.topics import Topic
from ..storage.sqlite_disk import SQLiteDisk
from .connections import Port, told

SESSION_SECONDS = 0.45
ENDING_SECONDS = 5.0
MOST_SAID = 400  # characters of a broker's own error


class ControllerProcess:
    """The controller of `brokers` processes that hold a topic of one partition, in the process that makes it.

    `armed` is {broker: (record, moment)}, as `BrokerProcess` takes it. Each event is reported by `note(seconds, who,
    text, what)`, with the time of `time.monotonic`; `what` is one word for the event. Use it as a context manager: it
    leaves no broker running, even after an error.
    """

    def __init__(
        self,
        folder: Path,
        topic: Topic,
        brokers: int,
        armed: Mapping[int, tuple[int, str]] | None = None,
        note: Callable[[float, str, str, str], object] = lambda *_: None,
    ) -> None:
        self.folder, self.topic, self.note = folder, topic, note
        self._armed = armed or {}
        self.secret = secrets.token_hex(16)
        self.port = Port(self.secret.encode())
        self.disk = SQLiteDisk(folder / "controller.sqlite")
        self.controller = Controller(self.disk, brokers)
        self.controller.create(topic)
        self.processes, self._ports, self._heard, self._lines = {}, {}, {}, {}
        self._obeyed = set()  # (broker, epoch)
        self.leads = {}  # epoch: (broker, when it began to lead)
        self.died = {}  # broker: when it was killed
        self._ending = set()  # the brokers whose process is meant to end, or has ended
        self.sent = 0  # how many records the producer is through with
        self._asked: int | None = None  # epochs
        self._settled: int | None = None

    def __enter__(self) -> Self:
        for number in range(self.controller.brokers):
            self.processes[number] = self._started(number, self._armed.get(number))
        return self

    def _started(self, number: int, armed: tuple[int, str] | None = None) -> subprocess.Popen[bytes]:
        given = {
            "number": number,
            "folder": str(self.folder),
            "topic": asdict(self.topic),
            "controller": self.port.number,
            "secret": self.secret,
            "armed": armed,
        }
        with open(self._said(number), "w") as said:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", f"{__package__}.broker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=said,
                start_new_session=True,  # an interrupted cell interrupts the kernel, which ends them in order
            )
        assert process.stdin is not None
        process.stdin.write(json.dumps(given).encode())
        process.stdin.close()
        return process

    def __exit__(self, *_: object) -> None:
        for broker, process in self.processes.items():
            if broker not in self._lines or not told(self._lines[broker], "stop"):
                process.kill()
        deadline = time.monotonic() + ENDING_SECONDS
        self._hear_out(deadline)
        for process in self.processes.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0, deadline - time.monotonic()))
            process.kill()
            process.wait()
        self.port.close()
        self.disk.close()

    def _hear_out(self, deadline: float) -> None:
        """Note the cuts that brokers told of and nobody heard: a leader's later word may have been read before."""
        while time.monotonic() < deadline and not all(line.closed for line in self._lines.values()):
            for connection, message in self.port.receive(max(0, deadline - time.monotonic())):
                if message is not None and message[0] == "cut":
                    self._on_cut(connection, *message[1:])

    def partition(self) -> Partition:
        """Return the `Partition` as the controller has it."""
        return self.controller.partition(self.topic.name, 0)

    def ready(self) -> bool:
        """Tell whether all living brokers follow the newest decision."""
        epoch = self.partition().epoch
        return bool(self._obeyed) and all((one, epoch) in self._obeyed for one in self.controller.alive())

    def settled(self) -> bool:
        """Tell whether all that the leader has is committed; the leader is asked so once."""
        now = self.partition()
        if now.leader is not None and self._asked != now.epoch:
            told(self._lines[now.leader], "settle")
            self._asked = now.epoch
        return self._settled == now.epoch and not self._ending.intersection(self.controller.alive())

    def kill(self, broker: int) -> None:
        """SIGKILL a broker's process, wherever it is."""
        self._dies(broker, time.monotonic())
        self.processes[broker].send_signal(signal.SIGKILL)

    def restart(self, broker: int) -> None:
        """Start a process again for a broker that has died, on the file that it left."""
        self._ending.discard(broker)
        self.processes[broker] = self._started(broker)

    def step(self, seconds: float) -> None:
        """Do the work that is due now, waiting up to `seconds`. Raises `CourseError` for a broker that failed."""
        for connection, message in self.port.receive(seconds):
            if message is not None:
                getattr(self, f"_on_{message[0]}")(connection, *message[1:])
        for broker, process in self.processes.items():
            if process.poll() is None:
                continue
            heard_out = broker not in self._lines or self._lines[broker].closed
            if broker not in self._ending and heard_out:
                self._failed(broker)
            if broker in self.controller.alive() and time.monotonic() - self._heard[broker] > SESSION_SECONDS:
                self._expired(broker)

    def _on_register(self, connection: Connection, broker: int, port: int) -> None:
        self._ports[broker], self._lines[broker] = port, connection
        self._heard[broker] = time.monotonic()
        self.note(time.monotonic(), f"broker {broker}", f"started as process {self.processes[broker].pid}", "starts")
        self.controller.mark(broker, "down", False)
        if len(self._ports) == self.controller.brokers:
            self._decide()

    def _on_heartbeat(self, _: object, broker: int) -> None:
        self._heard[broker] = time.monotonic()

    def _on_obeyed(self, _: object, broker: int, epoch: int, leads: bool, when: float) -> None:
        if leads and epoch not in self.leads:
            self.leads[epoch] = broker, when
            self.note(when, f"broker {broker}", f"leads, in epoch {epoch}", "leads")
        self._obeyed.add((broker, epoch))

    def _on_dies(self, _: object, broker: int, when: float) -> None:
        self._dies(broker, when)

    def _on_settled(self, _: object) -> None:
        self._settled = self._asked

    def _on_who_leads(self, connection: Connection) -> None:
        now = self.partition()
        told(connection, now.leader, now.epoch, self._ports.get(now.leader))

    def _on_isr(self, _: object, epoch: int, isr: list[int]) -> None:
        """Take the leader's word on who is in sync."""
        now = self.partition()
        if epoch == now.epoch and set(isr) <= set(self.controller.alive()):
            self.controller.set_isr(self.topic.name, 0, epoch, isr)
            self.note(time.monotonic(), "controller", f"in sync are {list(isr)}", "in sync")
            self._decide()

    def _on_cut(self, _: object, broker: int, end: int, until: int, when: float) -> None:
        text = f"cuts its log back from offset {end} to {until}, where the leader's begins to differ"
        self.note(when, f"broker {broker}", text, "cuts")

    def _on_progress(self, _: object, sent: int) -> None:
        self.sent = max(self.sent, sent)

    def _dies(self, broker: int, when: float) -> None:
        if broker not in self._ending:
            self._ending.add(broker)
            self.died[broker] = when
            self.note(when, f"broker {broker}", "dies by SIGKILL", "dies")

    def _expired(self, broker: int) -> None:
        """Take a broker for dead: those it led elect another leader, and it is in sync with nobody."""
        self.note(
            time.monotonic(),
            "controller",
            f"has heard nothing from broker {broker} for {SESSION_SECONDS} s",
            "silence",
        )
        before = self.partition()
        with self.disk.transaction():
            self.controller.mark(broker, "down", True)
            if before.leader == broker:
                self.controller.elect(self.topic, 0)
            elif before.leader is not None and broker in before.isr:
                isr = [one for one in before.isr if one != broker]
                self.controller.set_isr(self.topic.name, 0, before.epoch, isr)
        now = self.partition()
        if now.leader != before.leader:
            who = "nobody" if now.leader is None else f"broker {now.leader}"
            self.note(time.monotonic(), "controller", f"elects {who}; in sync are {list(now.isr)}", "elects")
        self._decide()

    def _decide(self) -> None:
        """Tell all living brokers who leads."""
        now = self.partition()
        ports = {"leader": self._ports.get(now.leader)}
        for broker in self.controller.alive():
            told(self._lines[broker], "decision", (now.leader, now.epoch, now.isr), ports)

    def _failed(self, broker: int) -> None:
        said = self._said(broker).read_text().strip().splitlines()[-1:] or ["it said nothing"]
        raise CourseError(
            f"Broker {broker}'s process ended by itself ({self.processes[broker].returncode}): {said[0][:MOST_SAID]} "
            "Run the cell again."
        )

    def _said(self, broker: int) -> Path:
        return self.folder / f"broker-{broker}.err"
