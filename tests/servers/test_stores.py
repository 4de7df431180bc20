"""The stores over real servers pass the one conformance suite."""

import itertools

import pytest

from exactly_once.servers.etcd import EtcdStore
from exactly_once.servers.postgresql import PostgreSQLStore
from tests.stores import store_conformance

NUMBERS = itertools.count()


@pytest.fixture(params=["postgresql", "etcd"])
def store(request):
    server = request.getfixturevalue(request.param)
    kind = {"postgresql": PostgreSQLStore, "etcd": EtcdStore}[request.param]
    store = kind(server.url, "engine", f"engine{next(NUMBERS)}")
    yield store
    store.remove()
    store.close()


@pytest.mark.parametrize("check", store_conformance.CHECKS, ids=lambda check: check.__name__)
def test_conformance(check, store):
    check(store)
