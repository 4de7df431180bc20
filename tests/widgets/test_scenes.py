"""The scenes of the chapters: a question first, faults at any step, a true verdict, and the explorer's own word."""

import inspect
import itertools
import random
from importlib import import_module
from statistics import median

import pytest

from exactly_once import judge, prove, simulate
from exactly_once.chapters.scenes import CHAPTERS, scene
from exactly_once.errors import BadInput
from exactly_once.handlers import at_least_once
from exactly_once.widgets import Scene, debugger, play

NEVER_BROKEN = {  # by chapter, the choices under which no schedule within the scene's bounds breaks the rule
    "02": {"all"}, "05": {"article", "kafka"}, "06": {""}, "07": {"offset_in_sink", "two_phase"},
    "08": {"transaction"}, "09": {"prepared"}, "10": {""},
    "11": {"two_phase", "lock_free", "lock_free_alone", "shared_decision"},
    "12": {"commits messages once"},
}  # fmt: skip
ENDS = 20
every_scene = pytest.mark.parametrize("chapter", CHAPTERS[:-1])  # 13 shows recorded runs
of_programs = pytest.mark.parametrize("chapter", CHAPTERS[1:-1])  # in 02 the learner chooses among events


def model_of(chapter):
    """Return the model of a chapter's scene, whose question is answered."""
    model = scene(chapter).model
    model.do("answer", next(iter(model.scene.question.answers)))
    return model


def all_chosen(model):
    """Yield every combination of a scene's choices, each as a text, with the model at its beginning."""
    [(name, values)] = [(name, one.values) for name, one in model.scene.choices.items()][:1] or [("", [""])]
    for value in values:
        if name:
            model.do(name, value)
        model.do("restart")
        yield str(value)


def test_in_02_the_learner_chooses_what_happens_and_sees_the_record_lost():
    model = model_of("02")
    for wanted in ("sends a", "broker 1 fetches", "broker 0 dies", "elected"):
        options = model.state.position.nodes[0].options
        model.do("option", f"0-{next(place for place, words in enumerate(options) if wanted in words)}")
        assert model.state.error is None
    assert model.state.at == 8, "what happened is kept by a step of its own"
    assert "broker 1" in model.scene.picture(model.state.position)
    model.do("option", "0-99")
    assert "the number of the choice" in model.state.error.message
    model.do("step", "0")
    assert "stands at a choice" in model.state.error.message


def test_in_13_recorded_runs_are_stepped_and_what_they_share_stays():
    model = scene("13").model
    model.do("step")
    assert "First say what you expect" in model.state.error.message
    model.do("answer", "commit")
    model.do("stop", "killed")
    for _ in range(3):
        model.do("step")
    assert model.state.position[-1] == ("coordinator", "holds the transaction as", "Ongoing")
    model.do("call", "new")
    assert model.state.at == 3
    model.do("stop", "answer")
    assert model.state.at == 2, "what the coordinator holds is another thing now"
    model.do("all")
    assert model.verdict[:2] == ("warn", "Committed.")
    model.do("step")
    assert "The run has ended" in model.state.error.message
    model.do("undo")
    assert model.verdict[1] == "A recorded run."


def test_each_recorded_run_has_its_verdict_and_only_the_commit_called_again_is_always_right():
    recording = scene("13").model.scene
    stops, calls = (recording.choices[name].values for name in ("stop", "call"))
    right = {call: [] for call in calls}
    for stop, call in itertools.product(stops, calls):
        right[call].append(recording.verdict({"stop": stop, "call": call})[0] == "good")
    assert right == {"commit": [True] * 3, "abort": [False] * 3, "new": [False] * 3}


@of_programs
def test_no_step_is_taken_before_the_question_is_answered(chapter):
    model = scene(chapter).model
    model.do("step", "0")
    assert "First say what you expect" in model.state.error.message
    assert model.state.at == 0
    model.do("answer", next(iter(model.scene.question.answers)))
    model.do("step", "0")
    assert model.state.at == 1


