"""The transfer lab's model and screen: holders and waiters, the places of the money, and the explorer's result."""

import re

import pytest

from exactly_once.errors import BadInput
from exactly_once.explore import prove, replay
from exactly_once.explore.play import told
from exactly_once.handlers.transfer import STAGES, Bank, one_by_one
from exactly_once.widgets import Debugger, transfer_lab
from exactly_once.widgets.transfer.model import CLAIMS, TITLES, is_quiet
from exactly_once.widgets.transfer.moment import moment_of, visible
from exactly_once.widgets.transfer.view import functions_of, in_words, verdict


def asked(lab, *messages):
    """Return the lab's state after the page has sent these messages, each (do, value)."""
    for number, (do, value) in enumerate(messages):
        lab._heard(lab, {"do": do, "value": value, "number": number}, [])
    assert lab.model.wait(60)
    return lab.model.state


def moved(lab, *names):
    return asked(lab, *(("move", name) for name in names))


def found(lab):
    """Return what the explorer has found of each claim, when it is through."""
    assert lab.model.wait(60, proof=True)
    return lab.model.state.found


def scene(lab):
    return moment_of(lab.model)


def said(lab):
    """Return the verdict without its signs."""
    kind, title, words = verdict(lab.model, scene(lab))
    return kind, f"{title} {re.sub('<[^>]*>', '', words)}"


def names(lab):
    return {told(decision) for decision in lab.model.state.position.open}


def test_the_beginning_is_where_the_first_step_concerns_the_bank():
    lab = transfer_lab("locks")
    state = moved(lab)
    assert [one.event.text for one in state.position.replay.pending] == ["acquire lock a", "acquire lock b", "read a"]
    assert names(lab) == {f"{node}{kind}" for node in range(3) for kind in "scp"}
    assert visible(state.position.replay) == []
    assert scene(lab).balances == {"a": 10, "b": 0}
    assert said(lab)[1].startswith("You say who takes the next step.")
    assert "7 from a to b" in lab.nodes
    assert lab.way.count("<button") == 0


def test_two_locks_deadlock_and_a_kill_sets_the_other_free():
    lab = transfer_lab("locks")
    moved(lab, "0s", "1s")
    now = scene(lab)
    assert now.holders == {"a": 0, "b": 1}
    assert now.waits == {0: ("b", 1), 1: ("a", 0)}
    assert set(now.circle) == {0, 1}
    kind, words = said(lab)
    assert kind == "bad"
    assert words.startswith("✗ Deadlock.")
    assert "mover 1 waits for the lock of b, which ■ mover 2 holds" in words
    assert "Only a kill" in words
    assert lab.bank.count("waits:") == 2
    assert "waits to acquire lock b" in lab.nodes
    assert asked(lab, ("run", "0")).error.message.startswith("Node 1 cannot go on here")
    assert "Nobody comes to an end" in asked(lab, ("run", "2"), ("run_out", None)).error.message
    moved(lab, "0c")
    assert scene(lab).circle == ()
    assert scene(lab).holders == {"b": 1}
    asked(lab, ("run", "1"))
    assert scene(lab).answers == {0: (), 1: ("insufficient funds",)}
    assert said(lab)[1].startswith("✓ All have ended.")
    assert "Refused for insufficient funds: ■ mover 2" in said(lab)[1]
    assert "Not answered: ● mover 1" in said(lab)[1]


@pytest.mark.parametrize(("stage", "steps"), [("locks", 4), ("ordered", 4), ("halves", 3), ("cas", 2)])
def test_a_mover_that_dies_between_the_halves_loses_money_for_good(stage, steps):
    lab = transfer_lab(stage)
    moved(lab, *["0s"] * steps)
    assert scene(lab).missing == 7
    assert not scene(lab).lost
    assert said(lab) == (
        "warn",
        "! 7 are in no account at this moment. Whoever reads now sees another sum. Kill the mover here, or let the "
        "auditor read.",
    )
    assert "on its way: 7" in lab.bank
    moved(lab, "0c")
    assert scene(lab).lost
    assert said(lab)[0] == "bad"
    assert "7 are lost for good. ● mover 1 died" in said(lab)[1]
    assert "✗ lost: 7" in lab.bank
    assert asked(lab, ("undo", None)).at < len(lab.model.state.way)
    assert not scene(lab).lost


def test_in_one_transaction_nothing_is_ever_on_its_way():
    lab = transfer_lab("transaction")
    for _ in range(3):
        moved(lab, "0s")
        assert scene(lab).missing == 0
    assert scene(lab).answers[0] == ("done",)


