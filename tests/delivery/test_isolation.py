"""The table of levels and forms, and the same forms on a real SQLite file."""

import pytest

from exactly_once.delivery.isolation import levels_and_forms, on_sqlite
from exactly_once.errors import BadInput
from exactly_once.handlers.logs.database_consumer import FORMS, inserted, set_index, where_index, where_unchecked
from exactly_once.stores.isolation import LEVELS


def test_the_table_says_at_which_levels_a_form_is_right():
    found = levels_and_forms()
    assert found.levels == list(LEVELS)
    assert found.forms == list(FORMS)
    assert found.right("SET") == ["snapshot", "serializable", "deferred", "immediate"]
    assert found.right("WHERE, count looked at") == list(LEVELS)
    assert found.right("rows of its own") == ["serializable", "deferred", "immediate"]
    assert found.proofs["immediate", "FOR UPDATE, then SET"] is None


def test_a_form_of_ones_own_can_be_asked_for():
    found = levels_and_forms({"mine": set_index}, ["read committed", "snapshot"], again=False)
    assert {kind for proof in found.proofs.values() for kind in [proof.counterexample.kind]} == {
        "invariant",
        "raised",
    }


@pytest.mark.parametrize("form", [set_index, where_index, where_unchecked, inserted])
@pytest.mark.parametrize("begins", ["deferred", "immediate"])
def test_a_transaction_of_sqlite_applies_each_message_once(form, begins):
    left = on_sqlite(form, begins, messages=5)
    assert left.error is None
    assert left.exactly_once


@pytest.mark.parametrize("form", [set_index, where_index, where_unchecked, inserted])
def test_without_a_transaction_each_message_is_applied_twice(form):
    left = on_sqlite(form, "autocommit", messages=5)
    assert left.error is None
    assert left.counter == 10
    assert not left.exactly_once


def test_a_deferred_transaction_that_has_read_cannot_write():
    left = on_sqlite(set_index, "deferred", messages=5)
    assert sum(left.locked.values()) >= 5
    assert set(left.locked) <= {"SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT"}
    assert "database is locked" in str(on_sqlite(set_index, "deferred", messages=1, again=False).error)
    assert not on_sqlite(set_index, "immediate", messages=5).locked


def test_a_transaction_that_nobody_ends_is_an_error():
    assert "neither committed nor rolled back" in str(
        on_sqlite(lambda session, _: session.read("index"), messages=1).error
    )


@pytest.mark.parametrize("wrong", [{"begins": "exclusive"}, {"messages": 0}])
def test_wrong_arguments(wrong):
    with pytest.raises(BadInput):
        on_sqlite(set_index, **wrong)
