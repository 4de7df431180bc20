"""The table of claims: each check finds its own mutant, and no other check does."""

import pytest

from exactly_once import show
from exactly_once.claims import claims, without
from exactly_once.claims.checks import Ideal
from exactly_once.claims.mutants import FORM, MUTANTS, following, named, totals
from exactly_once.claims.table import CLAIMS, findings
from exactly_once.errors import BadInput
from exactly_once.explore import replay
from exactly_once.explore.bounds import KINDS
from exactly_once.lockfree.general import general, handle, next_stage
from exactly_once.verdict.ideal import IdealFailed

pytestmark = pytest.mark.timeout(1200)  # the table takes half a minute of a processor's time, and may share it
FOLLOW = [name for name, claim in CLAIMS.items() if claim.follows]


@pytest.fixture(scope="module")
def found():
    return claims()


@pytest.fixture(scope="module")
def small():
    """One hour and one kind of fault: what is said of the handler, and not what becomes of mutants."""
    return claims(2, 1, mutants=False, faults=[("crashes",)])


def test_every_claim_holds_within_its_bounds(found):
    assert found.ok
    assert list(found) == list(CLAIMS)
    for name, row in found.items():
        assert row.finding.bounds.startswith("2 nodes, 2 items; "), name
        assert row.finding.states > 4_000, name
    said = found["exactly-once"].finding.bounds
    assert said.count(", or 1 ") == len(KINDS), said


def test_each_mutant_is_found_by_the_check_of_its_claim_and_by_no_other(found):
    by_check = {row.claim.mutant: found.found_by(row.claim.mutant) for row in found.values()}
    assert list(by_check) == found.mutants == list(MUTANTS)
    for name, row in found.items():
        if name not in FOLLOW:
            assert by_check[row.claim.mutant] == [name]


def test_a_claim_that_follows_from_others_has_no_mutant_of_its_own(found):
    assert FOLLOW == ["concurrent", "deadlock-free"]
    for name in FOLLOW:
        row = found[name]
        assert name in found.found_by(row.claim.mutant)
        for mutant in found.mutants:
            if name in found.found_by(mutant):
                assert set(row.claim.follows) & set(found.found_by(mutant)), (name, mutant)


def test_the_schedule_that_breaks_a_mutant_is_drawn_and_can_be_replayed(found):
    for name, row in found.items():
        example = row.counterexample()
        assert example.explanation, name
        assert "<svg" in show.spacetime(example.trace)._repr_html_(), name
        again = replay(example.token, MUTANTS[row.claim.mutant].handler)
        assert again.run.outcome == example.run.outcome, name


def test_k_and_r_are_computed_and_the_longest_way_is_shown(found):
    row = found["no failover"]
    assert row.finding.numbers == {"k": 16, "r": 10}
    example = row.example()
    last = {life for life, _ in example.steps[-16:]}
    assert len(last) == 1, "the survivor is alone"
    assert example.steps[-17][0] not in last
    assert row.mutants["restoring"].numbers == {"k": 22, "r": 10}


def test_in_the_schedule_of_the_claim_concurrent_both_nodes_make_a_transition(found):
    lines = found["concurrent"].example().explanation
    for node in ("Node 1", "Node 2"):
        mine = [line for line in lines if line.startswith(node) and "cas handler, version" in line]
        assert any("refused" not in line for line in mine), node


def test_the_matrix_and_the_table_are_drawn(found):
    table = show.claims_table(found)
    assert list(table.table["claim"]) == list(CLAIMS)
    assert table.html.count("✓</i> holds") == len(CLAIMS)
    matrix = show.claims_matrix(found).table
    assert list(matrix["mutant"]) == list(MUTANTS)
    assert (matrix.iloc[:, 1:] == "✗").sum().sum() == 9 + len(
        found.found_by("a leader") + found.found_by("two locks")
    )


def test_a_node_that_asks_whether_its_twin_has_begun_is_found_by_the_check_of_no_failover():
    def asking(node):
        mine, other = f"begun {node.number}", f"begun {3 - node.number}"
        if not node.registers.read(mine)[0]:
            node.registers.cas(mine, 0, True)
        while not handle(node, totals, FORM):
            node.registers.read(other)

    of = findings(named(asking, "asking"), Ideal.of(general(totals), 1), 2, 1, ())
    assert [name for name, one in of.items() if not one.holds] == ["no failover"]
    assert "begun" in of["no failover"].says
    assert "read begun" in of["no failover"].schedule.explanation[-1]


def test_a_handler_of_ones_own_is_checked_with_state_two_queues_and_nothing_for_one():
    def split(state, inputs):
        count = (state or 0) + 1
        return count, [count, None] if count % 2 else [None, count]

    own = claims(2, 2, handler=general(split, outputs=("odd", "even")), faults=[("crashes",)])
    assert own.ok
    assert own.mutants == []


def test_a_handler_that_fails_by_itself_is_told_with_its_error():
    with pytest.raises(IdealFailed, match="ZeroDivisionError"):
        claims(2, 1, handler=general(lambda state, inputs: 1 / 0), faults=[])


def test_a_handler_that_never_writes_is_found():
    def forget(node, form, stage):
        return next_stage(*stage[1:4], stage[4] + 1)

    silent = following(forget, "silent")
    of = findings(silent, Ideal.of(general(totals), 1), 1, 1, (), only=("exactly-once", "atomic", "hard stop"))
    assert {name: one.holds for name, one in of.items()} == {
        "exactly-once": False,
        "atomic": True,
        "hard stop": False,
    }
    assert of["exactly-once"].says == "The output is [] in the end, where a right run leaves [87.2]."


def test_what_is_stopped_keeps_what_was_found():
    asked = []
    partly = claims(2, 1, faults=[], mutants_faults=[], progress=lambda *said: asked.append(said),
                    stopped=lambda: len(asked) > 2)  # fmt: skip
    assert asked[0] == (0, 12, "the handler")
    assert not partly.ok
    assert "stopped" in partly.stopped
    assert len(partly) == len(CLAIMS)
    assert len(partly.mutants) < len(MUTANTS)
    assert "Not complete" in show.claims_table(partly).html


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"nodes": 0}, "number of nodes"),
        ({"faults": [("crash",)]}, "kind of fault"),
        ({"handler": totals}, "general"),
        ({"handler": 3}, "general"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(arguments, said):
    with pytest.raises(BadInput, match=said):
        claims(**arguments)


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
