"""The crash console's model: choices, runs, refusals, the matrix, live runs; the scrubber; a learner's handler."""

import threading
import time

import pytest
from fakes import Busy, until

from exactly_once.errors import BadInput
from exactly_once.faults import POINTS, FaultPlan
from exactly_once.handlers import STRATEGIES, at_least_once
from exactly_once.handlers.stream.offset_in_sink import counter_sink
from exactly_once.pipeline import Job
from exactly_once.sandbox import pool
from exactly_once.show import words
from exactly_once.simulate.places import KINDS
from exactly_once.widgets.console.console_model import ConsoleModel
from exactly_once.widgets.console.console_widget import toolbar_html
from exactly_once.widgets.console.runs import OWN, ROWS, Choices, Scrubber, Worlds, live_job


def done(model, action, value=None):
    """Carry out an action and wait for what it started."""
    model.do(action, value)
    assert model.wait(300)
    return model.state


@pytest.mark.parametrize(("attempts", "lives"), [(1, None), (2, (1, 2)), (3, (1, 2, 3))])
def test_choices_become_a_plan(attempts, lives):
    choices = Choices(point="C", item=2, kill="executor", attempts=attempts)
    assert choices.plan() == FaultPlan.crash("C", 2, "executor", lives)
    assert choices.plan("D") == FaultPlan.crash("D", 2, "executor", lives)
    assert Choices(point="none").plan() == FaultPlan()


@pytest.mark.parametrize(
    ("action", "value", "names"),
    [
        ("point", "F", "'F'"),
        ("item", "0", "0"),
        ("item", "", "empty"),
        ("item", "two", "'two'"),
        ("kill", "driver", "'driver'"),
        ("attempts", "4", "4"),
        ("node", "2", "2"),
        ("strategy", "exactly_once", "'exactly_once'"),
        ("order", "output,output,state,positions", "output,output"),
        ("world", "moon", "'moon'"),
        ("cell", "nowhere|B", "nowhere"),
        ("replay", "eo1-B3w-AAAA", "eo1-B3w-AAAA"),
        ("arm", "Z", "'Z'"),
        ("kill_now", None, "Live"),
        ("pace", "soon", "'soon'"),
        ("explode", None, "'explode'"),
    ],
)
def test_nonsense_is_answered_in_place_and_changes_nothing(model, action, value, names):
    before = model.state.choices
    model.do(action, value)
    assert names in model.state.error.message
    assert not model.state.error.traceback, "nonsense is no failure of the console"
    assert model.state.choices == before
    assert model.state.busy == "idle"
    done(model, "point", "A")
    assert model.state.error is None


def test_a_simulated_run_is_judged_and_kept(model):
    done(model, "point", "B")
    state = done(model, "simulate")
    assert state.verdict.damage.duplicated == (3,)
    assert state.verdict.run.world == "simulated"
    assert model.result("at_least_once", "B") is state.verdict
    assert model.result("at_least_once", "C") is None
    model.do("item", "4")
    assert model.result("at_least_once", "B") is None, "a result holds for the hour it was run with"


def test_without_a_crash_all_is_well(model):
    model.do("point", "none")
    assert done(model, "simulate").verdict.exactly_once
    assert model.matrix()[1] == {}


def test_the_cluster_is_started_first_and_told_of(model, worlds):
    said = []
    model.changed = lambda: said.append(model.state.status)
    state = done(model, "cluster")
    assert worlds.started == [False]
    assert any("Starting Java" in words for words in said)
    assert any("Running on the cluster" in words for words in said)
    assert state.verdict
    assert state.world == "cluster"
    assert state.busy == "idle"
    done(model, "cluster")
    assert worlds.started == [False], "a cluster that is up is used again"


def test_a_run_on_the_cluster_can_be_stopped(model, worlds):
    worlds.gate.clear()
    model.do("cluster")
    until(lambda: "Running" in model.state.status)
    done(model, "stop")
    assert (model.state.busy, model.state.status) == ("idle", "Stopped.")
    assert model.state.verdict is None
    assert model.state.error is None
    worlds.gate.set()
    assert done(model, "cluster").verdict is not None


