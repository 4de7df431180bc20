"""The estimate: the article's 23 years, what it assumes, and counting that agrees with the formula."""

import math
import random
from dataclasses import replace

import pytest

from exactly_once.lockfree import Estimate

DAY, YEAR = 86_400, 365.25 * 86_400
OFTEN = Estimate(a_day=432)  # p = 0.05


def struck(estimate, batches):
    """Let mishaps strike nodes, batch by batch; return the share of batches in which they leave no node up."""
    draw, shared, found = random.Random(7).random, estimate.common * estimate.p, 0
    back = [0] * estimate.nodes  # the batch with which each node is up again
    for batch in range(batches):
        together, anew = draw() < shared, False
        for node, free in enumerate(back):
            if free <= batch and (together or draw() < estimate.own):
                back[node], anew = batch + estimate.repair, True
        found += min(back) > batch and anew
    return found / batches


def test_one_mishap_a_day_and_a_batch_of_ten_seconds_give_the_articles_23_years():
    assert Estimate(nodes=1).p == 10 / 86_400
    assert Estimate(nodes=1).years * YEAR == pytest.approx(DAY)
    two = Estimate(nodes=2)
    assert two.all_struck == pytest.approx((10 / 86_400) ** 2, rel=1e-12)
    assert two.years * YEAR / DAY == pytest.approx(8640, rel=1e-12), "8640 batches a day: 8640 squared batches"
    assert math.floor(two.years) == 23
    assert round(10 / 1e-8 / YEAR) == 32, "what 1e-8, rounded, would give"
    assert Estimate(nodes=3).years * YEAR / DAY == pytest.approx(8640**2, rel=1e-12)


def test_two_nodes_that_are_back_later_meet_2r_minus_1_times_as_often():
    one = Estimate().all_struck
    for repair in (2, 6, 60):
        later = Estimate(repair=repair)
        assert later.all_struck / one == pytest.approx(2 * repair - 1, rel=3 * repair * later.p)
    assert Estimate(repair=360).years * YEAR / DAY < 14, "an hour's repair makes days of years"


def test_common_causes_bound_what_any_number_of_nodes_can_do():
    assert Estimate(common=1.0).years == pytest.approx(Estimate(nodes=1).years)
    assert Estimate(nodes=3, common=0.01).years == pytest.approx(Estimate(nodes=1).years * 100, rel=1e-3)
    assert Estimate(common=Estimate().p).years == pytest.approx(Estimate().years / 2, rel=2e-2), "p itself halves it"


@pytest.mark.parametrize(
    ("estimate", "another"),
    [
        (OFTEN, replace(OFTEN, common=0.02)),
        (Estimate(nodes=3, a_day=864), Estimate(nodes=3, a_day=1000)),
        (replace(OFTEN, repair=4), replace(OFTEN, repair=3)),
        (replace(OFTEN, common=0.1), OFTEN),
    ],
)
def test_counting_agrees_with_the_formula_and_not_with_that_of_another_estimate(estimate, another):
    counted = struck(estimate, 200_000)
    slack = 3.3 * math.sqrt(counted * (1 - counted) / 200_000)  # 99.9 %, since there are four
    assert abs(counted - estimate.all_struck) <= slack < abs(counted - another.all_struck)