def test_the_auditor_is_fooled_while_nothing_is_lost_and_a_transaction_shows_it_the_truth():
    lab = transfer_lab("halves")
    moved(lab, "0s", "0s", "0s")
    asked(lab, ("run", "2"))
    assert scene(lab).read == (("a", "3"), ("b", "0"))
    assert scene(lab).audits == (3,)
    assert said(lab)[1].startswith("✗ The auditor saw 3, and the bank opened with 10.")
    assert "wrote down <b>3</b>" in lab.nodes
    asked(lab, ("stage", "transaction"), ("auditor", "in one transaction"), ("run", "0"), ("run", "2"), ("run", "1"))
    assert scene(lab).audits == (10,)
    assert "and the auditor saw 10" in said(lab)[1]


def test_too_much_is_seen_where_one_account_is_read_before_and_the_other_after():
    lab = transfer_lab("transaction")
    moved(lab, "2s")
    asked(lab, ("run", "0"), ("run", "2"))
    assert scene(lab).audits == (17,)
    assert "it read one account before a transfer and the other one after it" in said(lab)[1]


def test_a_sleeper_wakes_and_makes_its_deposit():
    lab = transfer_lab("halves", auditor="none")
    state = moved(lab, "0s", "0s", "0s", "0p")
    sleeper = next(one for one in state.position.replay.pending if one.asleep)
    assert "☾ wakes: release lock a" in lab.nodes
    assert "A new incarnation took over" in lab.nodes
    assert scene(lab).holders == {"a": 0}, "an incarnation that sleeps keeps its lock"
    asked(lab, ("run", str(sleeper.actor)), ("run", "1"))
    assert scene(lab).missing == 0
    assert said(lab)[0] == "good"


def test_undo_redo_and_going_back_pass_over_the_book_keeping():
    lab = transfer_lab("cas")
    state = moved(lab, "0s", "0s", "0c", "1s")
    assert [move.text for move in visible(state.position.replay)][:2] == ["read a", "cas a, version 1: 3"]
    assert lab.way.count("<button") == 4
    for left in (3, 2, 1, 0, 0):
        state = asked(lab, ("undo", None))
        assert len(visible(state.position.replay)) == left
        assert not [one for one in state.position.replay.pending if is_quiet(one.event.text)]
    assert lab.way.count("eo-player-chip-undone") == 4
    for made in (1, 2, 3, 4, 4):
        assert len(visible(asked(lab, ("redo", None)).position.replay)) == made
    stop = re.findall(r'data-value="(\d+)"', lab.way)[1]
    assert len(visible(asked(lab, ("go", stop)).position.replay)) == 2
    state = moved(lab, "0c")
    assert len(visible(state.full.replay)) == 4, "the same move again is a redo"
    state = moved(lab, "1c")
    assert "cannot be made here" in state.error.message
    state = moved(lab, "1p")
    assert len(visible(state.full.replay)) == 4, "another one forgets what was undone"
    state = asked(lab, ("restart", None))
    assert visible(state.full.replay) == [], "nothing is left to be done again"


def test_the_token_performs_the_way_with_the_explorers_own_programs():
    lab = transfer_lab("halves", movers=3)
    state = moved(lab, "0s", "1s", "0p", "1s", "4s")
    assert state.error is None
    token = lab.model.token
    assert token in lab.tools
    again = replay(token, lab.model.bank.programs)
    assert tuple(again.schedule) == state.way
    assert again.run.outcome == state.position.replay.run.outcome
    lab._heard(lab, {"do": "open", "number": 1}, [])
    assert isinstance(lab.opened, Debugger)
    assert lab.opened.model.steps.trace.events == state.position.replay.run.trace.events


BREAKS = {
    "transaction": {"audit"},
    "locks": {"deadlock", "money", "audit"},
    "ordered": {"money", "audit"},
    "halves": {"money", "audit"},
    "cas": {"money", "audit"},
}


@pytest.mark.parametrize("movers", [2, 3])
@pytest.mark.parametrize("stage", TITLES)
def test_the_explorer_answers_each_question_about_each_stage(stage, movers):
    lab = transfer_lab(stage, movers)
    answers = found(lab)
    assert {name for name, one in answers.items() if one.schedule} == BREAKS[stage]
    assert all(one.proof.ok for name, one in answers.items() if name not in BREAKS[stage])
    for name in CLAIMS:
        assert "states" not in lab.claims
        state = asked(lab, ("ask", name))
        assert name in state.wanted
        assert "<b>Yes</b>" in lab.claims if name in BREAKS[stage] else "<b>No</b>" in lab.claims
        if name in BREAKS[stage]:
            asked(lab, ("show", name))
            now = scene(lab)
            assert {"deadlock": now.circle, "money": now.lost, "audit": now.audits != (10,)}[name]
            assert "Back to my way" in lab.tools
            assert visible(asked(lab, ("own", None)).position.replay) == []
        else:
            assert "none" in asked(lab, ("show", name)).error.message
        lab = transfer_lab(stage, movers)
        found(lab)


