"""The verdict is tested by mutation: break each of its rules, and see one of the core assertions turn red."""

import pytest

from exactly_once.faults import POINTS, FaultPlan
from exactly_once.handlers import ORDERS, handler_in_order
from exactly_once.simulate import simulate
from exactly_once.simulate.replay import Run
from exactly_once.verdict import damage as damage_module
from exactly_once.verdict import ideal_outcomes, judge, outcome
from exactly_once.verdict import verdict as verdict_module
from exactly_once.verdict.damage import Damage
from tests.verdict import test_verdict as suite


def core_assertions():
    """Return the names of the core assertions that do not hold: none, unless a rule of the verdict is broken."""
    broken = set()
    for order, point, item in [*SAMPLES, (ORDERS[0], "B", 1)]:
        handler = handler_in_order(order)
        told, right = (
            suite.found(suite.judge(simulate(handler, FaultPlan.crash(point, item)), handler)),
            suite.model.predict(order, point, item, suite.HOURS),
        )
        broken |= {name for name in right if told[name] != right[name]}
    tests = [
        suite.test_equal_neighbours_are_told_apart,
        suite.test_another_order_of_the_outputs_is_damage,
        suite.test_other_positions_are_damage,
        suite.test_choices_make_several_ideals_and_each_is_right,
    ]
    for test in tests:
        try:
            test()
        except AssertionError:
            broken.add(test.__name__)
    return broken


SAMPLES = [(order, point, 3) for order in (ORDERS[0], suite.POSITIONS_FIRST, ORDERS[-1]) for point in POINTS]


def without(*fields):
    """Return a mutation of `damage` that never names these fields."""
    real = damage_module.damage
    nothing = Damage()

    def mutated(run, ideal):
        one = real(run, ideal)
        kept = {name: getattr(one, name) for name in one.__dataclass_fields__ if name not in fields}
        if "counter" in fields:
            kept["counter"] = one.expected_counter
        return Damage(**kept | {name: getattr(nothing, name) for name in fields if name != "counter"})

    return [(verdict_module, "damage", mutated)]


def as_a_set(state):
    """Return a state as text in which not even the number of equal readings counts."""
    readings = {tuple(reading) for reading in getattr(state, "readings", ())}
    return str(sorted(readings)) if readings else outcome.encode(state)


def by_value(pushes):
    """Return the pushes grouped by value, for any pusher and item."""
    return {value: [push for push in pushes if push.value == value] for value in {push.value for push in pushes}}


def judged_as(consistent):
    """Return a mutation of `judge` with a constant verdict."""
    real = judge

    def mutated(run, handler, ideals=None):
        verdict = real(run, handler, ideals)
        return type(verdict)(verdict.run, verdict.damage, consistent, verdict.reached, verdict.sentence)

    return [(suite, "judge", mutated)]


MUTATIONS = {
    "duplicates are ignored": lambda: without("duplicated"),
    "missing is ignored": lambda: without("missing"),
    "wrong values are ignored": lambda: without("wrong"),
    "the counter is ignored": lambda: without("counter"),
    "disorder is ignored": lambda: without("disordered"),
    "inputs twice are ignored": lambda: without("doubled_inputs"),
    "inputs left out are ignored": lambda: without("lacking_inputs"),
    "positions are ignored": lambda: without("positions_differ"),
    "the state is compared as a set": lambda: [(outcome, "multiset", as_a_set)],
    "provenance is by value": lambda: [(damage_module, "_by_pass", by_value)],
    "the farthest ideal is taken": lambda: [
        (Damage, "weight", property(lambda one: -len(one.wrong) - one.disordered))
    ],
    "one ideal is enough": lambda: [
        (verdict_module, "ideal_outcomes", lambda *given, **more: ideal_outcomes(*given, **more)[:1])
    ],
    "always consistent": lambda: judged_as(True),
    "never consistent": lambda: judged_as(False),
    "always reached": lambda: [(Run, "reached", True)],
    "never reached": lambda: [(Run, "reached", False)],
}


def test_the_core_assertions_hold():
    assert core_assertions() == set()


@pytest.mark.parametrize("name", MUTATIONS)
def test_breaking_a_rule_of_the_verdict_turns_a_core_assertion_red(name, monkeypatch):
    for where, what, mutated in MUTATIONS[name]():
        monkeypatch.setattr(where, what, mutated)
    assert core_assertions() != set()
