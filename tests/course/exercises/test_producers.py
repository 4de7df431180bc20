"""The rules of exercise 13a, asked of the client that is here: librdkafka makes a producer, or refuses to."""

import pytest

from exactly_once.exercises.ch13.e13a_numbered import CASES, LIBRDKAFKA, REFUSED, numbered
from exactly_once.servers.kafka.where import Where

confluent_kafka = pytest.importorskip("confluent_kafka")
OURS = [case for case in CASES if case[0] == LIBRDKAFKA]


@pytest.mark.parametrize("case", OURS, ids=str)
def test_librdkafka_refuses_what_the_exercise_says(case):
    settings = Where("127.0.0.1:1").settings(**{name.replace(".", "_"): value for name, value in case[2].items()})
    if numbered(*case) == REFUSED:
        with pytest.raises(confluent_kafka.KafkaException, match=r"enable\.idempotence"):
            confluent_kafka.Producer(settings)
    else:
        confluent_kafka.Producer(settings).purge()


def test_some_are_refused_and_some_are_not():
    assert {numbered(*case) for case in OURS} == {"numbered", "not numbered", REFUSED}
