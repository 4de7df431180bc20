"""Three brokers as processes, a producer as a task of the cluster, and the leader's death by SIGKILL, counted.

Each broker has a SQLite file of its own and fetches from the leader, or leads; the notebook is their controller. The
run compares the acknowledged records with the readable records once another broker leads.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, cast

from ...errors import BadInput, CourseError, one_of, whole
from ...log import ACKNOWLEDGED, NetworkProducer, SQLiteDisk, Topic, open_log
from ...log.log import ACKS, Acks
from ...log.network.broker import APPENDED, REPLICATED
from ...log.network.client import Answer
from ...log.network.controller_process import ControllerProcess
from ...log.network.leader_death import LeaderDeath, Moment
from ..run.tasks import SparkTask, with_slots
from ..task.folder import RunFolder, found_here

BROKERS, TOPIC = 3, "orders"
ANYWHERE = "anywhere"
MOMENTS = APPENDED, REPLICATED, ANYWHERE
LOOK_SECONDS = 0.02
START_SECONDS = 15.0  # three processes that import a part of this library
DELIVERY_SECONDS = 10.0  # Kafka's delivery.timeout.ms is 120000
PACE_SECONDS = 0.01  # between two records of acks=0, whose sender waits for nobody


def kill_the_leader(
    acks: Acks = "all",
    records: int = 50,
    at: int = 20,
    moment: Literal["appended", "replicated", "anywhere"] = "appended",
    idempotent: bool = False,
    patience: float = 15.0,
) -> LeaderDeath:
    """Send records 1 to `records` to three broker processes, and SIGKILL the leader at record `at`.

    `acks` is 0, 1 or "all"; two of the three replicas must be in sync (`min_insync_replicas`). The producer is a task
    of the cluster; it sends one record after another, and repeats unacknowledged records; `idempotent` numbers them.
    `moment` says when the leader's process ends: "appended", when the record is in its log (with acks=1: and
    acknowledged), and no follower has fetched it; "replicated", when all followers have it (with acks="all": and the
    producer has no answer yet); "anywhere", wherever it is when the producer is through with that record.

    In the end the dead broker is started again, and follows. Returns a `LeaderDeath`. It takes 3 s, and the start of
    the cluster if there is none. Raises `BadInput` for settings that make no sense, `CourseError` when a process
    fails or nothing makes progress for `patience` seconds.
    """
    one_of("acks", acks, ACKS)
    one_of("moment", moment, MOMENTS)
    whole("records", records, least=1, most=1_000)
    whole("at", at, least=1, most=records)
    if one_of("idempotent", idempotent, (True, False)) and acks != "all":
        raise BadInput(f"An idempotent producer needs acks='all', and it is {acks!r}; change one of the two.")
    spark = with_slots(1)
    run = _Run(acks, records, at, moment, idempotent, patience)
    try:
        return run.carry_out(lambda given: SparkTask(spark, [given], send_records))
    finally:
        run.folder.remove()


class _Run:
    """One run: its folder, and the events in it."""

    def __init__(self, *settings: Any) -> None:
        self.acks, self.records, self.at, self.moment, self.idempotent, self.patience = settings
        self.topic = Topic(TOPIC, replicas=BROKERS, min_insync_replicas=2)
        self.folder = RunFolder.make("brokers")
        self.began, self.moments = time.monotonic(), []

    def note(self, when: float, who: str, text: str, what: str) -> None:
        self.moments.append(Moment(when - self.began, who, text, what))

    def carry_out(self, start: Callable[[Any], SparkTask]) -> LeaderDeath:
        """Carry the run out; `start(what the producer is told)` starts the producer and returns its `SparkTask`."""
        armed = {0: (self.at, self.moment)} if self.moment != ANYWHERE else {}
        with ControllerProcess(self.folder.path, self.topic, BROKERS, armed, self.note) as controller:
            self._wait(controller, controller.ready, START_SECONDS, "The brokers' processes did not get ready")
            before: Any = controller.partition().leader
            producer, attempts = self._send(start, controller)
            self._wait(controller, controller.settled, self.patience, "The brokers that live did not get in sync")
            pids = {f"broker {number}": process.pid for number, process in controller.processes.items()}
            after, leads = controller.leads[controller.partition().epoch]
            if before not in controller.died:
                raise CourseError(
                    f"The leader was not killed: record {self.at} did not get there. Run the cell again."
                )
            died_with = self._records_of(before)
            controller.restart(before)
            what = "The broker that was started again did not get in sync"
            self._wait(controller, lambda: before in controller.partition().isr, self.patience, what)
        self._note_attempts(attempts)
        readable, logs = self._counted()
        return LeaderDeath(
            acks=self.acks,
            moment=self.moment,
            at=self.at,
            records=self.records,
            idempotent=self.idempotent,
            acknowledged=tuple(sorted({one.number for one in attempts if one.what == ACKNOWLEDGED})),
            readable=readable,
            logs=logs | {before: died_with},
            came_back=logs[before],
            attempts=tuple(one._replace(seconds=one.seconds - self.began) for one in attempts),
            timeline=tuple(sorted(self.moments, key=lambda one: one.seconds)),
            leader_before=before,
            leader_after=after,
            leaderless=leads - controller.died[before],
            pids={**pids, "producer": producer},
            seconds=time.monotonic() - self.began,
        )

    def _send(self, start: Callable[[Any], SparkTask], controller: ControllerProcess) -> tuple[int, list[Answer]]:
        """Have the producer send, kill the leader if that is left to this process, and return (its pid, attempts)."""
        given = (
            str(self.folder.path), self.topic, controller.port.number, controller.secret, self.acks,
            controller.controller.new_producer_id() if self.idempotent else None, self.records, sys.path,
        )  # fmt: skip
        task = start(given)
        last, seen = time.monotonic(), None
        try:
            ended = False
            while not ended:
                ended = task.join(0)
                controller.step(LOOK_SECONDS)
                if self.moment == ANYWHERE and not controller.died and (ended or controller.sent >= self.at):
                    controller.kill(cast(int, controller.partition().leader))
                now = controller.sent
                if now != seen:
                    last, seen = time.monotonic(), now
                elif time.monotonic() - last > self.patience:
                    raise CourseError(
                        f"The producer was not through with record {controller.sent + 1} within {self.patience:g} "
                        "seconds, and the run was stopped. Another job may hold the cluster's places; run the cell "
                        "again, or call stop_cluster() first."
                    )
            ((kind, *found),) = task.result()
        except BaseException:
            task.cancel()
            raise
        if kind == "failed":
            raise CourseError(found[0])
        return found

    def _wait(self, controller: ControllerProcess, done: Callable[[], bool], seconds: float, what: str) -> None:
        deadline = time.monotonic() + seconds
        while not done():
            if time.monotonic() > deadline:
                raise CourseError(
                    f"{what} within {seconds:g} seconds, and the run was stopped. The machine may be short of memory "
                    "or time; close what you do not need and run the cell again."
                )
            controller.step(LOOK_SECONDS)

    def _note_attempts(self, attempts: Iterable[Answer]) -> None:
        for one in attempts:
            if one.what == ACKNOWLEDGED:
                again = ", and was there before" if one.duplicate else ""
                text = f"has broker {one.broker}'s answer: record {one.number} is at offset {one.offset}{again}"
            else:
                text = f"record {one.number}: {one.what}{f' ({one.says})' if one.says else ''}"
            self.note(one.seconds, "producer", text, one.what)

    def _records_of(self, broker: int) -> tuple[int, ...]:
        """Return the records in the file of a broker whose process has ended."""
        disk = SQLiteDisk(self.folder.path / f"broker-{broker}.sqlite", create=False)
        try:
            return tuple(record.value for batch in disk.batches(f"{TOPIC}-0") for record in batch.records())
        finally:
            disk.close()

    def _counted(self) -> tuple[tuple[int, ...], dict[int, tuple[int, ...]]]:
        """Return the records that a reader finds in the log, and {broker: the records in its own file}."""
        log = open_log(f"sqlite:{self.folder.path}")
        try:
            readable = tuple(record.value for record in log.fetch(TOPIC, 0, 0))
            (partition,) = log.snapshot()["partitions"]
        finally:
            log.close()
        logs = {one["broker"]: tuple(record["value"] for record in one["records"]) for one in partition["replicas"]}
        return readable, logs


def send_records(inputs: Iterable[Any]) -> Iterator[Any]:
    """Be the producer, in a worker. Yields ("sent", its process id, its attempts) or ("failed", a sentence)."""
    for folder, topic, controller, secret, acks, producer, records, path in inputs:
        sys.path += [place for place in path if place not in sys.path]
        if not found_here(folder).create("producer"):  # Spark's second try: what the first one sent is not known
            yield "failed", "The producer's process was killed from outside. Run the cell again."
            continue
        pace = PACE_SECONDS if acks == 0 else 0.0
        try:
            sender = NetworkProducer(topic, controller, secret, acks, producer, DELIVERY_SECONDS, pace)
            yield "sent", os.getpid(), sender.send_all(records)
            sender.close()
        except OSError as why:
            yield "failed", f"The producer lost its connection to the controller: {why}. Run the cell again."
