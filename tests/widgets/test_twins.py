"""The Twins console's model, words and pictures, on twins that a test commands; on the cluster: tests/browser."""

import re
import time
from types import SimpleNamespace

import pytest
from twins_fake import FakeTwinsWorlds

from exactly_once.errors import BadInput, CourseError
from exactly_once.widgets import TwinsConsole, TwinsModel, twins
from exactly_once.widgets.twins.twins_model import held_by, undisturbed, verdict
from exactly_once.widgets.twins.twins_widget import chosen, register_table, tape_table

PATIENCE = 20


@pytest.fixture
def worlds():
    return FakeTwinsWorlds()


@pytest.fixture
def console(worlds):
    console = TwinsConsole(TwinsModel(worlds=worlds))
    yield console
    console.model.do("end")
    console.model.wait(60)


def until(console, condition):
    """Wait until the console's state is as it should be."""
    deadline = time.monotonic() + PATIENCE
    while not condition(console.model.state):
        assert time.monotonic() < deadline, console.model.state
        assert console.model.state.error is None or console.model.state.error.expected, console.model.state.error
        time.sleep(0.01)
    console.draw()  # the console's own thread may be about to do so
    return console.model.state


def started(console, hours=10):
    """Start the twins, let some hours go by, and return the fake ones."""
    console.model.do("start")
    until(console, lambda state: state.busy == "live")
    fake = console.model.worlds.made[-1]
    fake.hours(hours)
    seen(console, fake)
    return fake


def seen(console, fake):
    """Wait until the newest state of the fake twins is on the screen."""
    return until(console, lambda state: state.shot is not None and state.shot == fake.state())


def told(console, fake, *order):
    """Wait until the fake twins have heard an order."""
    until(console, lambda _: order in fake.told)
    return seen(console, fake)


def said(console):
    kind, title, words = verdict(console.model.state)
    return kind, f"{title} {re.sub('<[^>]*>', '', words)}"


def test_nothing_is_started_before_it_is_asked_for(console, worlds):
    assert worlds.made == []
    assert worlds.started == []
    assert "Nothing runs yet" in console.says
    assert console.nodes.count("not started") == 2
    for do, value in (("kill", "1"), ("stop", "1"), ("resume", "1"), ("add", None), ("disarm", "1")):
        console.model.do(do, value)
        assert "No twins are at work; start them first." in console.model.state.error.message, do
    for do in ("look", "fault"):
        console.model.do(do, "3")
        assert console.model.state.error is not None, do
    assert repr(console) == "Twins console: nothing was started yet."
    assert worlds.made == []


def test_the_cluster_is_started_when_it_is_needed_and_taken_over_on_request(console, worlds):
    worlds.up, worlds.busy = False, CourseError("Another notebook has the cluster.")
    console.model.do("start")
    assert console.model.wait(PATIENCE)
    assert "Another notebook has the cluster." in console.error
    assert "eo-take-over" in console.error
    console.model.do("take_over")
    until(console, lambda state: state.busy == "live")
    assert worlds.started == [False, True]


def test_a_stopped_twin_holds_a_version_and_the_other_goes_on(console):
    fake = started(console)
    console.model.do("stop", "1")
    told(console, fake, "stop", 1)
    kind, words = said(console)
    assert "The register is still as it knows it." in words or "it reads" in words
    fake.hours(6, wait=0.028)
    seen(console, fake)
    kind, words = said(console)
    assert kind == "good"
    held = held_by(fake.state(), fake.state().twins[0])
    assert held.stale
    assert "16 hours, each once, in order. ● Twin 1 has been stopped for 3.1 s" in words
    assert "no record has waited longer than 28 ms" in words
    assert "■ Twin 2 has finished hours 11 to 16." in words
    assert f"holds {held.version}" in console.pictures
    if not held.reads:
        assert f"its cas fails ({held.version} ≠ {fake.versions})" in words
        assert f"next cas: {held.version} ≠ {fake.versions}" in console.pictures
    assert "▶ Resume" in console.nodes
    console.model.do("resume", "1")
    told(console, fake, "resume", 1)
    fake.hours(2)
    seen(console, fake)
    assert "● Twin 1 was stopped for 3.1 s and is at work again. No record from hour" in said(console)[1]


