"""Bad input: each refused where it was made, with the value and what would do."""

import pyarrow as pa
import pytest

from exactly_once.errors import BadInput
from exactly_once.log import Consumer, Pair, Producer, errors, open_log, partition_for


def two_columns(*names):
    return pa.RecordBatch.from_arrays([pa.array(["a"]), pa.array(["b"])], names=list(names))


@pytest.mark.parametrize(
    ("ask", "error", "said"),
    [
        (lambda log: log.append("u", 0, ["a"]), errors.UnknownTopicOrPartition, "no topic 'u'; there are: t"),
        (
            lambda log: log.append("t", 2, ["a"]),
            errors.UnknownTopicOrPartition,
            "'t' has no partition 2; it has 0 to 1",
        ),
        (lambda log: log.fetch("t", -1, 0), errors.UnknownTopicOrPartition, "no partition -1"),
        (lambda log: log.fetch("t", "0", 0), BadInput, "The partition is '0'"),
        (lambda log: log.fetch("t", 0, -1), BadInput, "The offset is -1"),
        (lambda log: log.fetch("t", 0, 1.0), BadInput, "The offset is 1.0"),
        (lambda log: log.fetch("t", 0, 1), errors.OffsetOutOfRange, "Offset 1 of t-0 does not exist; this log has"),
        (lambda log: log.fetch("t", 0, 0, isolation="none"), BadInput, "isolation is 'none'"),
        (lambda log: log.fetch("t", 0, 0, max_records=0), BadInput, "max_records is 0"),
        (lambda log: log.append("t", 0, []), BadInput, "The list of records is empty"),
        (lambda log: log.append("t", 0, "abc"), BadInput, "The records are 'abc'; give a list"),
        (lambda log: log.append("t", 0, ["a"], acks=2), BadInput, "acks is 2; it can be 0, 1, all"),
        (
            lambda log: log.append("t", 0, ["x" * 200]),
            errors.RecordTooLarge,
            "Record 0 has 200 bytes; 't' takes at most",
        ),
        (lambda log: log.append("t", 0, [object()]), BadInput, "A store cannot keep"),
        (lambda log: log.append("t", 0, ["a"], producer=1), BadInput, "give all or none"),
        (lambda log: log.append("t", 0, ["a"], transactional=True), BadInput, "A transactional append needs"),
        (lambda log: log.create_topic("t"), errors.TopicExists, "'t' is there already"),
        (lambda log: log.create_topic("t", exist_ok=True), errors.TopicExists, "with other settings"),
        (lambda log: log.create_topic("a b"), BadInput, "cannot be named 'a b'"),
        (lambda log: log.create_topic("u", replicas=4), BadInput, "4 replicas need as many brokers, and there are 3"),
        (lambda log: log.create_topic("u", min_insync_replicas=2), BadInput, "min_insync_replicas is 2"),
        (lambda log: log.create_topic("u", colour=1), BadInput, "no setting colour"),
        (lambda log: log.kill(3), BadInput, "The broker is 3; it must be between 0 and 2"),
        (lambda log: log.shrink_isr("t", 0, 0), BadInput, "Broker 0 is no in-sync follower of t-0"),
        (lambda log: log.commit("g", {("t", 7): 1}), errors.UnknownTopicOrPartition, "no partition 7"),
        (lambda log: log.commit("", {("t", 0): 1}), BadInput, "The consumer group is ''"),
        (lambda log: log.commit("g", {"t": 1}), BadInput, "committed for \\(topic, partition\\), and not for 't'"),
        (lambda log: log.write_marker("t", 0, 1, 0, "end"), BadInput, "The result is 'end'"),
        (lambda log: log.append("t", 0, ["a"], acks=True), BadInput, "acks is True; it can be 0, 1, all"),
        (lambda log: log.append("t", 0, ["\ud800"]), BadInput, "half a character is no UTF-8"),
        (lambda log: log.append("t", 0, [Pair("\ud800", "a")]), BadInput, "half a character is no UTF-8"),
        (lambda log: partition_for("\ud800", 2), BadInput, "half a character is no UTF-8"),
        (
            lambda log: log.append("t", 0, ["a"], "all", 2**63, 0, 0),
            BadInput,
            "The producer id is 9223372036854775808",
        ),
        (lambda log: log.append("t", 0, pa.table({"key": ["a"]})), BadInput, "append each batch of its to_batches"),
        (lambda log: log.append("t", 0, two_columns("key", "key")), BadInput, "has 2 columns 'key'"),
        (
            lambda log: log.append("t", 0, pa.record_batch({"v": ["y"] * 49 + ["x" * 200]})),
            errors.RecordTooLarge,
            "Record 49 has 204 bytes",
        ),
        (lambda log: log.create_topic("u", unclean_election="no"), BadInput, "unclean_election is 'no'"),
        (lambda log: log.create_topic("u", compact=1), BadInput, "compact is 1; it can be True, False"),
        (lambda log: log.replicate(follower=7), BadInput, "The broker is 7"),
        (lambda log: log.replicate("t", 0, upto="x"), BadInput, "upto is 'x'"),
        (lambda log: Consumer(log, "t", partitions=1), BadInput, "The partitions to read are 1; give a list"),
        (lambda log: Producer(log).send_batch("t", ["a"], [0]), BadInput, r"The partition is \[0\]"),
        (lambda log: open_log("log"), BadInput, "A log is at 'log'"),
        (lambda log: open_log(brokers=0), BadInput, "The number of brokers is 0"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_value_and_a_remedy(ask, error, said, clock):
    log = open_log("memory:", 3, clock=clock)
    log.create_topic("t", 2, replicas=2, max_record_bytes=100)
    with pytest.raises(error, match=said):
        ask(log)
    assert log.log_end("t", 0) == 0


def test_every_refusal_has_a_kafka_name_of_its_own():
    found = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.LogError)]
    names = [kind.kafka for kind in found]
    assert len(set(names)) == len(names) == 30
    assert [name for name in names if name != name.upper()] == ["IllegalStateException"]  # the client's own, no code
