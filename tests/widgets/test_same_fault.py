"""The same fault under several protocols: each lane is a run of its own, and all are aligned at the late request."""

import functools
import re

import pytest

from exactly_once.errors import BadInput
from exactly_once.faults import Fault, FaultPlan
from exactly_once.handlers import STRATEGIES
from exactly_once.simulate import simulate
from exactly_once.verdict import judge
from exactly_once.widgets import SameFaultModel, same_fault
from exactly_once.widgets.same_fault.lane import HOUR, JOB, LANES, LATE, run_lane
from exactly_once.widgets.same_fault.model import BEFORE
from exactly_once.widgets.same_fault.view import LEFT, Scale, came_of, fragments, lanes_table, verdict


@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize("strategy", LANES)
def test_a_lane_is_the_simulated_run_of_that_fault(strategy, late):
    for until in (1, 7, 60):
        lane = run_lane(strategy, late, until)
        handler = STRATEGIES[strategy]
        plan = FaultPlan((Fault(LATE[late][strategy], HOUR, "late request", until=until),))
        run = simulate(handler, plan, JOB)
        assert lane.verdict.sentence == judge(run, handler).sentence
        assert lane.verdict.run.plan == plan
        places = [step.at for step in lane.steps]
        assert places == list(range(places[0], lane.end + 1)), "every step of the run, in order"
        zero = next(step for step in lane.steps if step.at == 0)
        assert zero.hour == HOUR
        assert (zero.life, verdict(lane)[0]) == (lane.life, lane.verdict.consistent)


@functools.cache
def every(strategy, late):
    most = run_lane(strategy, late, None).end + 1
    return [run_lane(strategy, late, until) for until in range(1, most + 1)]


@pytest.mark.parametrize(
    ("late", "right"),
    [
        ("output", {"idempotent_output", "transactional", "two_phase", "offset_in_sink"}),
        ("counter", {"two_phase", "offset_in_sink"}),
        ("commit", {"transactional", "two_phase", "offset_in_sink"}),
    ],
)
def test_which_strategies_are_right_wherever_it_arrives(late, right):
    found = {strategy: {verdict(lane)[0] for lane in every(strategy, late)} for strategy in LANES}
    assert found == {strategy: {strategy in right} for strategy in LANES}


def test_what_comes_of_the_late_request_depends_on_where_it_arrives():
    def words(strategy, late):
        return [came_of(lane) for lane in every(strategy, late)]

    filled = words("idempotent_output", "output")
    assert filled[0] == "carried out, and its repetition refused"
    assert filled[-1] == "refused, after the end"
    sent = words("transactional", "output")
    assert sent[0] == "recognised, offset 2, which was there already"
    assert sent[-1] == "refused by InvalidProducerEpoch, after the end"
    prepared = words("two_phase", "counter")
    assert prepared[0] == "carried out"  # by a server that does not look whether its client is there
    assert set(prepared[2:-1]) == {"refused"}
    applied = words("offset_in_sink", "counter")
    assert applied.index("refused") > applied.index("carried out, and its repetition refused") > 0


def test_a_late_position_brings_an_old_one_back_at_the_end():
    early, after = (run_lane("at_least_once", "commit", until) for until in (4, 60))
    assert not early.verdict.damage.positions_differ
    assert after.verdict.damage.positions_differ
    assert "positions wrong" in verdict(after)[2]
    assert "positions wrong" not in verdict(early)[2]


def boxes(html, lane):
    section = re.search(rf'<section class="eo-same-fault-lane eo-lane-{lane}".*?</section>', html, re.S).group()
    found = re.findall(r'<g class="box (\w*)"><rect x="([\d.]+)".*? width="([\d.]+)".*?<text[^>]*>([^<]*)<', section)
    return [(kind, round(float(x) + float(width) / 2, 1), words) for kind, x, width, words in found]


def test_a_box_stands_where_its_step_is_and_the_late_one_where_it_arrives():
    model = SameFaultModel("output", until=9)
    scale = Scale(900, model.state.most)
    found = boxes(fragments(model, 900)["stage"], "at_least_once")
    assert [words for _, _, words in found] == ["43.5", "43.5", "43.1"], "the late one, hour 2 once more, and hour 3"
    assert found[0][:2] == ("again", pytest.approx(scale.x(9) + scale.step / 2, abs=0.2))
    assert found[1][:2] == ("", pytest.approx(scale.x(5), abs=0.2))
    refused = boxes(fragments(model, 900)["stage"], "idempotent_output")
    assert refused[0][0] == "refused"
    rail = fragments(model, 900)["rail"]
    assert rail["left"] + rail["step"] * (rail["at"] - 1) == pytest.approx(found[0][1], abs=0.2)
    assert scale.x(-BEFORE) > LEFT


def test_the_one_that_comes_second_is_the_one_that_is_marked():
    kinds = [kind for kind, *_ in boxes(fragments(SameFaultModel("output", until=2), 900)["stage"], "at_least_once")]
    assert kinds == ["", "again", ""], "the late one was first"
    kinds = [kind for kind, *_ in boxes(fragments(SameFaultModel("commit", until=4), 900)["stage"], "at_least_once")]
    assert kinds == ["", "", ""], "a position that is written once more damages nothing"


def test_the_arrival_and_the_request_are_chosen_and_kept_within_the_run():
    model = SameFaultModel()
    model.do("until", "30")
    assert model.state.until == 30
    model.do("late", "counter")
    assert (model.state.late, model.state.until) == ("counter", 30)
    most = model.state.most
    model.do("until", most)
    model.do("late", "commit")
    assert model.state.until == model.state.most < most
    assert all(lane.until == model.state.until for lane in model.state.lanes)
    for action, value in (("until", 0), ("until", 999), ("until", "soon"), ("late", "tea"), ("fly", 1)):
        before = model.state.lanes
        model.do(action, value)
        assert model.state.error is not None
        assert model.state.lanes is before
    with pytest.raises(BadInput, match="tea"):
        same_fault("tea")


def test_the_table_and_the_text_say_the_same():
    widget = same_fault("counter")
    table = lanes_table(widget.model.state)
    assert list(table["strategy"]) == [strategy.replace("_", " ") for strategy in LANES]
    assert list(table["late"]) == list(LATE["counter"].values())
    assert "the counter is 3 and should be 2" in table["verdict"][0]
    assert "refused" in repr(widget)
