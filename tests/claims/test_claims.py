"""The table of claims: each check finds its own mutant, and no other check does."""

import pytest

from exactly_once import show
from exactly_once.claims import claims, without
from exactly_once.errors import BadInput
from exactly_once.explore.bounds import KINDS
from exactly_once.lockfree.general import (
    general,
)
from exactly_once.verdict import IdealFailed

pytestmark = pytest.mark.timeout(1200)  # the table takes half a minute of a processor's time, and may share it


@pytest.fixture(scope="module")
def found():
    return claims()


@pytest.fixture(scope="module")
def small():
    """The claims on the handler for one hour and one kind of fault, without the mutants."""
    return claims(2, 1, mutants=False, faults=[("crashes",)])


@pytest.mark.slow
def test_every_claim_holds_within_its_bounds(found):
    assert found.ok
    assert len(found) == 11
    for name, row in found.items():
        assert row.finding.bounds.startswith("2 nodes, 2 items; "), name
        assert row.finding.states > 4_000, name
    said = found["exactly-once"].finding.bounds
    assert said.count(", or 1 ") == len(KINDS) - 1, said
    assert ", or 2 crashes" in said
    for name, row in found.items():
        assert row.second.holds, name
        assert row.second.bounds.startswith("3 nodes, 1 item; "), "two twins and the database's node"
        assert row.second.states > 10_000, name


@pytest.mark.slow
def test_each_mutant_is_found_by_the_check_of_its_claim_and_by_no_other(found):
    mutants = [(mutant, name) for name, row in found.items() for mutant in row.claim.mutants]
    assert [mutant for mutant, _ in mutants] == found.mutants
    for mutant, name in mutants:
        assert name in found.found_by(mutant), mutant
        if not found[name].claim.follows:
            assert found.found_by(mutant) == [name], "within these bounds"


@pytest.mark.slow
def test_what_observers_have_seen_is_not_taken_back(found):
    row = found["atomic"]
    seen = row.mutants["takes back"]
    assert seen.says == "The output shows [] where it has shown [87.2]: what an observer has seen is taken back."
    last = row.counterexample("takes back").explanation[-1]
    assert "cas output.0, version 1" in last
    assert "1 item" in seen.bounds


@pytest.mark.slow
def test_the_schedule_that_breaks_a_mutant_is_drawn(found):
    for row in found.values():
        for mutant in row.claim.mutants:
            example = row.counterexample(mutant)
            assert example.explanation, mutant
            assert "<svg" in show.spacetime(example.trace)._repr_html_(), mutant


@pytest.mark.slow
def test_in_the_schedule_of_the_claim_concurrent_both_nodes_make_a_transition(found):
    lines = found["concurrent"].example().explanation
    for node in ("Node 1", "Node 2"):
        mine = [line for line in lines if line.startswith(node) and "cas handler, version" in line]
        assert any("refused" not in line for line in mine), node


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


def test_a_handler_of_ones_own_is_checked_with_state_two_queues_and_nothing_for_one():
    def split(state, inputs):
        count = (state or 0) + 1
        return count, [count, None] if count % 2 else [None, count]

    own = claims(2, 2, handler=general(split, outputs=("odd", "even")), faults=[("crashes",)])
    assert own.ok
    assert own.mutants == []
    assert own.second == ""
    html = show.claims_table(own).html
    assert "The handler that is asked is &#x27;handler&#x27;, your own." in html
    assert "second" not in html


def test_a_handler_that_fails_by_itself_is_told_with_its_error():
    with pytest.raises(IdealFailed, match="ZeroDivisionError"):
        claims(2, 1, handler=general(lambda state, inputs: 1 / 0), faults=[])


@pytest.mark.not_by_day
def test_what_is_stopped_keeps_what_was_found():
    asked = []
    partly = claims(2, 1, faults=[], mutants_faults=[], progress=lambda *said: asked.append(said),
                    stopped=lambda: len(asked) > 2)  # fmt: skip
    assert asked[0] == (0, 14, "the handler")
    assert not partly.ok
    assert "stopped" in partly.stopped
    assert len(partly) == 11
    assert "Not complete" in show.claims_table(partly).html


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"nodes": 0}, "number of nodes"),
        ({"faults": [("crash",)]}, "kind of fault"),
        ({"handler": lambda state, inputs: (state, [])}, "general"),
        ({"handler": 3}, "general"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(arguments, said):
    with pytest.raises(BadInput, match=said):
        claims(**arguments)


@pytest.mark.slow
def test_names_that_are_not_there_are_refused(small):
    with pytest.raises(BadInput, match="the claim"):
        small["lockfree"]
    with pytest.raises(BadInput, match="No mutant"):
        small["lock-free"].counterexample()
    with pytest.raises(BadInput, match="no single schedule"):
        small["lock-free"].example()


def test_without_each_part_two_nodes_break_it_without_a_fault():
    broken = without()
    assert list(broken) == ["PREPARING", "idempotent push", "versions", "one statement"]
    for name, proof in broken.items():
        assert proof.counterexample is not None, name
        assert proof.bounds.nodes == 2, name
        assert not proof.bounds.faults, name
        assert proof.counterexample.token, name
