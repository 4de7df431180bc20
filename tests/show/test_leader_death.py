"""The picture of a leader's death: its verdict, its timeline, and what is in each file."""

import re
from dataclasses import replace

import pytest

from exactly_once import show
from exactly_once.errors import BadInput
from exactly_once.log.network.client import Answer
from exactly_once.log.network.leader_death import LeaderDeath, Moment

TIMELINE = (
    Moment(0.9, "broker 0", "started as process 10", "starts"),
    Moment(1.0, "broker 0", "leads, in epoch 0", "leads"),
    Moment(1.1, "broker 0", "dies by SIGKILL", "dies"),
    Moment(1.6, "controller", "elects broker 1; in sync are [1, 2]", "elects"),
    Moment(1.6, "broker 1", "leads, in epoch 1", "leads"),
    Moment(1.9, "broker 0", "started as process 20", "starts"),
    Moment(2.0, "broker 0", "cuts its log back from offset 3 to 2, where the leader's begins to differ", "cuts"),
)
LOST = LeaderDeath(
    acks=1,
    moment="appended",
    at=3,
    records=5,
    idempotent=False,
    acknowledged=(1, 2, 3, 4, 5),
    readable=(1, 2, 4, 5),
    logs={0: (1, 2, 3), 1: (1, 2, 4, 5), 2: (1, 2, 4, 5)},
    came_back=(1, 2, 4, 5),
    attempts=tuple(Answer(1.05 + number / 50, number, "acknowledged", 0) for number in range(1, 6)),
    timeline=TIMELINE,
    leader_before=0,
    leader_after=1,
    leaderless=0.5,
    pids={"broker 0": 10, "broker 1": 11, "broker 2": 12, "producer": 13},
    seconds=2.1,
)
ALL = (1, 2, 3, 4, 5)
TWICE = replace(LOST, acks="all", readable=(1, 2, 3, 3, 4, 5), logs=dict.fromkeys(range(3), (1, 2, 3, 3, 4, 5)))
KEPT = replace(LOST, acks="all", readable=ALL, logs=dict.fromkeys(range(3), ALL), came_back=ALL)
UNHEARD = replace(LOST, acks=0, acknowledged=())


@pytest.mark.parametrize(
    ("run", "sentence"),
    [
        (LOST, "✗ Acknowledged and lost: record 3."),
        (TWICE, "✗ There twice: record 3."),
        (UNHEARD, "✗ Sent and not there, and nobody was told: record 3."),
        (KEPT, "✓ All that was acknowledged is there, once."),
    ],
    ids=["lost", "twice", "unheard", "kept"],
)
def test_the_verdict_comes_first(run, sentence):
    picture = show.leader_death(run)
    assert f"<strong>{sentence}</strong>" in picture.html
    assert ("eo-is-good" in picture.html) == (run is KEPT)
    assert repr(picture) == repr(run) == str(run)


def cells(html):
    """Return the rows of the table of files, each as its name and its cells."""
    table = html[html.index('<table class="eo-grid">') :]
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', table)
    return {name: re.sub(r"<[^>]*>", " ", row).split() for name, row in rows}


def test_each_file_is_shown_around_the_record():
    assert cells(show.leader_death(LOST).html) == {
        "broker 0, when it died": ["1", "2", "✗", "3", "–"],
        "broker 1": ["1", "2", "4", "5"],
        "broker 2": ["1", "2", "4", "5"],
        "broker 0, in sync again": ["1", "2", "4", "5"],
    }
    assert cells(show.leader_death(TWICE).html)["broker 1"] == ["1", "2", "×", "3", "×", "3", "4", "5"]


def test_the_timeline_says_the_same_as_a_table():
    picture = show.leader_death(LOST)
    assert list(picture.table["what"]) == [one.text for one in TIMELINE]
    assert list(picture.table["seconds"])[:2] == ["0.900", "1.000"]
    for words in ("dies by SIGKILL", "starts again", "cuts its log back", "✗ 3 acknowledged, and lost", "0.50 s"):
        assert words in picture.html
    assert 'width="700"' in show.leader_death(LOST, 700).html


@pytest.mark.parametrize("nonsense", [None, "x", 3])
def test_what_is_no_death_is_refused(nonsense):
    with pytest.raises(BadInput, match=r"give a leader's death, such as kill_the_leader\(\) returns"):
        show.leader_death(nonsense)
