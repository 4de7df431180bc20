"""Commits without an answer on a real broker: how it was stopped, the call that follows, and the result.

`record(kafka)` writes all nine runs into `recorded.toml`; those there are of a broker of Apache Kafka 4.3.1.
Source: KafkaProducer's Javadoc on commitTransaction; librdkafka's INTRODUCTION.md, 2.15.0.
"""

import json
import time
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from ...errors import CourseError
from ...log.kafka.clients import TransactionalProducer
from ...log.kafka.log import RETRY_SECONDS, KafkaLog
from ...log.transactions.rules import COMPLETE_COMMIT
from ...servers.kafka.broker import Kafka
from .trials.proxy import END_TXN, Proxy
from .trials.trial import ACCEPTED, Steps, answer, insisted

STOPS = {
    "answer": "decides; its answer is lost",
    "stopped": "is stopped, and goes on",
    "killed": "is killed, and starts again",
}
CALLS = {"commit": "commit again", "abort": "abort", "new": "a new producer of the same id"}
RECORDED = Path(__file__).parent / "recorded.toml"
MAX_BLOCK_MS, LIMIT_SECONDS = 2_000, 60

Step = tuple[str, str, str]


@cache
def recorded() -> dict[str, list[Step]]:
    """Return the recorded runs: {"answer-commit": [(who, does, hears), …]}, a run for each stop and next call."""
    return {name: [tuple(step) for step in steps] for name, steps in tomllib.loads(RECORDED.read_text()).items()}


def run(kafka: Kafka, stop: str, call: str) -> list[Step]:
    """Commit a record while the broker is stopped in one way, make the next call, and return the steps."""
    names = Steps().names
    steps: list[Step] = []

    def ask(who: str, does: str, what: Callable[[], object]) -> None:
        steps.append((who, does, answer(what)))

    with KafkaLog(kafka.where, prefix=names) as log, Proxy(kafka.where) as proxy:
        _accepted(lambda: log.create_topic("output", exist_ok=True))  # a broker that has just started takes its time
        producer = TransactionalProducer(proxy.where, f"{names}id", max_block_ms=MAX_BLOCK_MS)
        _accepted(producer.init_transactions)
        producer.begin_transaction()
        ask("producer", "send", lambda: producer.send(f"{names}output-0", ["record"]))
        if stop == "answer":
            proxy.lose(END_TXN)
        elif stop == "stopped":
            kafka.pause()
        else:
            kafka.kill()
        try:
            ask("producer", "commit_transaction", producer.commit_transaction)
        finally:  # the broker is everybody's
            if stop == "answer":
                proxy.mend()
            elif stop == "stopped":
                kafka.resume()  # the request has waited in the socket
            else:
                kafka.start()
                log.hang_up()
        if stop == "stopped":
            _until(lambda: log.transactions.describe("id").state == COMPLETE_COMMIT)
        steps.append(("coordinator", "holds the transaction as", log.transactions.describe("id").state))
        new = None
        if call == "abort":
            ask("producer", "abort_transaction", producer.abort_transaction)
        elif call == "new":
            new = TransactionalProducer(kafka.where, f"{names}id")
            ask("new producer", "init_transactions", lambda: _accepted(new.init_transactions))
        if call != "abort":
            ask("producer", "commit_transaction, again", lambda: insisted(producer.commit_transaction))
        log.write_due_markers("id")
        for level in ("read_committed", "read_uncommitted"):
            seen = [record.value for record in log.fetch("output", 0, 0, isolation=level)]
            steps.append(("reader", level, json.dumps(seen)))
        producer.close()
        if new is not None:
            new.close()
    return steps


def _accepted(call: Callable[[], object]) -> None:
    _until(lambda: answer(call) == ACCEPTED)


def _until(found: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LIMIT_SECONDS
    while not found():
        if time.monotonic() > deadline:
            raise CourseError(f"The broker has not got there within {LIMIT_SECONDS} s. Run it again.")
        time.sleep(RETRY_SECONDS)


def record(kafka: Kafka) -> None:
    """Carry out a run for each stop and each next call, and keep them as the recorded ones. Takes a minute."""
    found = {f"{stop}-{call}": run(kafka, stop, call) for stop in STOPS for call in CALLS}
    lines = [f'"{name}" = [\n' + "".join(f"  {json.dumps(step)},\n" for step in steps) + "]\n"
             for name, steps in found.items()]  # fmt: skip
    RECORDED.write_text("".join(lines))