def test_stopping_while_the_cluster_starts_frees_the_console_at_once(model, worlds):
    worlds.starting.clear()
    model.do("cluster")
    until(lambda: worlds.started)
    model.do("stop")
    until(lambda: model.state.busy == "idle")
    assert "goes on starting" in model.state.status
    assert done(model, "simulate").verdict is not None
    shown = model.state.verdict
    worlds.starting.set()
    time.sleep(0.2)
    assert model.state.verdict is shown, "what was left behind must not come back to the screen"


def test_a_cluster_of_another_notebook_is_offered_to_be_taken_over(model, worlds):
    worlds.error = Busy("another notebook has it")
    state = done(model, "cluster")
    assert state.error.take_over
    assert state.verdict is None
    state = done(model, "take_over")
    assert state.error is None
    assert state.verdict is not None
    assert worlds.started == [False, True]


def test_a_matrix_that_is_filled_keeps_what_was_run_and_can_be_stopped(model, worlds):
    done(model, "simulate")
    kept = model.result("at_least_once", "B")
    bars = []
    model.changed = lambda: bars.append(model.state.progress)
    done(model, "fill")
    assert model.result("at_least_once", "B") is kept
    rows, results = model.matrix()
    assert set(results) == {(row, point) for row, _ in rows for point in POINTS}
    assert {bar[1] for bar in bars if bar} == {len(ROWS) * len(POINTS)}
    found = {point: words(model.result("idempotent_output", point)) for point in POINTS}
    assert found == {**dict.fromkeys("ABE", ("harmless",)), **dict.fromkeys("CD", ("doubles",))}
    assert model.result("idempotent_output", "D").damage.outputs is False
    model.do("world", "cluster")
    assert model.matrix()[1] == {}, "the two worlds are kept apart"
    worlds.gate.clear()
    model.do("fill")
    done(model, "stop")
    assert (model.state.busy, model.matrix()[1]) == ("idle", {})


@pytest.mark.not_by_day
def test_the_matrix_is_filled_on_the_cluster_too(model):
    model.do("world", "cluster")
    done(model, "fill")
    assert len(model.matrix()[1]) == len(ROWS) * len(POINTS)


def test_a_cell_runs_once_and_is_shown_again_without_a_run(model):
    state = done(model, "cell", "at_most_once|C")
    first = state.verdict
    assert (state.choices.strategy, state.choices.point) == ("at_most_once", "C")
    done(model, "simulate")
    done(model, "cell", "at_least_once|D")
    again = done(model, "cell", "at_most_once|C").verdict
    assert again.damage == first.damage
    assert again is model.result("at_most_once", "C")


def test_every_strategy_has_a_row_and_the_way_into_another_system_is_green_in_every_cell(model):
    assert set(model.state.rows) == {*STRATEGIES, "offset_in_sink:2", "lock_free:2"}
    model.do("item", "4")
    done(model, "fill")
    both = [(name, "ABCDE") for name in ("two_phase", "offset_in_sink", "lock_free", "structured_streaming")]
    for row, reached in [*both, ("offset_in_sink:2", "AE"), ("lock_free:2", "AE")]:
        found = {point: words(model.result(row, point)) for point in POINTS}
        assert found == {point: ("harmless" if point in reached else "not reached",) for point in POINTS}, row


def test_the_micro_batch_engine_is_simulated_at_once_and_runs_as_a_task(model):
    model.do("strategy", "structured_streaming")
    state = done(model, "strike", "D")
    assert state.verdict.exactly_once
    assert "did hour 3 again" in state.verdict.sentence
    assert model.state.choices.listed().listed.__name__ == "micro_batches"
    state = done(model, "cluster")
    assert (state.world, state.verdict.reached) == ("cluster", True)
    assert "streaming query" in toolbar_html(state)


def test_the_sink_is_a_node_of_its_own(model):
    model.do("node", "2")
    assert "2" in model.state.error.message, "at least once has one node"
    model.do("strategy", "offset_in_sink")
    model.do("node", "2")
    assert model.state.choices.listed() is counter_sink
    model.do("item", "4")
    state = done(model, "strike", "E")
    assert "was killed at E in the sink" in state.verdict.sentence
    assert state.verdict.run.plan == FaultPlan.crash("E", 4, node=2)
    assert {fault.node for plan in model.strip().plans for fault in plan.faults} == {2}
    assert {place.words for place in model.strip().places} >= {"before transact of hour 3", "at A of hour 4"}
    model.do("strategy", "two_phase")
    assert model.state.choices.node == 1
    state = done(model, "cell", "offset_in_sink:2|A")
    assert (state.choices.strategy, state.choices.node) == ("offset_in_sink", 2)


