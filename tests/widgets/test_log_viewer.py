"""The log viewer's model: the words on each action, the stories, undo, and wrong input, which changes nothing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactly_once.errors import BadInput
from exactly_once.log import partition_for
from exactly_once.widgets import LogViewerModel, log_viewer
from exactly_once.widgets.base.error_view import error_html
from exactly_once.widgets.logs.state import MOST_RECORDS
from exactly_once.widgets.logs.stories import STORIES
from exactly_once.widgets.logs.view import fragments


def model(*steps, partitions="1", acks="all"):
    """A viewer after these steps, none of which may be refused."""
    made = LogViewerModel()
    for what, value in (("partitions", partitions), ("acks", acks), *steps):
        made.do(what, value)
        assert made.state.error is None, (what, value)
    return made


def last(made):
    """What was told last, as one text."""
    note = made.state.notes[-1]
    return " ".join((note.what, *note.then))


def values(made, broker, partition=0):
    replicas = made.snapshot["partitions"][partition]["replicas"]
    (replica,) = [each for each in replicas if each["broker"] == broker]
    return [record["value"] for record in replica["records"]]


def lost(made):
    return [one["value"] for partition in made.snapshot["partitions"] for one in partition["promises"] if one["lost"]]


@pytest.mark.parametrize("key", ["ann", "bob", "eva", "key 7", "ключ"])
def test_a_key_goes_to_its_partition_and_the_viewer_says_why(key):
    made = model(("send", key), partitions="3")
    place = partition_for(key, 3)
    assert f"goes to partition {place}: murmur2(“{key}”) is " in last(made)
    assert f"divided by 3 it leaves {place}." in last(made)
    assert [len(partition["replicas"][0]["records"]) for partition in made.snapshot["partitions"]] == [
        int(number == place) for number in range(3)
    ]


def test_acks_all_waits_until_the_followers_have_told_that_they_have_it():
    made = model(("send", "ann"))
    assert "Its producer waits until all in-sync replicas, 0, 1 and 2, have it" in last(made)
    made.do("replicate")
    assert "broker 1 copies r1." in last(made)
    assert "acknowledged" not in last(made)
    made.do("replicate")
    assert "the high watermark moves to 1: r1 is committed. r1 is acknowledged with acks=all." in last(made)


@pytest.mark.parametrize(
    ("acks", "promise", "kept"),
    [
        ("0", "nothing was promised", "No promise is broken"),
        ("1", "the leader alone had it", "The promise was about one broker"),
        ("all", "never acknowledged", "No promise is broken"),
    ],
)
def test_a_record_that_only_the_dead_leader_had_is_lost_with_the_promise_that_was_made(acks, promise, kept):
    made = model(("send", "ann"), ("kill", "0"), acks=acks)
    assert lost(made) == ["r1"]
    assert "✗ r1 is lost." in last(made)
    assert promise in last(made)
    assert kept in last(made)
    made.do("revive", "0")
    assert values(made, 0) == ["r1"], "it is on the old leader's disk still"
    made.do("catch_up")
    assert "broker 0 cuts r1 off its log" in last(made)
    assert values(made, 0) == []
    assert promise in fragments(made)["lost"]


def test_what_is_committed_survives_as_long_as_one_in_sync_replica_lives():
    made = model(("send", "ann"), ("catch_up", None), ("kill", "0"), ("kill", "1"))
    assert lost(made) == []
    assert "✓ Nothing that was acknowledged is lost: broker 2 has it." in last(made)
    made.do("kill", "2")
    assert "has no leader: no in-sync replica is alive" in last(made)
    made.do("read")
    assert "LEADER_NOT_AVAILABLE" in last(made)


def test_with_acks_0_nobody_hears_of_a_refusal():
    made = model(("kill", "0"), ("kill", "1"), ("kill", "2"), ("send", "ann"), acks="0")
    assert "No broker takes it, and with acks=0 nobody hears of that" in last(made)
    made.do("acks", "1")
    made.do("send", "ann")
    assert "refused: LEADER_NOT_AVAILABLE" in last(made)
    assert made.state.notes[-1].refused


def test_too_few_in_sync_replicas_refuse_acks_all():
    made = model(("min_insync", "2"), ("kill", "1"), ("kill", "2"), ("send", "ann"))
    assert "refused: NOT_ENOUGH_REPLICAS" in last(made)
    assert values(made, 0) == []
    made.do("acks", "1")
    made.do("send", "ann")
    assert values(made, 0) == ["r2"], "acks=1 asks the leader alone"


def test_the_consumer_sees_what_is_committed_and_a_lost_record_may_have_been_read():
    made = model(("send", "ann"), ("read", None))
    assert "There is nothing new" in last(made)
    for what, value in (("shrink", "0|1"), ("shrink", "0|2"), ("read", None)):
        made.do(what, value)
    assert "it reads r1" in last(made)
    assert made.state.positions == (1,)
    for what, value in (("kill", "0"), ("elect", "0|unclean"), ("read", None)):
        made.do(what, value)
    assert "OFFSET_OUT_OF_RANGE" in last(made)
    assert "The consumer has read it already." in fragments(made)["lost"]
    made.do("rewind")
    assert made.state.positions == (0,)


def test_followers_and_elections_by_hand_and_by_themselves():
    made = model(("replication", "auto"), ("send", "ann"))
    assert [values(made, broker) for broker in range(3)] == [["r1"]] * 3
    assert "acknowledged with acks=all" in last(made)
    made.do("pause", "2")
    made.do("send", "bob")
    assert values(made, 2) == ["r1"]
    assert made.snapshot["partitions"][0]["isr"] == [0, 1]
    made.do("elections", "manual")
    made.do("kill", "0")
    assert "has no leader: an election has to be called" in last(made)
    made.do("elect", "0|clean")
    assert "broker 1 is elected leader in epoch 1, from the in-sync replicas" in last(made)
    made.do("elect", "0|clean")
    assert "has a leader" in made.state.error.message


def test_unclean_elections_can_be_allowed_for_good():
    made = model(("unclean", None), ("shrink", "0|1"), ("shrink", "0|2"), ("kill", "0"))
    assert "broker 1 is elected leader in epoch 1, uncleanly" in last(made)


ENDS = {
    "leader-alone": (["r1"], "cuts r1 off its log"),
    "in-sync": ([], "it reads r1"),
    "unclean": (["r2"], "cuts r2 off its log"),
    "min-insync": ([], "Nothing that was acknowledged is lost"),
    "kip-101": (["r2"], "it reads r1"),
}


@pytest.mark.parametrize("story", STORIES)
def test_each_story_comes_to_its_end(story):
    made = LogViewerModel(story)
    for number, step in enumerate(STORIES[story].steps):
        assert made.next_step == step
        assert escaped(step[2]) in fragments(made)["ahead"]
        made.do("next")
        assert made.state.error is None
        assert len(made.state.notes) == number + 1
    assert made.next_step is None
    assert "The story ends here" in fragments(made)["ahead"]
    gone, words = ENDS[story]
    assert lost(made) == gone
    assert words in last(made)
    made.do("next")
    assert "There is no next step" in made.state.error.message
    made.do("reset")
    assert made.state.step == 0
    assert made.next_step == STORIES[story].steps[0]


@pytest.mark.parametrize("leave", [("story", "none"), ("partitions", "2"), ("story", "in-sync")])
def test_the_old_rule_of_truncation_is_left_with_its_story(leave):
    made = LogViewerModel("kip-101")
    for _ in range(6):
        made.do("next")
    assert "all that lies at or above its own high watermark" in last(made)
    assert made.log.truncation == "high watermark"
    made.do("undo")
    assert made.log.truncation == "high watermark"
    made.do(*leave)
    assert made.log.truncation == "leader epoch"


def escaped(text):
    return text.replace("'", "&#x27;")


def test_undo_takes_back_what_was_done_to_the_log_the_consumer_and_the_settings():
    made = model(("replication", "auto"), ("send", "ann"), ("read", None))
    before = made.snapshot
    for what, value in (("send", "bob"), ("kill", "0"), ("read", None), ("partitions", "3")):
        made.do(what, value)
    for _ in range(4):
        made.do("undo")
    assert made.snapshot == before
    assert made.state.positions == (1,)
    assert len(made.state.notes) == 3
    made.do("send", "bob")
    assert values(made, 2) == ["r1", "r2"], "followers fetch by themselves still"
    while made.done.past:
        made.do("undo")
    made.do("undo")
    assert "nothing to undo" in made.state.error.message


def test_the_tapes_do_not_grow_for_ever():
    made = model(*[("send", "k")] * MOST_RECORDS, acks="1")
    made.do("send", "k")
    assert f"{MOST_RECORDS} records were sent" in made.state.error.message


NONSENSE = [
    ("dance", None), ("send", "x" * 21), ("acks", "2"), ("acks", None), ("kill", "3"), ("kill", "-1"), ("kill", None),
    ("revive", "0"), ("pause", "x"), ("elect", "0"), ("elect", "0|clean"), ("elect", "9|clean"), ("fetch", "0"),
    ("fetch", "0|9"), ("fetch", "5|1"), ("shrink", "0|0"), ("shrink", "x|y"), ("partitions", "0"),
    ("partitions", "4"), ("min_insync", "4"), ("story", "nonsense"), ("story", None), ("next", None), ("undo", None),
    ("replication", "x"), ("elections", []),
]  # fmt: skip


@pytest.mark.parametrize(("what", "value"), NONSENSE)
def test_nonsense_is_told_and_changes_nothing(what, value):
    made = LogViewerModel()
    before, notes = made.snapshot, made.state.notes
    made.do(what, value)
    assert made.state.error
    assert "itself failed" not in error_html(made.state.error)
    assert (made.snapshot, made.state.notes, made.done.past) == (before, notes, [])
    assert "✗" in error_html(made.state.error) or made.state.refused


def test_a_story_that_there_is_not_is_refused():
    with pytest.raises(BadInput, match="leader-alone"):
        log_viewer("nonsense")


STEPS = st.one_of(
    st.tuples(st.just("send"), st.sampled_from(["ann", "bob", ""])),
    st.tuples(st.just("acks"), st.sampled_from(["0", "1", "all"])),
    st.tuples(st.sampled_from(["kill", "revive", "pause", "resume"]), st.sampled_from("012")),
    st.tuples(st.sampled_from(["fetch", "shrink"]), st.sampled_from(["0|0", "0|1", "0|2"])),
    st.tuples(st.just("elect"), st.just("0|clean")),
    st.tuples(st.sampled_from(["replication", "elections"]), st.sampled_from(["manual", "auto"])),
    st.tuples(st.sampled_from(["replicate", "catch_up", "read", "rewind", "undo"]), st.none()),
)


@given(st.lists(STEPS, max_size=20))
def test_whatever_is_done_no_committed_record_is_lost_and_undo_leads_back(steps):
    made = model()
    began = made.snapshot
    for what, value in steps:
        before = made.snapshot
        made.do(what, value)
        assert "itself failed" not in error_html(made.state.error)
        assert not made.state.error or made.snapshot == before
        promises = made.snapshot["partitions"][0]["promises"]
        assert not [one for one in promises if one["lost"] and one["promise"] == "committed"]
        shown = fragments(made)
        for one in promises:
            if one["lost"]:
                assert f"✗ {one['value']}" in shown["lost"] + shown["says"]
    while made.done.past:
        made.do("undo")
    assert made.snapshot["partitions"][0]["promises"] == began["partitions"][0]["promises"] == []


def test_the_screen_follows_the_model_and_escapes_what_is_typed():
    shown = log_viewer()
    assert repr(shown) == "Log viewer: an empty log."
    shown._heard(None, {"do": "send", "value": "<b>x</b>"}, None)
    for region in (shown.partitions, shown.says, shown.table, shown.notes):
        assert "<b>x" not in region
    assert "&lt;b&gt;x" in shown.partitions
    assert re.search(r"Log viewer: r1 with key", repr(shown))
    for nonsense in (None, "x", {"do": 3}, {"do": "kill", "value": {}}):
        shown._heard(None, nonsense, None)
        assert "itself failed" not in shown.error
