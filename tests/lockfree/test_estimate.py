"""The estimate: the article's 23 years, what it assumes, and a simulation that agrees with the formula."""

import math
from dataclasses import replace

import pytest

from exactly_once.errors import BadInput
from exactly_once.lockfree.estimate import DAY, YEAR, Estimate, Simulated, simulate_mishaps, wilson

OFTEN = Estimate(a_day=432)  # p = 0.05


def test_one_mishap_a_day_and_a_batch_of_ten_seconds_give_the_articles_23_years():
    assert Estimate(nodes=1).p == 10 / 86_400
    assert Estimate(nodes=1).years * YEAR == pytest.approx(DAY)
    two = Estimate(nodes=2)
    assert two.all_struck == pytest.approx((10 / 86_400) ** 2, rel=1e-12)
    assert two.years * YEAR / DAY == pytest.approx(8640, rel=1e-12), "8640 batches a day: 8640 squared batches"
    assert math.floor(two.years) == 23
    assert round(10 / 1e-8 / YEAR) == 32, "what 1e-8, rounded, would give"
    assert Estimate(nodes=3).years * YEAR / DAY == pytest.approx(8640**2, rel=1e-12)


def test_a_node_that_is_back_later_is_down_oftener_and_two_meet_2r_minus_1_times_as_often():
    one = Estimate().all_struck
    for repair in (2, 6, 60):
        later = Estimate(repair=repair)
        assert later.down == pytest.approx(repair * later.p, rel=repair * later.p)
        assert later.all_struck / one == pytest.approx(2 * repair - 1, rel=3 * repair * later.p)
    assert Estimate(repair=360).years * YEAR / DAY < 14, "an hour's repair makes days of years"


def test_common_causes_bound_what_any_number_of_nodes_can_do():
    assert Estimate(common=1.0).years == pytest.approx(Estimate(nodes=1).years)
    assert Estimate(nodes=3, common=0.01).years == pytest.approx(Estimate(nodes=1).years * 100, rel=1e-3)
    for estimate in (Estimate(), Estimate(nodes=3), Estimate(repair=60)):
        halved = replace(estimate, common=estimate.halving_share)
        assert halved.years == pytest.approx(estimate.years / 2, rel=2e-2)
    assert Estimate().halving_share == pytest.approx(10 / 86_400), "for two nodes it is p itself"


@pytest.mark.parametrize(
    ("estimate", "another"),
    [
        (Estimate(nodes=1, a_day=86.4), Estimate(nodes=1, a_day=100)),
        (OFTEN, replace(OFTEN, common=0.02)),
        (Estimate(nodes=3, a_day=864), Estimate(nodes=3, a_day=1000)),
        (replace(OFTEN, repair=4), replace(OFTEN, repair=3)),
        (Estimate(a_day=43.2, repair=10), Estimate(a_day=43.2, repair=7)),
        (replace(OFTEN, common=0.1), OFTEN),
        (replace(OFTEN, nodes=3, common=1.0), replace(OFTEN, nodes=3, common=0.9)),
    ],
)
def test_the_simulation_agrees_with_the_formula_and_not_with_that_of_another_estimate(estimate, another):
    found = simulate_mishaps(estimate, batches=200_000, seed=7)
    low, high = wilson(found.struck, found.batches, z=3.3)  # 99.9 %, since there are seven
    assert low < found.low < found.high < high
    assert low <= estimate.all_struck <= high
    assert not low <= another.all_struck <= high
    if not estimate.common:
        assert found.late / found.batches == pytest.approx(estimate.down**estimate.nodes, rel=0.1)


def test_with_late_repair_and_common_causes_the_formula_holds_to_first_order():
    estimate = Estimate(a_day=43.2, repair=6, common=0.05)
    found = simulate_mishaps(estimate, batches=400_000, seed=1)
    assert found.rate == pytest.approx(estimate.all_struck, rel=0.15)


def test_a_seed_gives_the_same_again_and_another_one_does_not():
    assert simulate_mishaps(OFTEN, 5_000, seed=3) == simulate_mishaps(OFTEN, 5_000, seed=3)
    assert simulate_mishaps(OFTEN, 5_000, seed=3) != simulate_mishaps(OFTEN, 5_000, seed=4)


def test_a_time_without_nodes_is_counted_when_it_begins_however_long_it_lasts():
    assert simulate_mishaps(Estimate(a_day=8640, repair=5), batches=100) == Simulated(100, struck=20, late=100)
    assert simulate_mishaps(Estimate(a_day=0), batches=100) == Simulated(100, struck=0, late=0)
    assert Estimate(a_day=0).years == math.inf
    assert math.isnan(Estimate(a_day=0).halving_share)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"nodes": 0}, "the number of nodes is 0"),
        ({"nodes": 2.0}, "the number of nodes is 2.0"),
        ({"batch": 0}, "the length of a batch in seconds is 0"),
        ({"batch": "10"}, "the length of a batch in seconds is '10'"),
        ({"a_day": 8641}, "from 0 to 8640, so many batches a day has"),
        ({"a_day": -1}, "the number of mishaps a day is -1"),
        ({"a_day": math.nan}, "the number of mishaps a day is nan"),
        ({"repair": 0}, "the repair time in batches is 0"),
        ({"repair": 1.5}, "the repair time in batches is 1.5"),
        ({"common": 1.1}, "the share of mishaps with a common cause is 1.1"),
        ({"common": True}, "the share of mishaps with a common cause is True"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(settings, said):
    with pytest.raises(BadInput, match=said):
        Estimate(**settings)


def test_what_cannot_be_simulated_is_refused():
    with pytest.raises(BadInput, match="The estimate is 2; give an Estimate"):
        simulate_mishaps(2)
    with pytest.raises(BadInput, match="the number of batches is 0"):
        simulate_mishaps(OFTEN, 0)
    with pytest.raises(BadInput, match="the seed is None"):
        simulate_mishaps(OFTEN, seed=None)