@pytest.mark.parametrize("strategy", ["two_phase", "offset_in_sink", "lock_free", "transactional"])
def test_several_lives_die_where_a_strategy_has_several_nodes(model, strategy):
    model.do("strategy", strategy)
    model.do("item", "4")
    model.do("attempts", "3")
    verdict = done(model, "strike", "C").verdict
    assert verdict.reached, verdict.sentence
    assert [death.detail["at"] for death in verdict.run.trace.deaths()] == ["C"] * 3


def test_a_live_run_watches_and_kills_the_chosen_node(model, worlds):
    model.do("strategy", "offset_in_sink")
    model.do("node", "2")
    model.do("live")
    until(lambda: model.state.live_life)
    assert worlds.lives[0].node == 2
    done(model, "stop")


def test_a_live_run_is_given_the_whole_job_so_that_what_it_cannot_judge_is_refused():
    job = Job(items=2, duration=3, threshold=1, arrival="as it comes", time="processing")
    assert live_job(job) == Job(None, 3, 1, "as it comes", "processing")


def test_an_order_gets_a_row_of_its_own(model):
    model.do("order", "positions,output,state,counter")
    done(model, "simulate")
    row = "order:positions,output,state,counter"
    assert model.state.rows[-1] == row
    assert model.result(row, "B") is not None
    model.do("cell", "at_least_once|A")
    model.wait(60)
    done(model, "cell", f"{row}|B")
    assert model.state.choices.row == row


@pytest.mark.parametrize("plan", [FaultPlan.crash("D", 2, "executor", (1, 2)), FaultPlan()])
def test_a_token_is_replayed_and_chosen(model, plan):
    state = done(model, "replay", plan.token)
    assert state.verdict.run.plan == plan == state.choices.plan()


def test_a_token_beyond_the_controls_is_replayed_as_it_is(model):
    plan = FaultPlan((*FaultPlan.crash("B", 3).faults, *FaultPlan.crash("D", 4).faults))
    before = model.state.choices
    state = done(model, "replay", plan.token)
    assert state.verdict.run.plan == plan
    assert state.choices == before
    assert model.matrix()[1] == {}


def test_a_live_run_is_armed_killed_and_stopped_in_its_own_thread(model, worlds):
    model.do("live")
    until(lambda: model.state.live_life)
    (live,) = worlds.lives
    assert live.job.items is None
    model.do("arm", "C")
    until(lambda: model.state.armed == "C")
    model.do("arm", "C")
    until(lambda: model.state.armed is None)
    model.do("kill", "executor")
    model.do("kill_now")
    until(lambda: "Killed" in model.state.status)
    model.do("pace", "0.6")
    model.do("pace", "1.5")
    until(lambda: model.state.error)
    assert "too slow" in model.state.error.message
    assert model.state.busy == "live", "an order that fails ends nothing"
    done(model, "stop")
    expected = [("start",), ("arm", "C", "worker"), ("disarm",), ("kill_now", "executor")]
    assert live.told == [*expected, ("set_pace", 0.6), ("set_pace", 1.5), ("stop",)]
    assert len(live.threads) == 1
    assert threading.current_thread().name not in live.threads
    assert model.state.busy == "idle"
    assert model.state.live_life == 0
    assert model.state.armed is None


def test_a_live_run_that_ends_by_itself_is_closed(model, worlds):
    model.do("live")
    until(lambda: worlds.lives)
    worlds.lives[0].running = False
    assert model.wait(300)
    assert worlds.lives[0].told[-1] == ("stop",)
    assert "ended by itself" in model.state.status


SHORT = Job(items=2)


class CountingWorlds(Worlds):
    """Worlds that write down the plans they run."""

    def __init__(self):
        super().__init__()
        self.ran = []

    def strikes(self, handler, plans, job, trusted, ideals=None):
        self.ran += plans
        return super().strikes(handler, plans, job, trusted, ideals)


