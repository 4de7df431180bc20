"""The stores over real servers pass the one conformance suite."""

import itertools

import pytest

from exactly_once.log.kafka.store import KafkaStore
from exactly_once.servers.etcd import EtcdStore
from exactly_once.servers.kafka.broker import Kafka
from exactly_once.servers.kinds import Etcd, PostgreSQL
from exactly_once.servers.postgresql import PostgreSQLStore
from tests.servers.conftest import had
from tests.stores import store_conformance

NUMBERS = itertools.count()


KINDS = {PostgreSQL: PostgreSQLStore, Etcd: EtcdStore, Kafka: KafkaStore}


@pytest.fixture(params=KINDS, ids=lambda server: server.KIND)
def store(request):
    server, kind = had(request.param), KINDS[request.param]
    store = kind(server.url, "engine", f"engine{next(NUMBERS)}")
    yield store
    store.remove()
    store.close()


@pytest.mark.parametrize("check", store_conformance.CHECKS, ids=lambda check: check.__name__)
def test_conformance(check, store):
    check(store)
