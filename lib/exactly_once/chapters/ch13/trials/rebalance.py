"""The cost of a rebalance while a transaction is open, and the fence against a member that was replaced (KIP-447).

Two real processes are the members of a group. One has a transaction open, and goes: by SIGKILL, or by SIGSTOP until
the group has replaced it. The times are those of this machine's clock.
"""

import contextlib
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from queue import Empty, SimpleQueue
from typing import Any, Literal

from ....errors import CourseError, one_of, whole
from ....log.kafka.log import KafkaLog
from ....servers.kafka.broker import Kafka
from . import member
from .member import ASKED_ANEW, PER_PARTITION
from .trial import SOONER, Trial, often

PRODUCERS = ("one producer per member", PER_PARTITION)
HOWS = ("killed", "stopped")
METADATA = ("of the poll", ASKED_ANEW)
SIGNALS = {"killed": signal.SIGKILL, "stopped": signal.SIGSTOP, "woken": signal.SIGCONT}
RECORDS = ("order 1", "order 2")
STOPPED_MS = 60_000  # the time limit of the transaction of one that is stopped: it is there when it wakes up
WAIT_SECONDS = 60.0
LOOK_SECONDS = 0.02


class _Process(AbstractContextManager["_Process"]):
    """A member's process, and what it tells; it is killed in the end."""

    def __init__(self, number: int, given: dict[str, Any]) -> None:
        self.told: SimpleQueue[tuple[str, Any, float]] = SimpleQueue()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", member.__name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, bufsize=1,  # librdkafka prints there that it was fenced
        )  # fmt: skip
        self.ask(json.dumps({"number": number, **given}))
        threading.Thread(target=self._hear, daemon=True).start()

    def _hear(self) -> None:
        for line in self._process.stdout or ():
            self.told.put(tuple(json.loads(line)))

    def ask(self, command: str) -> None:
        """Send a command."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(f"{command}\n")

    def wait(self, what: str, fits: Callable[[Any], bool] = lambda _: True) -> tuple[Any, float]:
        """Wait for news of this kind that fits, and return them, and when they were told."""
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(Empty):
                kind, found, when = self.told.get(timeout=1)
                if kind == "failed":
                    raise CourseError(f"A member of the group failed: {', '.join(found)}")
                if kind == what and fits(found):
                    return found, when
        raise CourseError(
            f"A member of the group did not tell {what!r} within {WAIT_SECONDS:g} s. Run the cell again."
        )

    def go(self, how: str) -> None:
        """Have it leave, or go on, by a signal."""
        self._process.send_signal(SIGNALS[how])

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        with contextlib.suppress(BrokenPipeError):
            self._process.communicate()


def rebalance(
    how: Literal["killed", "stopped"] = "killed",
    producers: Literal["one producer per member", "one producer per partition"] = "one producer per member",
    metadata: Literal["of the poll", "asked anew"] = "of the poll",
    session_ms: int = 2_000,
    transaction_ms: int = 5_000,
    kafka: Kafka | None = None,
) -> Trial:
    """Let member 1 of two go while it has a transaction open, and measure how long the others wait.

    "killed" is a SIGKILL after it has sent its offset; "stopped" a SIGSTOP before that, until member 2 has handled
    the record. Then it goes on, with the group's `metadata` "of the poll" that gave it the record, or "asked anew",
    when its client has joined the group again. `session_ms` is session.timeout.ms (Kafka's default: 45000),
    `transaction_ms` transaction.timeout.ms (60000). `kafka` is by default one that takes such short ones.

    The result has seconds after member 1 went: `partitions` is until member 2 had all partitions, `position` until it
    read on in that of member 1, at offset `begins_at`, and `readers` until a read_committed reader of the output saw
    what others had written. `heard` is what member 1 hears when it wakes up and sends its offset, and `ended` how its
    transaction ended then; both are "" if it does not wake up. `output` is what a reader sees then, with so many
    `copies` of the record that member 1 had.

    Raises `BadInput` for other words or numbers; `CourseError` for a broker that takes no such `session_ms`, and when
    nothing happens for 60 s.
    """
    one_of("how", how, HOWS)
    one_of("producers", producers, PRODUCERS)
    one_of("metadata", metadata, METADATA)
    given: dict[str, Any] = {"producers": producers, "metadata": metadata}
    given["session_ms"] = whole("session_ms", session_ms, least=500)
    given["transaction_ms"] = max(whole("transaction_ms", transaction_ms, least=500), STOPPED_MS * (how == "stopped"))
    with Trial(kafka, settings=SOONER) as trial:
        where, log = trial.kafka.where, trial.log
        given |= {"where": [where.servers, where.user, where.password], "names": trial.names}
        log.create_topic("input", 2)
        log.create_topic("output")
        with _Process(1, given) as one, _Process(2, given) as two:
            ((partition,), _), _ = (each.wait("assigned", lambda ours: len(ours) == 1) for each in (one, two))
            trial.note("both", "join the group", f"member 1 has input-{partition}")
            one.ask("hold" if how == "stopped" else "hold_with_offset")
            one.wait("holds")
            log.append("input", partition, RECORDS)
            one.wait("held")
            trial.note("member 1", f"reads {RECORDS[0]}", "its transaction is open")
            log.append("output", 0, ["of somebody else"])
            gone = time.time()
            one.go(how)
            trial.note("member 1", "goes", how)
            readers = _seen(log)
            _, has = two.wait("assigned", lambda ours: len(ours) == 2)
            trial.note("member 2", "joins again", "both partitions")
            trial.begins_at, reads = two.wait("read")
            two.wait("done", lambda offset: offset == 1)
            trial.note("member 2", "reads on", f"offset {trial.begins_at}, and to the end")
            trial.heard = trial.ended = ""
            if how == "stopped":
                one.ask("go_on")
                one.go("woken")
                trial.heard, _ = one.wait("heard")
                trial.note("member 1", "wakes up, sends its offset", trial.heard)
                call, answer = one.wait("ended")[0]
                trial.note("member 1", call, answer)
                trial.ended = f"{call}: {answer}"
            seen = readers()
            _seen(log)()
            trial.output = tuple(trial.values("output"))
            trial.note("reader", "read_committed", list(trial.output))
    trial.partitions, trial.position, trial.readers = has - gone, reads - gone, seen - gone
    trial.copies = trial.output.count(RECORDS[0])
    trial.sentence = (
        f"Member 2 has the partition after {trial.partitions:.1f} s, and reads on at offset {trial.begins_at} after "
        f"{trial.position:.1f} s; readers of the output wait for {trial.readers:.1f} s. The record {RECORDS[0]!r} is "
        f"in the output {often(trial.copies)}."
    )
    return trial


def _seen(log: KafkaLog) -> Callable[[], float]:
    """Watch in a thread of its own when the output's last stable offset gets to the end; return how to ask that."""
    found: SimpleQueue[float] = SimpleQueue()

    def watch() -> None:
        with KafkaLog(log.where, prefix=log.prefix) as own:
            while own.last_stable("output", 0) < own.high_watermark("output", 0):
                time.sleep(LOOK_SECONDS)
        found.put(time.time())

    threading.Thread(target=watch, daemon=True).start()
    return lambda: found.get(timeout=WAIT_SECONDS)