@pytest.fixture
def scrubber():
    return Scrubber(CountingWorlds(), Job())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.some(day=3)
def test_every_kind_of_fault_is_really_run(kind):
    scrubber = Scrubber(CountingWorlds(), SHORT)
    strip = scrubber.strip(Choices(), kind)
    assert [index for chosen in scrubber.fill(strip, lambda: 0) for index in chosen] == [*range(len(strip.places))]
    assert "not run" not in strip.counts()
    assert "not reached" not in strip.counts()
    assert scrubber.worlds.ran == list(strip.plans)


def test_the_nearest_come_first_also_when_the_hand_moves(scrubber):
    strip, order = scrubber.strip(Choices(), "crash"), []
    for (index,) in scrubber.fill(strip, lambda: 20 if len(order) < 5 else 40):
        order.append(index)
    assert order[:8] == [20, 19, 21, 18, 22, 40, 39, 41]


def test_what_was_run_is_not_run_again(scrubber):
    strip = scrubber.strip(Choices(), "crash")
    verdict = scrubber.verdict(strip, 23)
    assert verdict.damage.duplicated == (3,)
    assert scrubber.verdict(strip, 23) is verdict
    assert len([*scrubber.fill(strip, lambda: 23)]) == 59
    assert len(scrubber.worlds.ran) == 60
    assert scrubber.strip(Choices(point="D", item=2), "crash") is strip, "the letter does not change the places"
    assert scrubber.strip(Choices(attempts=2), "crash") is not strip


def test_runs_ahead_leave_a_strip_when_another_one_is_asked_for(scrubber):
    crashes, pauses = (scrubber.strip(Choices(), kind) for kind in ("crash", "pause"))
    errors = []

    def turn():
        if not pauses.verdicts:
            scrubber.look_ahead(Choices(), "pause", lambda: 0, lambda: None, errors.append)

    scrubber.look_ahead(Choices(), "crash", lambda: 0, turn, errors.append)
    until(lambda: pauses.done)
    assert (len(crashes.verdicts) <= 2, errors) == (True, [])


@pytest.mark.parametrize("index", [-1, 60, "3", None, True])
def test_no_place(scrubber, index):
    with pytest.raises(BadInput, match="from 0 to 59"):
        scrubber.verdict(scrubber.strip(Choices(), "crash"), index)


def test_a_learners_handler_runs_in_the_child_process_several_at_a_time():
    scrubber = Scrubber(CountingWorlds(), SHORT, own=at_least_once)
    strip = scrubber.strip(Choices(OWN), "lost reply")
    told = [*scrubber.fill(strip, lambda: 0)]
    assert strip.counts() == {"harmless": 6, "doubles": 2, "corrupts": 2}
    assert [len(chosen) for chosen in told] == [1, 8, 1]


def sound(node):
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, positions = node.read(positions)
        window.push(items)
        node.crash_point("A")
        node.output.push(window.average())
        node.state.save(window)
        node.positions.save(positions)


def endless(node):
    while True:
        pass


@pytest.mark.not_by_day
def test_it_is_chosen_and_has_a_row():
    model = ConsoleModel(sound)
    model.do("point", "A")
    state = done(model, "simulate")
    assert state.verdict.exactly_once
    assert state.verdict.reached
    assert model.matrix()[0][0] == ("own", "sound (mine)")
    model.do("fill")
    assert model.wait(300)
    assert len(model.matrix()[1]) == 55, "five letters of one row more than the strategies have"


@pytest.mark.not_by_day
def test_one_that_never_ends_is_ended_and_said():
    model = ConsoleModel(endless)
    state = done(model, "simulate")
    assert "had not come to an end" in state.error.message
    assert "endless" in state.error.traceback or "pass" in state.error.traceback
    assert done(ConsoleModel(sound), "simulate").verdict.exactly_once, "the console goes on working"


def test_one_that_never_ends_can_be_stopped_at_once():
    model = ConsoleModel(endless)
    model.do("simulate")
    while not any(child.user == model.work.thread for child in pool._children):
        time.sleep(0.01)
    model.do("stop")
    assert model.wait(300)
    assert (model.state.busy, model.state.error) == ("idle", None), "its time was not over"
