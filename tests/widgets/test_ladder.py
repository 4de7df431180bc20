"""The ladder: cells are proved when they are asked for, kept, and opened; the rest one after the other."""

import re
import threading

import pytest

from exactly_once.errors import BadInput, CourseError
from exactly_once.explore import prove
from exactly_once.explore.parts import PARTS, prove_parts
from exactly_once.handlers import STRATEGIES
from exactly_once.node.program import Deployment
from exactly_once.widgets import LadderModel, ladder
from exactly_once.widgets.ladder.model import FAULTS, JOB, ROWS, to_prove
from exactly_once.widgets.ladder.view import fragments, in_words, ladder_table

NAIVE = ("at_least_once",)
PROVED = {}
CRASH = ("at_least_once", "crash")


def prover(handler, *, invariant=None, job, seconds, progress, stopped, **faults):
    """Prove what no test has proved to its end before."""
    key = handler, invariant, tuple(faults.items())
    if key not in PROVED or PROVED[key].stopped:
        asked = {} if invariant is None else {"invariant": invariant}
        PROVED[key] = prove(handler, job=job, seconds=seconds, progress=progress, stopped=stopped, **asked, **faults)
    return PROVED[key]


@pytest.fixture
def kept():
    return {}


@pytest.fixture
def model(kept):
    return LadderModel(NAIVE, keep=kept.update, prover=prover)


