"""The picture of the protocol in two storeys: every event, what became of each transaction, and the moment."""

import re

import pytest

from exactly_once import show
from exactly_once.errors import BadInput
from exactly_once.explore import prove
from exactly_once.handlers.transaction_protocol import a_run, as_the_abstract_store, transaction_protocol


def test_the_moment_of_the_commit_is_marked():
    run = a_run(lives=1, transactions=1)
    drawn = show.two_storeys(run)
    assert "event 10: the moment of the commit" in drawn.html
    assert list(drawn.table["event"]) == list(range(1, len(run)))
    assert list(drawn.table["what happens"]) == [name for name, _ in run[1:]]
    words = list(drawn.table["1.1"])
    assert words[8:10] == ["can still go either way", "is committed, whatever comes"]
    assert list(drawn.table["output-0 shows"])[-3:] == ["1.1", "1.1", "1.1"]


def test_a_reader_can_be_left_to_place_it():
    drawn = show.two_storeys(a_run(lives=1, transactions=1), hidden=True)
    assert "the moment of the commit" not in drawn.html
    assert "at which event is it committed?" in drawn.html
    assert "1.1" not in drawn.table.columns
    assert "whatever comes" not in str(drawn)


def test_each_transaction_has_its_bar():
    run = a_run(("life 1 adds output-0 to 1.1", "life 1 is stalled"), pauses=1, transactions=1)
    drawn = show.two_storeys(run)
    assert re.findall(r"transaction (\d\.\d)<", drawn.html) == ["1.1", "2.1"]
    assert drawn.html.count("the moment of the commit") == 1
    assert drawn.table["1.1"].iloc[-1] == "will never be committed"


def test_a_counterexample_says_what_no_store_does():
    handler = transaction_protocol(mutant="last stable offset too high", lives=1)
    found = prove(handler, items=1, crashes=0, invariant=as_the_abstract_store).counterexample
    drawn = show.two_storeys(found)
    assert "Not what a transactional store does.</strong> Readers see 1.1 in output-0" in drawn.html
    assert "the moment of the commit" not in drawn.html
    assert "Not what" not in show.two_storeys(found, hidden=True).html


def test_late_requests_and_deaths_are_drawn():
    run = a_run(
        ("life 1 writes 1.1 to output-0; the request is late", "life 1 asks to abort", "the late request arrives"),
        protocol=1, lives=1, late_records=1,
    )  # fmt: skip
    html = show.two_storeys(run, hidden=True).html
    assert html.count('class="cross"') == 1
    assert ">late<" in html
    died = show.two_storeys(a_run(("the broker that leads output-1 dies",), lives=1, deaths=1), hidden=True).html
    assert ">dies<" in died


@pytest.mark.parametrize("nonsense", [None, "x", [], [("", 1)], 3], ids=str)
def test_what_is_no_run_is_refused(nonsense):
    with pytest.raises(BadInput, match="Give a counterexample of the transaction protocol, or a run"):
        show.two_storeys(nonsense)
