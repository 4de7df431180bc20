"""A proof on the screen: verdict, states, seconds, bounds; and its counterexample, told, drawn and as a token."""

from IPython.core.formatters import HTMLFormatter

from exactly_once import prove, show
from exactly_once.handlers import STAGES, Bank, at_least_once, in_one_transaction
from exactly_once.lockfree import hourly_means


def test_a_broken_handler_is_shown_with_its_simplest_schedule():
    found = prove(at_least_once, items=2, crashes=1)
    html = show.proof(found)._repr_html_()
    assert "✗ Broken." in html
    assert "eo-is-bad" in html
    assert found.counterexample.sentence in html
    assert all(line in html for line in found.counterexample.explanation)
    assert found.counterexample.token in html
    assert "<svg" in html
    assert "SIGKILL at C" in html
    assert "1 node, 2 items, 1 crash" in html
    assert f"{found.states:,}, up to the first" in html


def test_the_whole_is_drawn_with_those_that_read_nothing():
    bank = Bank(STAGES["ordered"], [[("a", "b", 7)]], auditor=in_one_transaction)
    found = prove(bank.programs, invariant=bank.audits_right, crashes=0)
    part = show.spacetime_picture(found.counterexample, width=300)
    whole = show.proof(found, whole=True)._repr_html_()
    assert part.count("<rect") < whole.count("<rect")
    assert "auditor, incarnation 2" in whole
    assert "mover1, incarnation 1" in whole
    assert "2 nodes, 1 item, no fault" in whole  # the mover's orders, and not the items of a job


def test_a_proved_handler_says_how_much_was_covered():
    found = prove(hourly_means, nodes=1, items=2, crashes=1)
    html = show.proof(found)._repr_html_()
    assert "✓ Proved: no violation within these bounds." in html
    assert "The bounds are 1 node, 2 items, 1 crash;" in html
    assert f"{found.states:,}, all of them" in html
    assert "Token" not in html
    assert "<svg" not in html
    assert str(found) == repr(show.proof(found))


def test_a_search_that_was_cut_short_is_no_proof():
    html = show.proof(prove(hourly_means, nodes=2, items=2, state_limit=50))._repr_html_()
    assert "– Not proved." in html
    assert "eo-is-none" in html
    assert "Proved within" not in html


def test_what_a_handler_says_cannot_become_html():
    def rude(node):
        while node.running():
            _, after = node.read(node.start)
            node.output.push("<script>alert(1)</script>")
            node.positions.save(after)

    rude.__name__ = "<b>rude</b>"
    html = show.proof(prove(rude, items=1))._repr_html_()
    assert "<script" not in html
    assert "<b>rude" not in html


def test_a_proof_at_the_end_of_a_cell_is_the_same_picture():
    found = prove(at_least_once, items=2)
    html = HTMLFormatter()(found)
    assert html == show.proof(found)._repr_html_()
    assert "eo-proof" in html
    assert repr(found) == str(found)
