"""Commits without an answer on a real broker: how it was stopped, the calls that follow, and the result.

`record(kafka)` writes all nine runs into `recorded.toml`; those there are of a broker of Apache Kafka 4.3.1.
Sources: KafkaProducer's Javadoc on commitTransaction (time limit since 2.3.0, the guard since 3.2.0, KAFKA-13412);
librdkafka's INTRODUCTION.md, 2.15.0.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from ...errors import CourseError
from ...log.kafka.librdkafka_producer import TransactionalProducer
from ...log.log_errors import TimedOut
from ...log.reading import ISOLATIONS
from ...log.transactions.rules import ONGOING
from ...servers.kafka import Kafka
from .trials.proxy import END_TXN, LOST, Proxy
from .trials.trial import Act, Trial, often, until

STOPS = {
    "answer": "decides; its answer is lost",
    "stopped": "is stopped, and goes on",
    "killed": "is killed, and starts again",
}
CALLS = {"commit": "commit again", "abort": "abort", "new": "a new producer of the same id"}
RECORDED = Path(__file__).parent / "recorded.toml"
MAX_BLOCK_MS = 2_000

Step = tuple[str, str, str]


@cache
def recorded() -> dict[str, list[Step]]:
    """Return the recorded runs: {"answer-commit": [(who, does, hears), …]}, a run for each stop and next call."""
    return {name: [tuple(step) for step in steps] for name, steps in tomllib.loads(RECORDED.read_text()).items()}


def committed(kafka: Kafka | None, stop: str, *calls: str) -> Trial:
    """Commit a record while the broker is stopped in one way, and make the next calls: "abort", "new" or "commit".

    The result has the answer to the `first` commit, the coordinator's state after it (`decided`), and the answer to
    each call, by the call's name.
    """
    trial = Trial(kafka).run(_acts, stop, calls)
    trial.first, trial.decided, *heard = [step.hears for step in trial.steps[1:]]
    for call, said in zip(calls, heard, strict=False):
        setattr(trial, call, said)
    return trial


def _acts(trial: Trial, stop: str, calls: Iterable[str]) -> Iterator[Act]:
    log, kafka = trial.log, trial.kafka
    until(lambda: log.create_topic("output", exist_ok=True), CourseError)
    with Proxy(kafka.where) as proxy:
        producer = trial.producer(proxy.where, max_block_ms=MAX_BLOCK_MS)
        yield "producer", "send", lambda: producer.send(f"{trial.names}output-0", ["record"])
        begin, end = {
            "answer": (lambda: proxy.faults.update({END_TXN: LOST}), proxy.faults.clear),
            "stopped": (kafka.pause, kafka.resume),  # the request has waited in the socket
            "killed": (kafka.kill, kafka.start),
        }[stop]
        begin()
        try:
            yield "producer", "commit_transaction", producer.commit_transaction
        finally:  # the broker is everybody's
            end()
            log.hang_up()
        if stop == "stopped":
            until(lambda: log.describe("id").state != ONGOING, late="The coordinator did not decide")
            log.write_due_markers("id")
        yield "coordinator", "holds the transaction as", log.describe("id").state
        new = TransactionalProducer(kafka.where, f"{trial.names}id")
        made: dict[str, Act] = {
            "abort": ("producer", "abort_transaction", producer.abort_transaction),
            "new": ("new producer", "init_transactions", lambda: until(new.init_transactions, CourseError)),
            "commit": ("producer", "commit_transaction, again", lambda: until(producer.commit_transaction, TimedOut)),
        }
        for call in calls:
            yield made[call]
        log.write_due_markers("id")
        for level in reversed(ISOLATIONS):
            yield "reader", level, json.dumps(trial.values("output", level))
        trial.copies = len(trial.values("output"))
        producer.close()
        new.close()


def commit_times_out(kafka: Kafka | None = None) -> Trial:
    """Lose each answer to a request to end a transaction, until `commit_transaction` times out after 2 s.

    Then the wire is whole again: the producer calls `abort_transaction`, and `commit_transaction` again. The result
    has what the calls heard: the `first` commit, the `abort` after it, and the commit `again`; `decided` is the
    coordinator's state between the first two, and `copies` how many copies of the record a read_committed reader
    sees in the end.
    """
    trial = committed(kafka, "answer", "abort", "commit")
    trial.again = trial.commit
    trial.sentence = f"The client is librdkafka; lost was the answer. A reader sees the record {often(trial.copies)}."
    return trial


def run(kafka: Kafka, stop: str, call: str) -> list[Step]:
    """Commit a record while the broker is stopped in one way, make the next call, and return the steps."""
    calls = (call, "commit") if call == "new" else (call,)
    return [step[1:] for step in committed(kafka, stop, *calls).steps]


def record(kafka: Kafka) -> None:
    """Carry out a run for each stop and each next call, and keep them as the recorded ones. Takes a minute."""
    found = {f"{stop}-{call}": run(kafka, stop, call) for stop in STOPS for call in CALLS}
    lines = [f'"{name}" = [\n' + "".join(f"  {json.dumps(step)},\n" for step in steps) + "]\n"
             for name, steps in found.items()]  # fmt: skip
    RECORDED.write_text("".join(lines))
