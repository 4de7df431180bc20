"""The picture of the protocol on two levels: every event, what became of each transaction, and the moment."""

import re

from exactly_once import prove, show
from exactly_once.log import a_run, as_the_abstract_store, transaction_protocol


def test_the_moment_of_the_commit_is_marked():
    run = a_run(lives=1, transactions=1)
    drawn = show.two_levels(run)
    assert "event 10: the moment of the commit" in drawn.html
    assert list(drawn.table["event"]) == list(range(1, len(run)))
    assert list(drawn.table["what happens"]) == [name for name, _ in run[1:]]
    words = list(drawn.table["1.1"])
    assert words[8:10] == ["can still go either way", "is committed, whatever comes"]
    assert list(drawn.table["output-0 shows"])[-3:] == ["1.1", "1.1", "1.1"]


def test_each_transaction_has_its_bar():
    run = a_run(("incarnation 1 adds output-0 to 1.1", "incarnation 1 is stalled"), pauses=1, transactions=1)
    drawn = show.two_levels(run)
    assert re.findall(r"transaction (\d\.\d)<", drawn.html) == ["1.1", "2.1"]
    assert drawn.html.count("the moment of the commit") == 1
    assert drawn.table["1.1"].iloc[-1] == "will never be committed"


def test_a_counterexample_says_what_no_store_does():
    handler = transaction_protocol(mutant="last stable offset too high", lives=1)
    found = prove(handler, items=1, crashes=0, invariant=as_the_abstract_store).counterexample
    drawn = show.two_levels(found)
    assert "Not what a transactional store does.</strong> Readers see 1.1 in output-0" in drawn.html
    assert "the moment of the commit" not in drawn.html


def test_late_requests_and_deaths_are_drawn():
    run = a_run(
        (
            "incarnation 1 writes 1.1 to output-0; the request is late",
            "incarnation 1 asks to abort",
            "the late request arrives",
        ),
        protocol=1, lives=1, late_records=1,
    )  # fmt: skip
    html = show.two_levels(run).html
    assert html.count("✖ late<") == 1
    assert ">late<" in html
    died = show.two_levels(a_run(("the broker that leads output-1 dies",), lives=1, deaths=1)).html
    assert ">dies<" in died


def test_the_possible_stores_become_two_when_an_answer_is_lost_and_one_when_a_reader_looks():
    lost = "incarnation 1 asks to commit 1.1; the answer is lost"
    run = a_run((lost, "the coordinator dies"), lives=1, transactions=1, lost_replies=1, deaths=1)
    drawn = show.two_levels(run, stores=True)
    happens, possible = (list(drawn.table[name]) for name in ("what happens", "possible stores"))
    at, seen = happens.index(lost), drawn.table["position"].tolist().index(1)
    assert seen == at + 2
    assert possible == ["nothing"] * at + ["nothing or 1.1"] * 2 + ["1.1"] * (len(run) - 1 - seen)
    assert drawn.html.count(">possible<") == drawn.html.count(">the only one<") == 2
    assert f"no longer, after {seen + 1}. the coordinator writes the commit marker" in drawn.html
    assert "none is left" not in drawn.html
