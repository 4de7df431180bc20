"""The table of claims: each check finds its own mutant, and no other check does."""

from contextlib import suppress

import pytest

from exactly_once import show
from exactly_once.claims import claims, without
from exactly_once.claims.checks import Ideal
from exactly_once.claims.mutants import FORM, MUTANTS, beside_a_database, following, named, totals
from exactly_once.claims.table import CLAIMS, findings
from exactly_once.errors import BadInput, OutcomeUnknown
from exactly_once.explore import replay
from exactly_once.explore.bounds import KINDS
from exactly_once.handlers.stream.offset_in_sink import counter_sink
from exactly_once.lockfree.general import (
    MACHINE,
    PREPARING,
    Form,
    compute,
    drive,
    follow,
    general,
    handle,
    next_stage,
)
from exactly_once.lockfree.queue import EMPTY, cell
from exactly_once.node.program import renamed, runs_as
from exactly_once.node.world import QUEUES
from exactly_once.verdict.verdict import IdealFailed

pytestmark = pytest.mark.timeout(1200)  # the table takes half a minute of a processor's time, and may share it
FOLLOW = [name for name, claim in CLAIMS.items() if claim.follows]


@pytest.fixture(scope="module")
def found():
    return claims()


@pytest.fixture(scope="module")
def small():
    """The claims on the handler for one hour and one kind of fault, without the mutants."""
    return claims(2, 1, mutants=False, faults=[("crashes",)])


@pytest.mark.not_by_day
def test_every_claim_holds_within_its_bounds(found):
    assert found.ok
    assert list(found) == list(CLAIMS)
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


def test_without_a_progress_of_ones_own_each_handler_has_a_line_when_its_checks_are_done(capsys):
    claims(2, 1, mutants=False, faults=[], mutants_faults=[])
    assert capsys.readouterr().out == (
        "1 of 2, the handler: 11 of 11 checks hold\n2 of 2, the second handler: 11 of 11 checks hold\n"
    )


def test_each_mutant_is_found_by_the_check_of_its_claim_and_by_no_other(found):
    mutants = [(mutant, name) for name, row in found.items() for mutant in row.claim.mutants]
    assert [mutant for mutant, _ in mutants] == found.mutants == list(MUTANTS)
    for mutant, name in mutants:
        assert name in found.found_by(mutant), mutant
        if name not in FOLLOW:
            assert found.found_by(mutant) == [name], "within these bounds"


def test_a_claim_that_follows_from_others_has_no_mutant_of_its_own(found):
    assert FOLLOW == ["concurrent", "deadlock-free", "hard stop"]
    for name in FOLLOW:
        row = found[name]
        assert name in found.found_by(row.claim.mutant)
        for mutant in found.mutants:
            if name in found.found_by(mutant):
                assert set(row.claim.follows) & set(found.found_by(mutant)), (name, mutant)


def test_a_hard_stop_is_as_many_crashes_as_there_are_nodes():
    of, usual = MUTANTS["poison"].handler, Ideal.of(general(totals), 2)
    for crashes, holds in ((1, True), (2, False)):
        found = findings(of, usual, 2, 2, (("crashes",) * crashes,), only=("exactly-once", "hard stop"))
        assert {name: one.holds for name, one in found.items()} == {"exactly-once": holds, "hard stop": False}


def test_what_holds_by_construction_is_said_to(found):
    row = found["race-free"]
    for finding in (row.finding, row.second):
        assert finding.says.endswith("By construction: every write to a cell is a versioned compare-and-swap.")
    assert "By construction" not in "".join(one.says for one in row.mutants.values() if not one.holds)
    assert all(("By construction" in one.says) == one.holds for one in row.mutants.values())


def test_what_observers_have_seen_is_not_taken_back(found):
    row = found["atomic"]
    seen = row.mutants["takes back"]
    assert seen.says == "The output shows [] where it has shown [87.2]: what an observer has seen is taken back."
    last = row.counterexample("takes back").explanation[-1]
    assert "cas output.0, version 1" in last
    assert "1 item" in seen.bounds


