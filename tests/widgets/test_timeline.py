"""The transaction timeline: its stories on the course's log, any steps in any order, its picture."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactly_once.errors import BadInput
from exactly_once.widgets import TimelineModel, transaction_timeline
from exactly_once.widgets.timeline.timeline_model import CODES, PROTOCOLS, hanging
from exactly_once.widgets.timeline.timeline_steps import PRODUCERS, STORIES
from exactly_once.widgets.timeline.timeline_widget import fragments


def at_end(story):
    model = TimelineModel(story)
    model.do("go", str(len(model.state.way)))
    return model


def read(model):
    """Return the records visible under read_committed, and under read_uncommitted."""
    rows, _ = model.world.partition()
    records = [row for row in rows if row.kind == "record"]
    return " ".join(row.name for row in records if row.seen), " ".join(row.name for row in records)


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


@pytest.mark.parametrize("wrong", ["no-such-story", "tt1-1-1b-AAAA", None, 7])
def test_a_wrong_story_is_refused(wrong):
    with pytest.raises(BadInput):
        transaction_timeline(wrong)


steps_of_a_timeline = st.lists(st.sampled_from(sorted(CODES)), max_size=25)


@settings(max_examples=60, deadline=None)
@given(steps_of_a_timeline, st.sampled_from(sorted(PROTOCOLS)))
def test_whatever_is_done_the_log_keeps_its_promises_and_the_picture_is_drawn(codes, protocol):
    model = TimelineModel()
    model.do("protocol", protocol)
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
    events = model.world.events
    model.do("go", "0")
    model.do("go", str(len(model.state.way)))
    assert model.world.events == events
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
