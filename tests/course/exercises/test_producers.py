"""The rules of exercise 13a, asked of the client that is here: librdkafka makes a producer, or refuses to."""

import pytest

from exactly_once.chapters.items import item
from exactly_once.exercises.kinds.mistakes import answer_with
from exactly_once.servers.where import Where

confluent_kafka = pytest.importorskip("confluent_kafka")
OURS = [(case[2], answer_with("13a")(*case)) for case in item("13a").cases if case[0] == "librdkafka"]


@pytest.mark.parametrize(("settings", "said"), OURS, ids=str)
def test_librdkafka_refuses_what_the_exercise_says(settings, said):
    settings = Where("127.0.0.1:1").settings(**{name.replace(".", "_"): value for name, value in settings.items()})
    if said == "refused":
        with pytest.raises(confluent_kafka.KafkaException, match=r"enable\.idempotence"):
            confluent_kafka.Producer(settings)
    else:
        confluent_kafka.Producer(settings).purge()


def test_some_are_refused_and_some_are_not():
    assert {said for _, said in OURS} == {"numbered", "not numbered", "refused"}
