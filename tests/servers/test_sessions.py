"""PostgreSQL's isolation levels, asked for real: the cases by which the model is tested, and the model's answers."""

import json

import pytest

from exactly_once.errors import BadInput
from exactly_once.servers import new_name, opened
from exactly_once.stores import Blocked
from tests.stores.isolation.test_hermitage import CASES

PART, KIND = "rows", "rows"
LEVELS = ("read committed", "snapshot", "serializable")
VERBS = {
    "read": "read_row", "all": "read_rows", "update": "update_row", "where": "update_row_where", "add": "add_to_row",
    "insert": "insert_row", "commit": "commit_rows", "abort": "roll_back_rows", "lock": "lock_row",
}  # fmt: skip
SCRIPTS = [
    pytest.param(level, script, group, id=f"{case}-{level}")
    for case, groups, script in CASES for group, levels in enumerate(groups) for level in levels if level in LEVELS
]  # fmt: skip


@pytest.fixture
def store(postgresql):
    store = opened(postgresql.url, "shop", new_name())
    store.prepare(PART, "set_up_rows", {"1": 10, "2": 20})
    yield store
    store.close()  # which ends the open transactions
    store.remove()
    store.close()


@pytest.mark.some(day=6, ci=9)
@pytest.mark.parametrize(("level", "script", "group"), SCRIPTS)
def test_a_case_of_hermitage_ends_as_the_model_ends_it(store, level, script, group):
    waiting = {}
    for life in (1, 2, 3):
        store.do(PART, "begin_rows", life, level)
    for line in script.strip().splitlines():
        said, _, expected = line.partition("->")
        who, what, *rest = said.split()
        life, expected = int(who[1]), expected.split(" | ")[-1 if group else 0].strip()
        if what == "goes":
            asked = waiting.pop(life)
        else:
            asked = VERBS[what], life, *([rest[0], *map(json.loads, rest[1:])] if rest else [])
        try:
            answer = store.do(PART, *asked).value
        except Blocked:
            assert expected == "waits", line
            waiting[life] = asked
            continue
        assert (answer["error"] if isinstance(answer, dict) else json.dumps(answer)) == (expected or "null"), line
    assert not waiting


def test_rows_are_looked_at_as_they_are_committed(store):
    store.do(PART, "begin_rows", 1, "read committed")
    store.do(PART, "insert_row", 1, "text", "ü")
    store.do(PART, "update_row", 1, "1", None)
    assert store.look(PART, KIND) == {"1": 10, "2": 20}
    store.do(PART, "commit_rows", 1)
    assert store.look(PART, KIND) == {"1": None, "2": 20, "text": "ü"}
    assert [(entry.verb, entry.value) for entry in store.journal()][-1] == ("commit_rows", None)


def test_levels_of_other_products_and_a_second_transaction_are_refused(store):
    with pytest.raises(BadInput, match="'deferred' is a level of SQLite; PostgreSQL's are read committed, snapshot"):
        store.do(PART, "begin_rows", 1, "deferred")
    with pytest.raises(BadInput, match="has no open transaction"):
        store.do(PART, "read_row", 1, "1")
    store.do(PART, "begin_rows", 1, "snapshot")
    with pytest.raises(BadInput, match="has an open transaction"):
        store.do(PART, "begin_rows", 1, "snapshot")
    assert store.do(PART, "roll_back_rows", 1).value is None
    assert store.do(PART, "roll_back_rows", 1).value is None