def test_observers_see_the_queues_of_a_store_together():
    """Each queue by itself is as it should be, and the second one shows a message before the first one does."""
    queues = "one", "two"

    def both(state, inputs):
        total, outputs = totals(state, inputs)
        return total, outputs * 2

    def backwards(node, function, form, state, positions):
        kind, *rest, messages, k = compute(node, function, form, state, positions)
        return [kind, *rest, messages[::-1], k]

    def handler(node):
        drive(node, both, Form(outputs=queues), compute=backwards)

    backward = runs_as(machine=MACHINE, feeds=queues)(renamed(handler, "backward"))
    of = findings(backward, Ideal.of(general(both, outputs=queues), 1), 2, 1, ())
    assert [name for name, one in of.items() if not one.holds] == ["atomic"]
    assert of["atomic"].says == "The output shows [] and [87.2], which no right run shows."


def test_a_database_s_node_that_ends_with_an_unknown_outcome_is_down():
    programs = beside_a_database(2, counter_sink)
    of = findings(programs, Ideal.of(programs, 1), 2, 1, (("lost_replies",),), only=("exactly-once", "no downtime"))
    assert {name: one.holds for name, one in of.items()} == {"exactly-once": True, "no downtime": False}
    assert "its reply is lost" in of["no downtime"].schedule.explanation[-1]


def test_the_check_of_hot_hot_does_not_see_a_node_that_always_comes_too_late():
    """As the table remarks: what it asks is necessary, and not enough."""

    def late(node):
        while node.number == 2:
            version, held = node.store(MACHINE[0]).read(MACHINE[1])
            if held is not None and not node.running(held[2]):
                return
            node.store(MACHINE[0]).cas(MACHINE[1], version - 1 if version else 7, held)
        drive(node, totals, FORM)

    of = findings(named(late, "late"), Ideal.of(general(totals), 1), 2, 1, (), only=("hot–hot", "concurrent"))
    assert {name: one.holds for name, one in of.items()} == {"hot–hot": True, "concurrent": False}


def test_the_schedule_that_breaks_a_mutant_is_drawn_and_can_be_replayed(found):
    for row in found.values():
        for mutant in row.claim.mutants:
            example = row.counterexample(mutant)
            assert example.explanation, mutant
            assert "<svg" in show.spacetime(example.trace)._repr_html_(), mutant
            again = replay(example.token, MUTANTS[mutant].handler)
            assert again.run.outcome == example.run.outcome, mutant


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


def test_the_table_is_drawn(found):
    table = show.claims_table(found)
    assert list(table.table["claim"]) == [*CLAIMS, "real-time"]
    assert table.html.count("✓</i> holds") == 2 * len(CLAIMS)
    assert "<caption" in table.html
    for said in (
        "it adds up the readings of one stream and sends each total; one output, no database",
        "with two outputs: the hour goes to the second one, and a node of the database counts",
        "and not enough: a node that tries",
        "within the bounds this is wait-free as well",
        "measured, not explored",
    ):
        assert said in table.html, said


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
    assert own.second == ""
    html = show.claims_table(own).html
    assert "The handler that is asked is &#x27;handler&#x27;, your own." in html
    assert "second" not in html


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
    assert asked[0] == (0, 14, "the handler")
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


@pytest.mark.not_by_day
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


def test_what_a_late_request_takes_back_is_found_and_can_be_replayed():
    def erased(node, form, stage):
        if stage[0] == PREPARING:
            return follow(node, form, stage)
        (name, message), index = stage[3][stage[4]], stage[5]
        store, place = node.store(QUEUES), cell(name, index)
        with suppress(OutcomeUnknown):
            if store.read(place)[0] == EMPTY:
                store.write(place, None)  # it is empty anyway: harmless, unless the request is late
        version, held = store.read(place)
        if held is None:
            store.cas(place, version, message)
        return next_stage(*stage[1:4], stage[4] + 1)

    handler, ideal = following(erased, "erased"), Ideal.of(general(totals), 1)
    assert findings(handler, ideal, 1, 1, (("crashes",),), only=("atomic",))["atomic"].holds
    found = findings(handler, ideal, 1, 1, (("late_requests",),), only=("atomic",))["atomic"]
    assert found.says == "The output shows [] where it has shown [87.2]: what an observer has seen is taken back."
    assert found.schedule.explanation[-1].startswith("The late request arrives: write output.0")
    assert replay(found.schedule.token, handler).run.outcome == found.schedule.run.outcome