def text(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def proved(model, key=CRASH):
    model.do("prove", "|".join(key))
    assert model.wait(60)
    assert model.state.error is None
    return model.state.cells[key]


def test_nothing_is_proved_before_it_is_asked_for(model):
    assert model.state.cells == {}
    assert model.left == [("at_least_once", fault) for fault in FAULTS]
    assert fragments(model, 900)["grid"].count("eo-unproved") == len(FAULTS)
    assert LadderModel().strategies == ROWS == tuple(STRATEGIES)[:-2]


def test_a_proved_cell_is_opened_and_kept(model, kept):
    cell = proved(model)
    assert cell.marks == {"output": "damaged", "state": "damaged", "positions": "right", "counter": "damaged"}
    assert (model.state.open, model.state.part, model.state.busy) == (CRASH, "output", "idle")
    assert kept["at_least_once|crash"]["marks"] == cell.marks
    assert set(kept["at_least_once|crash"]) == {"marks", "states", "of"}, "plain data"
    shown = fragments(model, 900)
    assert "The output can be damaged" in text(shown["proof"])
    assert "<svg" in shown["proof"]
    assert cell.found.of["output"].counterexample.token in shown["proof"]


def test_it_begins_when_it_is_shown_and_not_when_it_is_shown_again(model):
    seen = []
    model.changed = lambda: seen.append(model.state.proving)
    model.do("shown")
    work = model.work
    assert model.wait(60)
    assert model.left == []
    assert list(dict.fromkeys(filter(None, seen))) == model.every, "row by row from the lowest rung"
    assert (model.state.open, model.state.part) == (CRASH, "output"), "the first cell is open"
    model.do("shown")
    assert model.work is None
    assert work.stopped() is False


def test_what_was_stopped_does_not_begin_by_itself_again():
    gate = Gate()
    model = LadderModel(NAIVE, prover=gate)
    model.do("shown")
    assert gate.began.wait(20)
    work = model.work
    model.do("stop")
    assert work.join(20)
    model.do("shown")
    assert (model.work, model.state.cells) == (None, {})


def test_the_first_rung_that_stands_is_predicted_before_the_column_tells():
    model = LadderModel(("at_least_once", "two_phase"), prover=prover)
    for cell in ("two_phase|crash", "at_least_once|pause", "two_phase|lost reply", "two_phase|lost reply"):
        model.do("cell", cell)
    assert model.state.said == {"crash": "two_phase", "pause": "at_least_once"}, "a second click takes it back"
    assert model.work is None, "a prediction proves nothing"
    assert "⚑ said" in fragments(model, 900)["grid"]
    model.do("shown")
    assert model.wait(60)
    assert {model.first(fault) for fault in FAULTS} == {"two_phase"}
    shown = fragments(model, 900)
    assert "1 right of your 2" in text(shown["ask"])
    assert [text(shown["grid"]).count(sign) for sign in ("⚑ ✓ right", "⚑ ✗ not it")] == [1, 1]
    assert shown["grid"].count("eo-edge-below") == len(FAULTS), "the line below the first rung that stands"
    model.do("cell", "at_least_once|lost reply")
    assert "lost reply" not in model.state.said, "it is too late for a prediction"
    assert model.state.held


def test_a_column_in_which_nothing_stands_has_no_first_rung(model):
    assert model.first("crash") is None
    proved(model)
    assert model.first("crash") == ""


def test_the_cell_under_the_pointer_is_open_unless_another_is_held(model):
    for fault in ("crash", "pause"):
        proved(model, ("at_least_once", fault))
    model.do("look", "at_least_once|crash")
    assert "under a crash" in text(fragments(model, 900)["head"])
    model.do("cell", "at_least_once|pause")
    model.do("look", "at_least_once|crash")
    assert (model.state.open, model.state.held) == (("at_least_once", "pause"), True)
    assert fragments(model, 900)["grid"].count('aria-pressed="true"') == 1
    model.do("focus", "at_least_once|crash")
    assert (model.state.open, model.state.held) == (CRASH, False), "the keyboard lets go"
    model.do("cell", "at_least_once|crash")
    model.do("cell", "at_least_once|crash")
    assert not model.state.held, "a second click lets go"
    model.do("look", "at_least_once|late request")
    assert model.work is None, "a look proves nothing"
    assert "Prove this cell now" in fragments(model, 900)["proof"]


def test_a_pointer_on_its_way_leaves_an_error_on_the_screen(model):
    model.do("cell", "never|crash")
    said = model.state.error
    model.do("look", "at_least_once|crash")
    assert said is not None
    assert model.state.error is said
    model.do("cell", "at_least_once|crash")
    assert model.state.error is None


def test_a_handler_of_ones_own_is_a_row(kept):
    def saves_first(node):
        positions, window = node.positions.load(), node.state.load()
        while node.running():
            items, positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            node.positions.save(positions)
            node.output.push(window.average())
            if len(window) > node.threshold:
                node.database.increment()
            node.state.save(window)

    model = LadderModel(["at_least_once", saves_first], keep=kept.update, prover=prove)
    mine = "saves_first (mine)"
    assert model.strategies == ("at_least_once", mine)
    cell = proved(model, (mine, "crash"))
    assert cell.marks == {"output": "damaged", "state": "damaged", "positions": "right", "counter": "damaged"}
    assert "Not exactly once" in cell.verdicts["output"].sentence
    assert LadderModel([saves_first], kept=kept).state.cells
    assert not LadderModel(["at_least_once"], kept=kept).state.cells
    with pytest.raises(BadInput, match="one argument"):
        LadderModel([lambda: None])


def test_the_strategies_of_later_chapters_are_rows_where_they_are_asked_for():
    assert LadderModel(["structured_streaming"]).strategies == ("structured_streaming",)
    found = prove_parts(to_prove(STRATEGIES["structured_streaming"], "pause"), JOB, crashes=0, pauses=1)
    assert {found.standing(part) for part in PARTS} == {"right"}


def test_each_part_has_its_own_proof_to_open(model):
    cell = proved(model)
    model.do("part", "counter")
    said = text(fragments(model, 900)["proof"])
    assert "The counter can be damaged" in said
    assert "the counter is 3 and should be 2" in said
    assert cell.verdicts["counter"].damage.counter == 3
    model.do("part", "positions")
    said = text(fragments(model, 900)["proof"])
    assert "The positions are right at the end of every schedule within the bounds" in said
    assert f"{cell.found.of['positions'].states:,} states, all of them" in said
    model.do("part", "window")
    assert "'window'" in model.state.error.message


def test_what_was_kept_is_there_in_another_chapter_and_is_proved_again_to_be_opened(model, kept):
    cell = proved(model)
    again = LadderModel(kept=kept, prover=prover)
    assert again.state.cells[CRASH].marks == cell.marks
    assert CRASH not in again.left
    assert again.state.cells[CRASH].found is None
    again.do("cell", "at_least_once|crash")
    assert again.state.cells[CRASH].marks == cell.marks, "the marks stay while it is proved again"
    assert again.wait(60)
    assert again.state.cells[CRASH].found.first.counterexample is not None


@pytest.mark.parametrize(
    "change",
    [
        {"of": "another handler"},
        {"marks": {"output": "right"}},
        {"marks": dict.fromkeys(PARTS, "fine")},
        {"states": "many"},
    ],
)
def test_what_was_kept_of_something_else_does_not_count(model, kept, change):
    proved(model)
    entry = kept["at_least_once|crash"]
    assert LadderModel(kept={"at_least_once|crash": entry}).state.cells
    assert not LadderModel(kept={"at_least_once|crash": entry | change}).state.cells
    assert not LadderModel(kept={"never|crash": entry, "at_least_once": entry, "x": 3}).state.cells


def test_all_that_are_left_are_proved_one_after_the_other(model):
    seen = []
    model.changed = lambda: seen.append((model.state.proving, model.state.progress))
    proved(model)
    model.do("all")
    assert model.wait(60)
    assert model.left == []
    order = list(dict.fromkeys(key for key, _ in seen if key))
    assert order == [("at_least_once", fault) for fault in FAULTS]
    assert ("at_least_once", "lost request") in order
    assert {progress for _, progress in seen if progress} == {(done, 5) for done in range(5)}
    assert (model.state.open, model.state.busy, model.state.progress) == (CRASH, "idle", None)
    assert "All are proved" in fragments(model, 900)["toolbar"]


class Gate:
    """A prover that waits until it is let through, or stopped."""

    def __init__(self):
        self.open, self.asked, self.began = threading.Event(), [], threading.Event()

    def __call__(self, handler, *, stopped, **options):
        self.asked.append(next(name for name in FAULTS.values() if options.get(name)))
        self.began.set()
        while not self.open.wait(0.01) and not stopped():
            pass
        return prover(handler, stopped=stopped, **options)


def test_a_cell_that_is_asked_for_comes_before_all_that_waits():
    gate = Gate()
    model = LadderModel(NAIVE, prover=gate)
    model.do("all")
    assert gate.began.wait(20)
    model.do("prove", "at_least_once|pause")
    gate.open.set()
    assert model.wait(60)
    order = list(dict.fromkeys(gate.asked))
    assert order[:3] == ["crashes", "pauses", "lost_requests"]
    assert model.left == []
    assert model.state.open == ("at_least_once", "pause")


def test_what_is_wanted_while_a_cell_is_under_proof_is_counted_at_once_and_that_cell_is_proved_once():
    gate = Gate()
    model = LadderModel(NAIVE, prover=gate)
    model.do("prove", "at_least_once|crash")
    assert gate.began.wait(20)
    assert model.state.progress is None, "one cell alone"
    model.do("all")
    assert model.state.progress == (0, len(FAULTS))
    model.do("prove", "at_least_once|crash")
    assert model.state.progress == (0, len(FAULTS))
    gate.open.set()
    assert model.wait(60)
    assert list(dict.fromkeys(gate.asked)) == list(FAULTS.values())
    assert gate.asked == sorted(gate.asked, key=[*FAULTS.values()].index), "none is proved a second time"


def test_stop_ends_the_proof_under_way_and_forgets_what_waits():
    gate = Gate()
    model = LadderModel(NAIVE, prover=gate)
    model.do("all")
    assert gate.began.wait(20)
    work = model.work
    model.do("stop")
    assert work.join(20)
    assert model.state.cells == {}
    assert (model.state.busy, model.state.proving, model.state.status) == ("idle", None, "Stopped.")
    gate.open.set()
    assert proved(model).damaged, "and it goes on working"


def test_a_proof_that_fails_is_told_in_place_and_what_waits_is_forgotten():
    asked = []

    def failing(handler, **options):
        asked.append(1)
        if len(asked) == 1:
            raise CourseError("The disk is full.")
        return prover(handler, **options)

    model = LadderModel(NAIVE, prover=failing)
    model.do("all")
    assert model.wait(30)
    assert model.state.error.message == "The disk is full."
    assert (model.state.busy, model.state.cells, len(asked)) == ("idle", {}, 1)
    proved(model)


def test_what_is_not_known_is_neither_right_nor_kept(kept):
    model = LadderModel(
        NAIVE, keep=kept.update, prover=lambda handler, **options: prove(handler, state_limit=60, **options)
    )
    cell = proved(model)
    assert cell.marks["output"] == "damaged"
    assert cell.marks["positions"] == "unknown"
    assert kept == {}
    model.do("part", "positions")
    assert "Not known of the positions" in text(fragments(model, 900)["proof"])


@pytest.mark.parametrize("value", ["at_least_once|flood", "never|crash", "crash", None])
def test_a_cell_that_is_none_is_refused(model, value):
    model.do("cell", value)
    assert model.state.error is not None
    assert model.state.open is None


def test_strategies_that_make_no_sense_are_refused():
    with pytest.raises(BadInput, match="never"):
        ladder(["never"])
    with pytest.raises(BadInput, match="no strategy"):
        ladder([])


def test_transactions_are_proved_over_the_protocol_and_under_pauses_over_the_abstract_store():
    model = LadderModel(("transactional",), prover=prove)
    assert to_prove(STRATEGIES["transactional"], "crash") is STRATEGIES["transactional"]
    handler = to_prove(STRATEGIES["transactional"], "pause")
    assert isinstance(handler, Deployment)
    assert handler.protocol == "abstract"
    cell = proved(model, ("transactional", "pause"))
    assert cell.marks == {"output": "right", "state": "right", "positions": "right", "counter": "damaged"}
    shown = fragments(model, 900)
    assert shown["grid"].count(", abstract store") == 1
    assert "Over an abstract store" in text(shown["proof"])
    assert to_prove(STRATEGIES["two_phase"], "pause") is STRATEGIES["two_phase"]


def test_the_table_says_the_same_as_the_marks(model):
    cell = proved(model)
    table = ladder_table(model)
    assert list(table.columns) == ["strategy", *FAULTS]
    assert table["crash"][0] == "✗ damaged: output, state, counter; ✓ right: positions" == in_words(cell)
    assert table["pause"][0] == "not proved yet"
    widget = ladder(NAIVE)
    assert "at least once" in repr(widget)
