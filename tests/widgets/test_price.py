"""The price of a step: the formula holds in a run, and the sliders show it."""

import pytest

from exactly_once.costs import counted
from exactly_once.errors import BadInput
from exactly_once.lockfree import general
from exactly_once.widgets import Price, cost_lab, price_lab

QUEUES = ("output", "second", "third")


@pytest.mark.parametrize(("inputs", "outputs"), [(1, 0), (1, 1), (3, 1), (1, 2)])
def test_a_step_asks_for_as_many_operations_as_it_costs(inputs, outputs):
    handler = general(lambda _, row: (0, [1] * outputs), 0, (), QUEUES[:outputs], batch=inputs)
    assert counted(handler).operations * inputs == pytest.approx(Price(inputs=inputs, outputs=outputs).operations)


def test_what_makes_it_faster():
    price = Price(latency=2, inputs=1, outputs=1)
    assert (price.milliseconds, price.records) == (20, 50)
    assert price.faster(twins=3) == 1
    assert price.faster(machines=10) == 10
    assert price.faster(latency=1) == 2
    assert price.faster(inputs=10) == pytest.approx(100 / 19)


@pytest.mark.parametrize(
    "wrong", [{"latency": 0}, {"latency": "2"}, {"inputs": 0}, {"outputs": 4}, {"machines": True}]
)
def test_numbers_that_make_no_sense_are_told(wrong):
    with pytest.raises(BadInput):
        price_lab(**wrong)


def test_a_slider_that_moves_changes_the_price_at_once():
    lab = price_lab()
    assert repr(lab).startswith("10 operations a step (2 + 1 + 7 · 1), 20.0 ms; 50 records a second")
    lab.sliders["outputs"].value = 2
    assert lab.price == Price(outputs=2)
    assert "17 operations a step" in lab.shown.value


def test_an_error_of_a_slider_is_shown():
    lab = price_lab()
    lab.sliders["inputs"].max = 1000
    lab.sliders["inputs"].value = 999
    assert "eo-is-bad" in lab.shown.value


@pytest.mark.slow
def test_the_costs_of_all_strategies_follow_from_counts_and_latency():
    lab = cost_lab(latency=2)
    assert lab.counted["at_least_once"].operations == 5
    assert lab.rates["at_least_once"] == pytest.approx(100)
    assert max(lab.rates, key=lab.rates.get) == "offset_in_sink"
    assert lab.rates == pytest.approx({name: 500 / many for name, many in lab.operations.items()})  # at 2 ms
    before = lab.rates
    lab.sliders["latency"].value *= 2
    assert lab.rates == pytest.approx({name: rate / 2 for name, rate in before.items()})
    lab.sliders["machines"].value = 4
    assert lab.rates == pytest.approx({name: 2 * rate for name, rate in before.items()})


@pytest.mark.not_by_day
def test_the_costs_are_shown_as_bars_with_their_numbers():
    lab = cost_lab(latency=2)
    assert all(f"{rate:,.0f}" in lab.shown.value for rate in lab.rates.values())
    assert lab.shown.value.count("★") == 1
    assert "about a region" in lab.shown.value
    for words, latency in {"a machine": 0.1, "a region": 1, "two regions, near": 5, "two regions, far": 50}.items():
        lab.sliders["latency"].value = latency
        assert f"about {words}" in lab.shown.value


@pytest.mark.parametrize("wrong", [{"latency": 0}, {"latency": "2"}, {"latency": 51}, {"machines": 0}])
def test_a_cost_that_makes_no_sense_is_told(wrong):
    with pytest.raises(BadInput):
        cost_lab(**wrong)
