"""The picture of the protocol on two levels: every event, and the stores that are possible."""

from exactly_once import prove, show
from exactly_once.log import a_run, as_the_abstract_store, transaction_protocol


def test_the_store_changes_where_the_commit_is_decided():
    run = a_run(lives=1, transactions=1)
    drawn = show.two_levels(run)
    assert list(drawn.table["event"]) == list(range(1, len(run)))
    assert list(drawn.table["what happens"]) == [name for name, _ in run[1:]]
    assert list(drawn.table["possible stores"])[8:10] == ["nothing", "1.1"]
    assert list(drawn.table["output-0 shows"])[-3:] == ["1.1", "1.1", "1.1"]


def test_a_counterexample_says_what_no_store_does():
    handler = transaction_protocol(mutant="last stable offset too high", lives=1)
    found = prove(handler, items=1, crashes=0, invariant=as_the_abstract_store).counterexample
    drawn = show.two_levels(found)
    assert "Not what a transactional store does.</strong> Readers see 1.1 in output-0" in drawn.html


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
    drawn = show.two_levels(run)
    happens, possible = (list(drawn.table[name]) for name in ("what happens", "possible stores"))
    at, seen = happens.index(lost), drawn.table["position"].tolist().index(1)
    assert seen == at + 2
    assert possible == ["nothing"] * at + ["nothing or 1.1"] * 2 + ["1.1"] * (len(run) - 1 - seen)
    assert drawn.html.count(">possible<") == drawn.html.count(">the only one<") == 2
    assert f"no longer, after {seen + 1}. the coordinator writes the commit marker" in drawn.html
    assert "none is left" not in drawn.html
