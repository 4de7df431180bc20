"""The transaction timeline: its stories on the course's log, any steps in any order, its picture, its tokens."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactly_once.errors import BadInput
from exactly_once.widgets import TimelineModel, transaction_timeline
from exactly_once.widgets.timeline.model import CODES, PROTOCOLS, hanging, verdict
from exactly_once.widgets.timeline.steps import PRODUCERS, STORIES
from exactly_once.widgets.timeline.widget import fragments


def played(steps, protocol="classic"):
    """Return the model after steps such as "1b 1s t"; each of them has to be possible."""
    model = TimelineModel(protocol=protocol)
    for code in steps.split():
        model.do("step", code)
        assert model.state.error is None, f"{code}: {model.state.error.message}"
    return model


def at_end(story):
    model = TimelineModel(story)
    model.do("go", str(len(model.state.way)))
    return model


def read(model):
    """Return the records visible under read_committed, and under read_uncommitted."""
    rows, _ = model.world.partition()
    records = [row for row in rows if row.kind == "record"]
    return " ".join(row.name for row in records if row.seen), " ".join(row.name for row in records)


def headline(model):
    return verdict(model.world)[1]


def errors(model):
    return [event.error for event in model.world.events if event.error]


@pytest.mark.parametrize(
    ("story", "committed", "uncommitted", "stable", "end"),
    [
        ("commit", "a1 a2", "a1 a2", 3, 3),
        ("abort", "a1", "a1 a2 a1", 5, 5),
        ("zombie", "a1", "a1 a1", 4, 4),
        ("stalled", "a1 a2 b1 b2", "a1 a2 b1 a3 b1 a4 b2", 11, 11),
        ("coordinator", "a1 a2", "a1 a2", 3, 3),
        ("hanging", "", "a1 a2 b1", 2, 5),
        ("kip-890", "b1", "a1 b1", 4, 4),
    ],
)
def test_each_story_ends_as_its_log_says(story, committed, uncommitted, stable, end):
    model = at_end(story)
    assert read(model) == (committed, uncommitted)
    assert (model.world.stable, model.world.high_watermark) == (stable, end)
    assert "left out" not in errors(model), "each of its steps is possible"
    for name in PROTOCOLS:
        model.do("protocol", name)
        assert model.state.error is None
        assert len(model.state.way) == model.state.at, "the same steps under the other protocol"


@pytest.mark.parametrize(
    ("story", "at", "said"),
    [
        ("commit", 0, "Nothing is open."),
        ("commit", 5, "P1 has committed: records and position at once."),
        ("abort", 4, "P1 has aborted."),
        ("zombie", 3, "P1 has stalled with its transaction open."),
        ("zombie", 4, "The new incarnation of P1 fences the old one."),
        ("zombie", 7, "The zombie is fenced: INVALID_PRODUCER_EPOCH."),
        ("stalled", 18, "P2 has committed, and no read_committed consumer sees it."),
        ("stalled", 23, "P1’s transaction was aborted by time-out at 80 s."),
        ("stalled", 24, "P1 believes that its transaction is open."),
        ("stalled", 25, "P1 is fenced: INVALID_PRODUCER_EPOCH."),
        ("stalled", 26, "P1 is fenced: PRODUCER_FENCED."),
        ("coordinator", 6, "P1’s commit is decided, and not yet seen."),
        ("hanging", 10, "A hanging transaction: no time-out will end it."),
        ("kip-890", 6, "The late a2 is refused, and nothing hangs."),
    ],
)
def test_the_sentence_on_top_says_what_matters(story, at, said):
    model = TimelineModel(story)
    model.do("go", str(at))
    assert headline(model) == said


def test_a_stalled_transaction_blocks_everybody_for_as_long_as_was_foretold():
    model = played("1b 1s 1z 2b 2s 2o 2c")
    assert read(model) == ("", "a1 b1")
    ends = model.world.forecast()["P1"]
    assert f"aborts it in {ends - model.world.now:.0f} s" in verdict(model.world)[2]
    while model.world.now + 10 < ends:
        model.do("step", "t")
        assert read(model)[0] == ""
    model.do("step", "t")
    assert read(model)[0] == "b1"
    assert model.world.transactions[0].decided == ends


def test_who_commits_without_positions_does_it_again_after_a_restart():
    model = played("1b 1s 1c 1k 1r 1b 1s 1o 1c")
    assert read(model)[0] == "a1 a1"
    assert headline(model) == "a1 is read twice by read_committed."
    assert read(played("1b 1s 1o 1c 1k 1r 1b 1s 1o 1c"))[0] == "a1 a2"


def test_positions_are_pending_until_the_commit_and_gone_with_an_abort():
    assert played("1b 1s 1s 1o").world.positions("P1") == (0, 2)
    assert played("1b 1s 1s 1o 1c").world.positions("P1") == (2, None)
    aborted = played("1b 1s 1s 1o 1a").world
    assert aborted.positions("P1") == (0, None)
    assert aborted.life("P1").position == 0, "it has sought back"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_asks_while_there_is_no_coordinator_is_answered_when_it_is_back(protocol):
    model = played("1b 1s d 1c", protocol)
    assert headline(model) == "P1 gets no further: COORDINATOR_NOT_AVAILABLE."
    assert model.world.life("P1").asks == "commit"
    for _ in range(8):
        model.do("step", "t")
    assert read(model)[0] == "", "without coordinator nothing ends, and nothing times out"
    model.do("step", "u")
    assert read(model)[0] == "a1"
    assert model.world.life("P1").state == "READY"


def test_a_decision_outlives_the_coordinator_and_a_new_life_waits_for_its_markers():
    model = played("1b 1s 1o h 1c d u 1k 1r")
    assert model.world.entry("P1").state == "PrepareCommit"
    assert headline(model) == "P1 has to wait: CONCURRENT_TRANSACTIONS."
    model.do("step", "m")
    assert read(model)[0] == "a1"
    assert (model.world.life("P1").state, model.world.life("P1").position) == ("READY", 1)
    assert model.world.coordinator.epoch > 0


def test_a_late_record_of_the_classic_protocol_can_join_the_next_transaction():
    model = played("1b 1s 1l 1a 1n 1b 1s 1c")
    assert headline(model) == "a2 is read, although aborted."
    assert read(model)[0] == "a2 a1"
    model.do("protocol", "KIP-890")
    assert read(model)[0] == "a1"


def test_what_cannot_be_done_is_refused_with_a_sentence_and_changes_nothing():
    model = played("1b")
    told = len(model.world.events)
    for code, sentence in {
        "1b": "P1 has a transaction open already; end it first.",
        "2c": "P2 has no transaction open; begin one first.",
        "2s": "P2 has no transaction open; begin one first.",
        "1n": "No request of P1 is late.",
        "1r": "P1 runs; kill it or stall it first.",
        "1w": "P1 is not stalled.",
        "u": "The coordinator is alive.",
        "m": "No markers are held.",
        "3b": "'3b' is no step of the timeline; P1’s are 1 and a letter of b, s, l, n, o, c, a, k, r, z, w.",
    }.items():
        model.do("step", code)
        assert model.state.error.message == sentence
    assert (len(model.world.events), model.state.way) == (told, ("1b",))


def test_a_token_brings_everything_back():
    model = played("1b 1s 1z t", "KIP-890")
    again = TimelineModel(model.token)
    assert again.world.events == model.world.events
    assert (again.state.protocol, again.state.way, again.state.at) == (2, ("1b", "1s", "1z", "t"), 4)
    assert transaction_timeline(model.token).token == model.token


@pytest.mark.parametrize(
    ("token", "why"),
    [
        ("", "There is no token"),
        ("tt1-1-1b1s-XXXX", "a character is missing or wrong"),
        ("ep2-simulated-", "a character is missing or wrong"),
    ],
)
def test_a_wrong_token_is_refused_in_its_field(token, why):
    model = played("1b")
    model.do("token", token)
    assert why in model.state.refused["token"][1]
    assert model.state.way == ("1b",)
    model.do("token", played("2b").token)
    assert (model.state.refused, model.state.way) == ({}, ("2b",))


@pytest.mark.parametrize("wrong", ["no-such-story", "tt1-1-1b-AAAA", None, 7])
def test_a_wrong_story_is_refused(wrong):
    with pytest.raises(BadInput):
        transaction_timeline(wrong)
    with pytest.raises(BadInput, match="classic"):
        transaction_timeline(protocol="v3")


def test_an_own_step_in_the_middle_of_a_story_leaves_it():
    model = TimelineModel("commit")
    model.do("go", "2")
    model.do("step", "1s")
    assert model.state.story == "commit", "it was the next step anyway"
    assert model.words.startswith("It adds its position")
    model.do("step", "t")
    assert (model.state.story, model.state.way, model.words) == ("own", ("1b", "1s", "1s", "t"), "")
    model.do("clear")
    assert (model.state.way, model.world.high_watermark) == ((), 0)


steps_of_a_timeline = st.lists(st.sampled_from(sorted(CODES)), max_size=25)


@settings(max_examples=60, deadline=None)
@given(steps_of_a_timeline, st.sampled_from(sorted(PROTOCOLS)))
def test_whatever_is_done_the_log_keeps_its_promises_and_the_picture_is_drawn(codes, protocol):
    model = TimelineModel(protocol=protocol)
    for code in codes:
        model.do("step", code)
        assert model.state.error is None or model.state.error.expected, model.state.error
        world = model.world
        assert 0 <= world.stable <= world.high_watermark
        rows, spans = world.partition()
        assert all(row.offset < world.stable for row in rows if row.seen), "read_committed reads below it"
        if protocol == "KIP-890":
            assert not any(row.seen and row.meant == "abort" for row in rows)
            assert hanging(world, spans) is None, "and nothing hangs"
    drawn = fragments(model, 900)
    ElementTree.fromstring(re.sub("<!--.*?-->", "", drawn["picture"]))
    assert len(drawn["picture"]) < 100_000
    again = TimelineModel(model.token)
    assert again.world.events == model.world.events
    again.do("go", "0")
    again.do("go", str(len(model.state.way)))
    assert again.world.events == model.world.events
    for owner in PRODUCERS:
        assert f"eo-{owner.lower()}" in drawn["producers"]


@pytest.mark.parametrize("story", STORIES)
def test_every_moment_of_a_story_is_drawn_within_its_width_and_told_as_a_table(story):
    model = TimelineModel(story)
    for at in range(len(model.state.way) + 1):
        model.do("go", str(at))
        for width in (480, 900, 1300):
            drawn = fragments(model, width)
            root = ElementTree.fromstring(drawn["picture"])
            wide = float(root.get("width"))
            for text in root.iter("{http://www.w3.org/2000/svg}text"):
                if "transform" not in (text.get("style") or "") and text.get("text-anchor") != "end":
                    assert 0 <= float(text.get("x")) <= wide or text.get("x").startswith("-")
        assert drawn["folds"].count("<tr>") > len(model.world.events), "a row for each event, and the head"
