"""Sentences of the articles: each broken by its simplest schedule as it stands, and each repair proved."""

import html
import itertools
from dataclasses import replace

import pytest

from exactly_once import show
from exactly_once.articles import CASES, broken, flaws
from exactly_once.articles.cases import HEADINGS, ORIGINS
from exactly_once.errors import BadInput
from exactly_once.explore import replay
from exactly_once.lockfree.queue import EMPTIED

SUBJECTS = [case.subject for case in CASES]
SENTENCES = {
    "a compare-and-swap that is repeated": "the account holds 17, and 7 and 5 were deposited",
    "a consumer that advances first": "the index is 1 and the counter 0: a message was skipped",
    "a message that counts as none": "the index is 1 and the counter 0: a message was skipped",
    "the order of concurrent events": "copy 3 says eight, copy 4 says seven",
    "one watermark for each producer": "partition 1 holds 0 records, and 1 was sent and acknowledged",
    "updates that overwrite": "the key has the value 1, and should have 2",
    "the position beside the effect": "the counter is 2, for 1 message",
    "the early return": "node 1 waits to acquire lock a, which node 2 holds; node 2 waits to acquire lock b",
    "push, made again": "the average of hour 1 is in the output more than once",
    "retention that deletes": "'b' lies at the index 0, and readers begin at 1: a ghost",
    "a stale look for an empty cell": "7 was lost",
    "a stale comparison": "7 is in the queue 2 times",
    "equal values of two handlers": "7 was lost",
    "outputs that are empty": "IndexError: list index out of range",
    "the database handler": "the counter was moved 2 times for 1 message",
    "two identical values at one index": "the average of hour 1 is in the output more than once",
    "a late read of the inputs": "TypeError",
    "retention that forgets the value": "2 cells of the output were filled, for 1 record",
    "a machine that is reset": "the output is [1], and should be [1, 1]",
    "two handlers of one name": "the output holds [2], and should hold [2, 2]",
}


@pytest.fixture(scope="module")
def found():
    return flaws()


@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_sentence_is_broken_and_the_repair_proved(found, subject):
    flaw = found[subject]
    assert SENTENCES[subject] in flaw.counterexample.sentence
    assert flaw.repaired.ok, str(flaw.repaired)
    assert not flaw.repaired.warnings, "a repair that leaves nothing, or is right in several ways, proves little"
    assert flaw.found


@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_token_replays_the_schedule(found, subject):
    flaw = found[subject]
    again = replay(flaw.counterexample.token, flaw.case.breaks.handlers)
    assert again.run.outcome == flaw.counterexample.run.outcome
    assert again.run.error == flaw.counterexample.run.error


@pytest.mark.parametrize("subject", ["equal values of two handlers", "a machine that is reset"])
def test_a_stalled_node_is_needed(found, subject):
    steps = found[subject].counterexample.schedule
    changes = sum(one.actor != other.actor for one, other in itertools.pairwise(steps))
    assert changes >= 2, "a node stops, another goes on, and the first one wakes up"


def test_an_index_that_is_written_blindly_stands_every_crash_and_no_pause(found):
    question = found["the position beside the effect"].case.breaks
    assert replace(question, faults={"crashes": 2}).prove().ok


def test_all_of_them_stand_on_one_page(found):
    picture = show.flaws(found)
    assert [name.partition("<")[0] for name in picture.html.split('<th scope="row"><strong>')[1:]] == SUBJECTS
    for flaw in found:
        assert flaw.counterexample.token in picture.html
        assert flaw.counterexample.sentence.split("'")[0][:40] in picture.html
    assert picture.html.count("✗") == picture.html.count("✓ ") + picture.html.count("✓<") == len(SUBJECTS)
    assert "<code>next_index</code>" in picture.html
    assert found._repr_html_()


def test_each_sentence_has_a_heading_and_comes_from_somewhere(found):
    assert [case.heading for case in CASES] == sorted((case.heading for case in CASES), key=HEADINGS.index)
    assert SUBJECTS[0] == "a compare-and-swap that is repeated"
    page = show.flaws(found).html
    for case in CASES:
        assert case.origin in ORIGINS
        assert bool(case.origin) == bool(case.quote) == bool(case.place) == bool(case.article)
        assert len(case.quote.split()) <= 20, "a quotation is short"
        assert html.escape(case.quote) in page
    assert page.count('scope="rowgroup"') == len(HEADINGS)


@pytest.mark.parametrize("case", [case for case in CASES if case.quote], ids=lambda case: case.subject)
def test_a_passage_that_is_lost_is_said_to_be_reconstructed(case):
    assert (case.origin == "reconstructed") == ("stale" in case.subject)


def test_a_row_that_is_not_decided_says_so():
    (flaw,) = flaws(["the database handler"])
    undecided = type(flaw)(flaw.case, flaw.case.holds.prove(state_limit=5), flaw.case.holds.prove(state_limit=5))
    assert not undecided.found
    page = show.flaws(type(flaws([]))([undecided]))
    assert page.html.count("Nothing failed so far") == 2
    assert "✓" not in page.html


def test_some_can_be_asked_for():
    few = flaws(["the early return", "the database handler"])
    assert [flaw.case.subject for flaw in few] == ["the early return", "the database handler"]
    assert few[0] is few["the early return"]
    assert few.seconds > 0
    with pytest.raises(
        BadInput, match="The subject is 'the weather'; it is one of: a compare-and-swap that is repeated"
    ):
        flaws(["the weather"])
    with pytest.raises(BadInput, match="The subject is 'retention'"):
        few["retention"]


class Seen:
    """A view of a store's parts, for invariants that are asked about what they should refuse."""

    def __init__(self, parts, outputs=(), done=True, registers=()):
        self.parts, self.outputs, self.done, self.registers = parts, list(outputs), done, dict(registers)
        self.counter = 1

    def look(self, store, part, kind):
        return self.parts.get(part, [] if kind == "log" else None)


@pytest.mark.parametrize(
    ("invariant", "view", "said"),
    [
        (broken.in_each_partition, Seen({"partition 0": ["record 0"] * 2}), "partition 0 holds 2 records"),
        (broken.outputs(2, 4), Seen({}, [4], done=False), "the output is [4], and should be [2, 4]"),
        (broken.outputs(2, 4), Seen({}, [2]), "the output is [2], and should be [2, 4]"),
        (broken.each_once(2, 2), Seen({}, [2, 2, 2]), "the output holds [2, 2, 2]"),
        (broken.newest_stays, Seen({"key": 1}), "the key has the value 1"),
        (broken.at_most(1), Seen({}, [{EMPTIED: ""}, 2], done=False), "2 cells of the output were filled"),
        (broken.deposited, Seen({}, registers={"number": 7}), "the account holds 7, and 7 and 5 were deposited"),
        (broken.none_skipped, Seen({"index": 2}), "the index is 2 and the counter 1"),
        (broken.counted(2), Seen({"handler": ["HANDLING", 1, {}]}), "the state is 1, and should be 2"),
        (broken.copies_agree, Seen({"copy 3": [1, "ann", "six"], "copy 4": [1, "bob", "ten"]}), "copy 3 says six"),
    ],
)
def test_each_invariant_refuses_what_is_wrong(invariant, view, said):
    assert said in invariant(view)


@pytest.mark.parametrize("nonsense", [None, 3, []])
def test_what_is_no_such_page_is_refused(nonsense):
    with pytest.raises(BadInput, match=r"give a table such as flaws\(\) returns"):
        show.flaws(nonsense)