def test_what_a_stopped_twin_does_next_depends_on_where_it_was(console):
    fake = started(console)
    number = fake.state().versions[-1].node

    def held():
        shot = fake.state()
        return held_by(shot, shot.twins[number - 1])

    assert held().reads, "it has won the cas that leads to HANDLING"
    for kind, reads in (("lost", True), ("read", False)):
        fake._happens(number, kind, "")
        assert held().reads == reads, kind
    assert held().where == "It stopped in HANDLING, with hour 11 to handle. "
    fake._wins(number, "PREPARING", 11)
    assert held().where == "It stopped in PREPARING, with hour 11 to place. "
    fake._wins(number, "WRITING", 11)
    assert held().where == "It stopped in WRITING, with hour 11 to push. "
    assert (held().stale, held().waking) == (False, "The register is still as it knows it.")
    fake._happens(number, "written", "")
    assert held().where == "It stopped in WRITING, with hour 11 pushed. "
    fake._wins(number, "PREPARING", 11)
    fake._wins(number, "WRITING", 11)
    version = fake.versions
    for point, done, push in (("B", "to push", "its push finds that there, "), ("C", "pushed", "")):
        fake._happens(number, "stopped", f"SIGSTOP to its worker at {point}, hour 11")
        assert held().where == f"It stopped in WRITING, with the counter’s message of hour 11 {done}. ", point
        fake._wins(3 - number, "HANDLING", 12)
        now = fake.versions
        assert held().waking == f"When it wakes, {push}its cas fails ({version} ≠ {now}), and it reads again."


def test_damage_would_be_shown(console):
    fake = started(console)
    fake.right = False
    fake.hours(1)
    seen(console, fake)
    assert said(console)[0] == "bad"
    assert said(console)[1].startswith("✗ Not exactly once.")
    assert "cell wrong" in console.pictures


def test_what_comes_too_late_is_said(console):
    fake = started(console)
    fake.kill(1)
    console.model.do("stop", "1")
    state = until(console, lambda state: state.error is not None)
    assert "Twin 1 cannot be stopped: it does not run now." in state.error.message
    console.model.do("kill", "5")
    assert "twin" in console.model.state.error.message


def test_an_error_of_the_run_is_shown_and_the_console_is_free_again(console):
    fake = started(console)
    fake.error = CourseError("Node 1 failed by itself.")
    assert console.model.wait(PATIENCE)
    assert "Node 1 failed by itself." in console.error
    assert fake.abandoned
    assert console.model.state.busy == "idle"


def test_the_tables_say_what_the_pictures_say(console):
    fake = started(console)
    shot = fake.state()
    assert list(register_table(shot)["version"]) == list(range(1, 51))
    assert sum(twin.won for twin in shot.twins) == 50
    lost = "".join(register_table(shot)["a cas found it and lost"]).count("twin")
    assert 0 < lost <= sum(twin.lost for twin in shot.twins), "those that found nothing there yet have no line"
    assert list(tape_table(console.model.state)["waited"]) == ["25 ms"] * 10
    assert undisturbed(shot) == 0.025


def test_events_keep_the_fault_in_sight():
    many = [SimpleNamespace(kind="won") for _ in range(50)]
    assert chosen(many) == many[-11:]
    many[20] = SimpleNamespace(kind="stopped")
    found = chosen(many)
    assert found[:6] == many[18:24]
    assert found[6] == 50 - 18 - 6 - len(found[7:])
    assert found[7:] == many[-4:]


def test_the_arguments_are_checked():
    for wrong in ({"nodes": 1}, {"nodes": 4}, {"pace": 3}, {"nodes": "two"}):
        with pytest.raises(BadInput):
            twins(**wrong)