@of_programs
def test_when_nothing_strikes_all_is_well_or_somebody_waits(chapter):
    model = model_of(chapter)
    for value in all_chosen(model):
        model.do("all")
        kind, said, _ = model.verdict
        assert (kind, said) == ("good", model.scene.good) or value == "locks", (value, said)


@every_scene
@pytest.mark.some(day=4)
def test_the_explorer_shows_what_breaks_it_and_says_where_nothing_does(chapter):
    model = model_of(chapter)
    for value in all_chosen(model):
        model.do("break")
        assert model.work.join(120)
        assert model.state.error is None
        if value in NEVER_BROKEN.get(chapter, ()):
            assert model.verdict[:2] == ("good", "Proved: no violation within these bounds. " + model.verdict[1][42:])
        else:
            assert model.verdict[0] == "bad"
            assert model.state.at, "its schedule is on the screen"


@of_programs
@pytest.mark.slow
def test_every_fault_can_strike_and_many_ends_are_reached_by_clicks(chapter):
    model, ends, draw, struck = model_of(chapter), set(), random.Random(7), set()
    for _ in range(12):
        for _ in all_chosen(model):
            while len(model.state.way) < 80 and (
                going := [n.node for n in model.state.position.nodes if n.next and not n.waits]
            ):
                kind = draw.choice(model.strikes) if draw.random() < 0.15 else ""
                model.do(*(("strike", f"{kind}{draw.choice(going)}") if kind else ("step", draw.choice(going))))
            struck |= {move.kind for move in model.state.position.faults}
            ends.add(str((model.state.chosen, model.verdict, model.state.position.replay.run.writes[-3:])))
    assert len(ends) >= ENDS
    assert struck == set(model.strikes)


def test_from_a_counterexample_one_goes_another_way():
    found = prove(at_least_once)
    widget = debugger(found, at_least_once)
    widget.model.go(len(widget.model.steps) // 3)
    widget.on_message("go_on", None)
    other = widget.opened.model
    assert 0 < other.state.at < len(found.counterexample.schedule)
    other.do("restart")
    other.do("all")
    assert other.verdict[0] == "good"
    assert "yours" in other.scene.picture(other.state.position)
    widget.model.go(widget.model.last)
    widget.on_message("go_on", None)
    assert widget.opened.model.verdict[0] == "bad"
    assert not debugger(judge(simulate(at_least_once), at_least_once)).other, "a run without a schedule has no branch"


def test_what_the_learner_does_while_the_explorer_searches_stays():
    model = model_of("03")
    with model.lock:  # which the explorer's thread waits for before it shows what it has found
        model.do("break")
        model.do("break")
        assert "still at work" in model.state.error.message
        model.do("step", "0")
    assert model.work.join(120)
    assert (model.state.at, model.verdict[0]) == (1, "none"), "its answer came too late"


def test_a_sleeper_that_was_woken_up_goes_on_beside_its_successor():
    model = model_of("10")
    model.do("step", "0")
    model.do("strike", "p0")
    (sleeper,) = model.state.position.sleepers
    for taken in (3, 4):
        model.do("wake", str(sleeper.actor))
        assert model.state.error is None
        assert (model.state.at, model.state.position.moves[-1].actor) == (taken, sleeper.actor)
    model.do("step", "0")
    assert model.state.position.moves[-1].actor == 0, "the step of the incarnation that the panel shows"


def test_a_program_that_fails_is_not_called_right():
    class Broken(Scene):
        def programs(self, chosen):
            return [lambda node: node.store("desk").get("a")]

        def rule(self, view, chosen):
            return True

    assert play(Broken()).model.verdict[:2] == ("bad", "A program has failed.")


def test_a_scene_is_short():
    lines = [
        len(inspect.getsource(import_module(f"exactly_once.chapters.ch{each}.scene")).splitlines())
        for each in CHAPTERS
    ]
    assert max(lines) <= 60
    assert median(lines) <= 50


def test_a_chapter_without_a_scene_is_refused():
    with pytest.raises(BadInput, match="the chapter of the scene is '01'; it can be 02, 03"):
        scene("01")
