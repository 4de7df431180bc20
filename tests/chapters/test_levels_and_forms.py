"""The table of levels and forms."""

import pytest

from exactly_once.errors import BadInput
from exactly_once.handlers import FORMS
from exactly_once.handlers.logs.database_consumer import set_index
from exactly_once.stores import levels_and_forms
from exactly_once.stores.isolation import LEVELS

WEAK = ("read committed", "repeatable read")
DOUBLES = {
    "SET": WEAK,
    "WHERE, count not looked at": WEAK,
    "WHERE, count looked at": (),
    "FOR UPDATE, then SET": (),
    "INSERT of the number": (),
    "rows of its own": (*WEAK, "snapshot"),
}


def test_the_table_says_at_which_levels_a_form_is_right():
    found = levels_and_forms(messages=2, crashes=1)
    assert found.levels == list(LEVELS)
    assert found.forms == list(FORMS)
    for form in FORMS:
        assert found.right(form) == [level for level in LEVELS if level not in DOUBLES[form]]
    broken = [proof for proof in found.proofs.values() if not proof.ok]
    assert all("counter was moved" in proof.counterexample.sentence for proof in broken)


def test_a_form_of_ones_own_can_be_asked_for():
    found = levels_and_forms({"mine": FORMS["SET"]}, ["read committed", "snapshot"], again=False)
    assert {kind for proof in found.proofs.values() for kind in [proof.counterexample.kind]} == {
        "invariant",
        "raised",
    }


def test_the_table_says_in_each_cell_what_comes_of_it():
    found = levels_and_forms({"SET": set_index, "FOR": FORMS["FOR UPDATE, then SET"]}, ["read committed", "snapshot"])
    assert found.picture().table.to_dict("records") == [
        {"level": "read committed (PostgreSQL: READ COMMITTED)", "SET": "✗ doubles", "FOR": "✓ right"},
        {"level": "snapshot (PostgreSQL: REPEATABLE READ)", "SET": "✓ right", "FOR": "✓ right"},
    ]
    assert "moved 2 times" in found._repr_html_()
    assert "MySQL" not in found._repr_html_()


@pytest.mark.parametrize("levels", [5, "snapshot", ["nonsense"]])
def test_what_is_no_list_of_levels_is_refused(levels):
    with pytest.raises(BadInput, match="level"):
        levels_and_forms(levels=levels)
