"""Both stores pass the one conformance suite, and give the same answers to the same random operations."""

import contextlib
import itertools
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactly_once.errors import BadInput
from exactly_once.stores import Link, MemoryStore, Origin, ServedStore, Service, SQLiteStore
from tests.stores import store_conformance

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.fractions()
    | st.floats()
    | st.just(object()),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=2)
    ),
    max_leaves=6,
)
PARTS = st.sampled_from(["c", "l", "in.s"])
OPERATIONS = st.one_of(
    st.tuples(PARTS, st.just("read")),
    st.tuples(PARTS, st.sampled_from(["write", "append"]), VALUES),
    st.tuples(PARTS, st.just("cas"), st.integers(0, 4), VALUES),
    st.tuples(PARTS, st.just("add"), st.integers(-(2**63), 2**63) | st.integers(-3, 3) | st.just(1.5)),
    st.tuples(st.just("in"), st.just("fetch"), st.dictionaries(st.just("s"), st.integers(0, 4)), st.integers(0, 3)),
    st.tuples(PARTS, st.just("fill"), st.lists(VALUES, max_size=3)),
)
SERVER = "exactly_once.spark.task.server"
NUMBERS = itertools.count()
ORIGINS = st.builds(
    Origin,
    life=st.integers(0, 3),
    step=st.integers(0, 9),
    item=st.none() | st.integers(1, 9),
    stamp=st.integers(0, 99),
    inputs=st.lists(st.tuples(st.integers(1, 9), st.sampled_from(["a", "b"])), max_size=2).map(tuple),
)


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("served"), SERVER)
    yield service
    service.stop()


@pytest.fixture(params=["memory", "sqlite", "served"])
def store(request, tmp_path):
    if request.param == "served":
        service = request.getfixturevalue("service")
        store = ServedStore(Link.found_in(service.folder), f"engine{next(NUMBERS)}")
    else:
        store = MemoryStore("engine") if request.param == "memory" else SQLiteStore(tmp_path / "engine.sqlite")
    yield store
    store.close()


@pytest.mark.parametrize("check", store_conformance.CHECKS, ids=lambda check: check.__name__)
def test_conformance(check, store):
    check(store)


def answer(store, operation, origin):
    """Carry out an operation. Returns its reply, or the sentence with which it was refused."""
    part, verb, *arguments = operation
    try:
        return store.fill(part, *arguments) if verb == "fill" else store.do(part, verb, *arguments, origin=origin)
    except BadInput as why:
        return f"refused: {why}"


def contents(store):
    looks = [(part, kind, store.look(part, kind)) for part in ("c", "l", "in.s") for kind in ("cell", "log", "table")]
    return looks, store.journal()


@settings(max_examples=60)
@given(st.lists(st.tuples(OPERATIONS, ORIGINS), max_size=15))
def test_the_same_operations_give_the_same_answers_and_contents(service, operations):
    served = ServedStore(Link.found_in(service.folder), f"s{next(NUMBERS)}")
    with (
        contextlib.closing(served),
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(SQLiteStore(Path(folder) / "s")) as sqlite,
    ):
        memory = MemoryStore("s")
        for operation, origin in operations:
            answers = [answer(store, operation, origin) for store in (memory, sqlite, served)]
            said = [repr(one).replace(served.name, "s") for one in answers]
            assert said[0] == said[1] == said[2], operation
        assert repr(contents(memory)) == repr(contents(sqlite)) == repr(contents(served))
        with contextlib.closing(SQLiteStore(Path(folder) / "s")) as again:
            assert repr(contents(again)) == repr(contents(memory)), "what another connection sees is the same"
