"""Sentences of the articles: each broken by its simplest schedule as it stands, and each repair proved."""

import html
import itertools

import pytest

from exactly_once import show
from exactly_once.claims import flaws
from exactly_once.errors import BadInput
from exactly_once.explore import replay

SENTENCES = {
    "a compare-and-swap that is repeated": "the account holds 17, and 7 and 5 were deposited",
    "one watermark for each producer": "the partitions hold [1, 0] records, and 1 was sent to each",
    "equal values of two handlers": "7 was lost",
    "a consumer that advances first": "the index is 1 and the counter 0: a message was skipped",
    "a message that counts as none": "the index is 1 and the counter 0: a message was skipped",
    "the early return": "node 1 waits to acquire lock a, which node 2 holds; node 2 waits to acquire lock b",
    "outputs that are empty": "IndexError: list index out of range",
    "the database handler": "the counter was moved 2 times for 1 message",
    "a machine that is reset": "the output is [1], and should be [1, 1]",
    "a stale look for an empty cell": "7 was lost",
    "a stale comparison": "7 is in the queue 2 times",
    "retention that deletes": "'b' lies at the index 0, and readers begin at 1: a ghost",
    "a late read of the inputs": "TypeError",
    "retention that forgets the value": "2 cells of the output were filled, for 1 record",
    "the order of concurrent events": "copy 3 says eight, copy 4 says seven",
    "push, made again": "the average of hour 1 is in the output more than once",
    "two handlers of one name": "the output is [2], and should be [2, 2]",
}


@pytest.fixture(scope="module")
def found():
    return flaws()


def test_each_sentence_is_broken_and_its_repair_proved(found):
    assert list(found) == list(SENTENCES)
    for subject, said in SENTENCES.items():
        flaw = found[subject]
        assert said in flaw.counterexample.sentence, subject
        assert flaw.repaired.ok, str(flaw.repaired)
        assert not flaw.repaired.warnings, "a repair that leaves nothing, or is right in several ways, proves little"


def test_each_token_replays_its_schedule(found):
    for subject, flaw in found.items():
        (handlers,) = flaw.case.breaks.args
        again = replay(flaw.counterexample.token, handlers)
        assert again.run.outcome == flaw.counterexample.run.outcome, subject
        assert again.run.error == flaw.counterexample.run.error, subject


@pytest.mark.parametrize("subject", ["equal values of two handlers", "a machine that is reset"])
def test_a_stalled_node_is_needed(found, subject):
    steps = found[subject].counterexample.schedule
    changes = sum(one.actor != other.actor for one, other in itertools.pairwise(steps))
    assert changes >= 2, "a node stops, another goes on, and the first one wakes up"


def test_all_of_them_stand_on_one_page_with_their_source(found):
    picture = show.flaws(found)
    assert [words.partition(" article ")[0].partition(" the course,")[0] for words in picture.table["about"]] == list(
        SENTENCES
    )
    for flaw in found.values():
        case = flaw.case
        assert flaw.counterexample.token in picture.html
        assert flaw.counterexample.sentence.split("'")[0][:40] in picture.html
        assert bool(case.origin) == bool(case.quote) == bool(case.place) == bool(case.article)
        assert len(case.quote.split()) <= 20, "a quotation is short"
        assert html.escape(case.quote) in picture.html
        assert (case.origin == "reconstructed") == ("stale" in case.subject), "the passage is lost"
    assert picture.html.count("✗") == picture.html.count("✓ ") + picture.html.count("✓<") == len(SENTENCES)
    assert picture.html.count('scope="rowgroup"') == 5, "each kind of failure has one heading"
    assert "<code>next_index</code>" in picture.html
    assert found._repr_html_()


def test_a_row_that_is_not_decided_says_so(found):
    case = found["the database handler"].case
    flaw = type(found["the database handler"])(case, case.holds(state_limit=5), case.holds(state_limit=5))
    page = show.flaws(type(found)({case.subject: flaw}))
    assert page.html.count("Nothing failed so far") == 2
    assert "✓" not in page.html


def test_a_subject_that_is_not_there_is_refused(found):
    with pytest.raises(BadInput, match="The subject is 'retention'; it can be a compare-and-swap that is repeated"):
        found["retention"]


@pytest.mark.parametrize("nonsense", [None, 3, []])
def test_what_is_no_such_page_is_refused(nonsense):
    with pytest.raises(BadInput, match=r"give a table such as flaws\(\) returns"):
        show.flaws(nonsense)