def test_back_to_my_way_brings_back_the_learners_place_with_what_was_undone():
    lab = transfer_lab("halves")
    found(lab)
    state = moved(lab, "0s", "1s", "2s")
    place = asked(lab, ("undo", None)).at
    back = asked(lab, ("show", "audit"), ("undo", None), ("show", "money"), ("own", None))
    assert (back.way, back.at, back.own) == (state.way, place, None)


def test_the_schedule_of_the_explorer_is_the_one_that_prove_finds():
    lab = transfer_lab("halves")
    bank = Bank(STAGES["halves"], auditor=one_by_one)
    proof = prove(bank.programs, invariant=bank.audits_right, crashes=0)
    assert found(lab)["audit"].schedule == tuple(proof.counterexample.schedule)


@pytest.mark.parametrize(
    ("auditor", "fooled"), [("under locks", False), ("in one transaction", True), ("twice", True)]
)
def test_what_each_auditor_is_shown_of_ordered_locks(auditor, fooled):
    answers = found(transfer_lab("ordered", auditor=auditor))
    assert bool(answers["audit"].schedule) == fooled
    assert answers["deadlock"].proof.ok
    assert auditor != "under locks" or answers["deadlock"].nodes == (0, 1, 2), "who locks can deadlock"


def test_another_choice_begins_anew_and_what_cannot_be_is_refused():
    lab = transfer_lab("locks")
    moved(lab, "0s")
    state = asked(lab, ("ask", "deadlock"), ("stage", "cas"))
    assert (state.choice.stage, state.wanted, len(visible(state.position.replay))) == ("cas", frozenset(), 0)
    assert "account a · bank_a" in lab.bank
    assert "in one transaction" not in lab.head
    assert "no transaction spans both" in asked(lab, ("auditor", "in one transaction")).error.message
    state = asked(lab, ("stage", "transaction"), ("auditor", "in one transaction"), ("stage", "cas"))
    assert state.choice.auditor == "one by one"
    state = asked(lab, ("movers", "3"), ("auditor", "none"))
    assert lab.nodes.count("<section") == 3
    assert "The auditor" not in lab.nodes
    assert "fooled" not in lab.claims
    assert {name: bool(one.schedule) for name, one in found(lab).items()} == {"deadlock": False, "money": True}
    before = lab.model.state.way
    for do, value in (
        ("stage", "none"), ("stage", None), ("movers", "7"), ("movers", "x"), ("auditor", 3), ("ask", "all"),
        ("show", None), ("run", "9"), ("run", None), ("move", "0z"), ("go", "there"), ("dance", None),
    ):  # fmt: skip
        assert asked(lab, (do, value)).error is not None, (do, value)
        assert lab.model.state.way == before
    assert asked(lab, ("run", "0")).error is None


def test_the_choices_of_the_call_are_checked():
    apart = {"stage": "cas", "auditor": "in one transaction"}
    for wrong in ({"stage": "two"}, {"movers": 4}, {"auditor": "me"}, apart):
        with pytest.raises(BadInput):
            transfer_lab(**wrong)


def test_the_code_shows_where_each_mover_stands():
    lab = transfer_lab("locks")
    moved(lab, "0s", "0s")
    lines = re.findall(r'<div class="eo-player-next-line".*?</div>', lab.code)
    here = [re.sub("<[^>]*>", "", line) for line in lines]
    assert here == [
        "■with node.lock(source), node.lock(target):",
        "●return move(node.store(BANK), source, target, amount)",
        "●_, balance = bank.read(source)",
    ]
    assert [one.__name__ for one in functions_of(STAGES["cas"])] == ["two_stores", "withdraw", "deposit"]


def test_steps_are_said_as_people_say_them():
    assert in_words("push [2, 1, insufficient funds]") == "answer: insufficient funds"
    assert in_words("push 17") == "write down 17"
    assert in_words("in one transaction: read a; read b") == "at once: read a; read b"
    assert in_words("cas a, version 1: 3") == "cas a, version 1: 3"


def test_the_bar_says_what_it_shows():
    lab = transfer_lab("halves")
    moved(lab, "0s", "0s", "0s")
    assert 'aria-label="Where the money is: a: 3, b: 0, on its way: 7"' in lab.bank
    assert repr(lab) == "TransferLab: halves, open."
