"""The table of levels and forms."""

from exactly_once.handlers import FORMS
from exactly_once.stores import levels_and_forms
from exactly_once.stores.isolation.model import LEVELS


def test_the_table_says_at_which_levels_a_form_is_right():
    found = levels_and_forms()
    assert found.levels == list(LEVELS)
    assert found.forms == list(FORMS)
    assert found.right("SET") == ["snapshot", "serializable", "deferred", "immediate"]
    assert found.right("WHERE, count looked at") == list(LEVELS)
    assert found.right("rows of its own") == ["serializable", "deferred", "immediate"]
    assert found.proofs["immediate", "FOR UPDATE, then SET"] is None


def test_a_form_of_ones_own_can_be_asked_for():
    found = levels_and_forms({"mine": FORMS["SET"]}, ["read committed", "snapshot"], again=False)
    assert {kind for proof in found.proofs.values() for kind in [proof.counterexample.kind]} == {
        "invariant",
        "raised",
    }
