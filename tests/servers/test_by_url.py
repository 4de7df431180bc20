"""Stores are chosen by URL, and a text of another form is refused in a sentence."""

import pytest

from exactly_once.errors import BadInput
from exactly_once.log.kafka import steps  # noqa: F401 - with it a store on Kafka is opened
from exactly_once.servers.by_url import chosen, new_name, opened
from exactly_once.servers.kafka.broker import Kafka

from .conftest import had

MINE, OTHER = "postgresql://me@db.example/course", "etcd://me:word@one:2379,two:2379,three:2379"
BROKERS = "kafka://me:word@one:9092,two:9092"


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("sqlite:", ["sqlite:"] * 2),
        (MINE, [MINE] * 2),
        (OTHER, [OTHER] * 2),
        (f"{OTHER},{MINE}", [OTHER, MINE]),
        (f"sqlite:,{OTHER}", ["sqlite:", OTHER]),
        (f"{BROKERS},{MINE}", [BROKERS, MINE]),
    ],
)
def test_one_url_is_for_all_stores_and_a_second_one_for_the_database(text, urls):
    assert chosen(text) == urls


def test_the_short_forms_are_servers_of_this_process(etcd, postgresql):
    assert chosen("etcd:,postgresql:") == [etcd.url, postgresql.url]
    assert chosen("kafka:") == [had(Kafka).url] * 2


@pytest.mark.parametrize("text", ["", "mysql:", "mysql://host/db", "sqlite:file", "host:5432", None, 3, ["etcd:"]])
def test_another_form_is_refused(text):
    with pytest.raises(BadInput, match=r"give (a text: )?sqlite:, postgresql:, etcd:"):
        chosen(text)


def test_a_third_url_is_refused():
    with pytest.raises(BadInput, match="one URL for all, or the engine's and the database's"):
        chosen(f"{MINE},{OTHER},sqlite:")


def test_runs_on_one_server_share_nothing(etcd, postgresql):
    for url in (etcd.url, postgresql.url, had(Kafka).url):
        one, other = (opened(url, "engine", f"{new_name()}_engine") for _ in range(2))
        one.do("c", "write", 1)
        assert (one.look("c", "cell"), other.look("c", "cell"), other.journal()) == (1, None, [])
        for store in (one, other):
            store.remove()
            store.close()
