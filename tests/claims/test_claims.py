"""The table of claims: each check finds its own mutant, and no other check does."""

import pytest

from exactly_once import show
from exactly_once.claims import claims
from exactly_once.errors import BadInput
from exactly_once.explore import KINDS

pytestmark = pytest.mark.timeout(1200)  # the table takes a minute of a processor's time, and may share it
FOLLOW = ("concurrent", "deadlock-free", "hard stop")  # from others, whose checks find their mutants, too
MUTANTS = {
    "no answer is taken for done": "exactly-once",
    "one transaction": "heterogeneous",
    "two locks": "concurrent",
    "polite": "hot–hot",
    "reserving": "lock-free",
    "hint overwritten": "race-free",
    "leaves to its twin": "hard stop",
    "restoring": "no failover",
    "giving up": "no downtime",
    "takes back": "atomic",
}
HANDLERS = ("the handler", "the second handler")


@pytest.fixture(scope="module")
def found():
    return claims()


@pytest.mark.slow
def test_every_claim_holds_within_its_bounds(found):
    assert found.ok
    assert len(found) == 11
    with pytest.raises(BadInput, match="The claim is 'lockfree'; it can be exactly-once, "):
        found["lockfree"]
    for name, row in found.items():
        first, second = (row[handler] for handler in HANDLERS)
        assert first.bounds.startswith("2 nodes, 2 items; "), name
        assert first.states > (2_000 if name == "hard stop" else 2_500), name
        assert second.bounds.startswith("3 nodes, 1 item; "), "two twins and the database's node"
        assert second.states > 10_000, name
    said = found["exactly-once"]["the handler"].bounds
    assert said.count(", or 1 ") == len(KINDS) - 1, said
    assert ", or 2 crashes" in said


@pytest.mark.slow
def test_each_mutant_is_found_by_the_check_of_its_claim_and_by_no_other(found):
    assert list(found["atomic"]) == [*HANDLERS, *MUTANTS]
    for mutant, name in MUTANTS.items():
        assert name in found.found_by(mutant), mutant
        if name not in FOLLOW:
            assert found.found_by(mutant) == [name], "within these bounds"
    assert not found["deadlock-free"]["two locks"].holds


@pytest.mark.slow
def test_what_observers_have_seen_is_not_taken_back(found):
    seen = found["atomic"]["takes back"]
    assert seen.says == "The output shows [] where it has shown [87.2]: what an observer has seen is taken back."
    assert "cas output.0, version 1" in seen.schedule.explanation[-1]
    assert "1 item" in seen.bounds


@pytest.mark.slow
def test_the_schedule_that_breaks_a_mutant_is_drawn(found):
    for mutant, name in MUTANTS.items():
        example = found[name][mutant].schedule
        assert example.explanation, mutant
        assert "<svg" in show.spacetime(example.trace)._repr_html_(), mutant


@pytest.mark.slow
def test_the_table_is_drawn(found):
    table = show.claims_table(found)
    named = [words.split()[0] for words in table.table.iloc[:, 0]]
    assert named == [name.split()[0] for name in (*found, "real-time")]
    assert table.html.count("✓</i> holds") == 2 * len(found)
    assert "<caption" in table.html
    for said in (
        "it adds up the readings of one stream and sends each total; one output, no database",
        "with two outputs: the hour goes to the second one, and a node of the database counts",
        "and not enough: a node that tries",
        "within the bounds this is wait-free as well",
        "measured, not explored",
    ):
        assert said in table.html, said
