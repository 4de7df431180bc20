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
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from typing import Any, Literal

from ....errors import BadInput, CourseError, one_of, whole
from ....log.kafka.log import KafkaLog
from ....servers.kafka.broker import Kafka
from . import member
from .member import ASKED_ANEW, PER_PARTITION
from .trial import SOONER, Steps, Trial, often

PER_MEMBER = "one producer per member"
PRODUCERS = (PER_MEMBER, PER_PARTITION)
HOWS = ("killed", "stopped")
METADATA = ("of the poll", ASKED_ANEW)
SIGNALS = {"killed": signal.SIGKILL, "stopped": signal.SIGSTOP, "woken": signal.SIGCONT}
RECORDS = ("order 1", "order 2")
STOPPED_MS = 60_000  # the time limit of the transaction of one that is stopped: it is there when it wakes up
WAIT_SECONDS = 60.0
LOOK_SECONDS = 0.02


class _Process:
    """A member's process, and what it tells."""

    runs = ("-m", member.__name__)

    def __init__(self, number: int, **given: Any) -> None:
        self.told: SimpleQueue[tuple[str, Any, float]] = SimpleQueue()
        self._process = subprocess.Popen(
            [sys.executable, "-P", *self.runs], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,  # librdkafka prints there that it was fenced
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
            print(command, file=self._process.stdin, flush=True)

    def wait(self, what: str, fits: Callable[[Any], bool] = lambda _: True) -> tuple[Any, float]:
        """Wait for news of this kind that fits, and return them, and when they were told."""
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(Empty):
                kind, found, when = self.told.get(timeout=1)
                if kind == "failed" and found[0] == BadInput.__name__:
                    raise BadInput(found[1])
                if kind == "failed":
                    raise CourseError(f"A member of the group failed: {': '.join(found)}")
                if kind == what and fits(found):
                    return found, when
        raise CourseError(
            f"A member of the group did not tell {what!r} within {WAIT_SECONDS:g} s. Run the cell again."
        )

    def go(self, how: str) -> None:
        """Have it leave, or go on, by a signal."""
        self._process.send_signal(SIGNALS[how])

    def end(self) -> None:
        """Kill it, and wait until it is gone."""
        self._process.kill()
        self._process.wait()
        for end in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(BrokenPipeError):
                end.close()  # type: ignore[union-attr]


@contextlib.contextmanager
def _members(kafka: Kafka, **given: Any) -> Iterator[list[_Process]]:
    where = [kafka.where.servers, kafka.where.user, kafka.where.password]
    both: list[_Process] = []
    try:
        both.append(_Process(1, where=where, **given))
        both.append(_Process(2, where=where, **given))
        yield both
    finally:
        for one in both:
            one.end()


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

    Raises `BadInput` for other words or numbers, and for a broker that takes no such `session_ms`; `CourseError` when
    nothing happens for 60 s.
    """
    one_of("how", how, HOWS)
    one_of("producers", producers, PRODUCERS)
    one_of("metadata", metadata, METADATA)
    whole("session_ms", session_ms, least=500)
    whole("transaction_ms", transaction_ms, least=500)
    kafka, steps = kafka or Kafka.shared(settings=SOONER), Steps()
    if how == "stopped":
        transaction_ms = max(transaction_ms, STOPPED_MS)
    given = {"producers": producers, "metadata": metadata, "session_ms": session_ms, "transaction_ms": transaction_ms}
    with KafkaLog(kafka.where, prefix=steps.names) as log:
        log.create_topic("input", 2)
        log.create_topic("output")
        with _members(kafka, names=steps.names, **given) as (one, two):
            ((partition,), _), _ = (each.wait("assigned", lambda ours: len(ours) == 1) for each in (one, two))
            steps.note("both", "join the group", f"member 1 has input-{partition}")
            one.ask("hold" if how == "stopped" else "hold_with_offset")
            one.wait("holds")
            log.append("input", partition, RECORDS)
            one.wait("held")
            steps.note("member 1", f"reads {RECORDS[0]}", "its transaction is open")
            log.append("output", 0, ["of somebody else"])
            gone = time.time()
            one.go(how)
            steps.note("member 1", "goes", how)
            readers = _seen(log)
            _, has = two.wait("assigned", lambda ours: len(ours) == 2)
            steps.note("member 2", "joins again", "both partitions")
            begins, reads = two.wait("read")
            two.wait("done", lambda offset: offset == 1)
            steps.note("member 2", "reads on", f"offset {begins}, and to the end")
            heard = ended = ""
            if how == "stopped":
                one.ask("go_on")
                one.go("woken")
                heard, _ = one.wait("heard")
                steps.note("member 1", "wakes up, sends its offset", heard)
                ended = ": ".join(one.wait("ended")[0])
                steps.note("member 1", *ended.split(": "))
            seen = readers()
            _seen(log)()
            output = [record.value for record in log.fetch("output", 0, 0, isolation="read_committed")]
            steps.note("reader", "read_committed", output)
    copies = output.count(RECORDS[0])
    sentence = (
        f"Member 2 has the partition after {has - gone:.1f} s, and reads on at offset {begins} after "
        f"{reads - gone:.1f} s; readers of the output wait for {seen - gone:.1f} s. The record {RECORDS[0]!r} is in "
        f"the output {often(copies)}."
    )
    times = {"partitions": has - gone, "position": reads - gone, "readers": seen - gone}
    found = {"begins_at": begins, "heard": heard, "ended": ended, "output": tuple(output), "copies": copies}
    return Trial(steps=steps, sentence=sentence, **times, **found)


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
