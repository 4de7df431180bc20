"""Fault plans: their tokens, their refusals, and the incarnation that a fault strikes."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactly_once.errors import BadInput
from exactly_once.faults import CONNECTED, KILLS, KINDS, LASTING, POINTS, STEPS, SURE, Fault, FaultPlan, sealed

LIVES = st.none() | st.lists(st.integers(1, 40), min_size=1, max_size=3).map(tuple)
ITEMS = st.none() | st.integers(1, 999_999)


NODES = st.none() | st.integers(1, 15)


def crashes():
    return st.builds(
        Fault, at=st.sampled_from(POINTS), item=ITEMS, kill=st.sampled_from(list(KILLS)), lives=LIVES, node=NODES
    )


LATE = ("duplicated request", "late request")


def draw_faults():
    kinds = {step: [kind for kind in KINDS if kind != "crash"] for step in STEPS}
    kinds |= {step: ["crash before", "crash after", "pause"] for step in SURE}
    kinds |= {step: [kind for kind in kinds[step] if kind not in LATE] for step in CONNECTED}
    kinds |= {point: ["pause"] for point in POINTS}
    pairs = [(step, kind) for step, allowed in kinds.items() for kind in allowed]
    return st.tuples(st.sampled_from(pairs), ITEMS, st.sampled_from(list(KILLS)), LIVES, NODES, ITEMS).map(
        lambda drawn: Fault(
            drawn[0][0], drawn[1], drawn[0][1], *drawn[2:5], until=drawn[5] if drawn[0][1] in LASTING else None
        )
    )


PLANS = st.lists(crashes() | draw_faults(), max_size=4).map(tuple).map(FaultPlan)
TYPED = string.ascii_letters + string.digits + "-._*+ ٣é\n"


@given(PLANS)
def test_a_token_comes_back_as_the_plan_that_wrote_it(plan):
    assert FaultPlan.parse(plan.token) == plan
    assert FaultPlan.parse(f"  {plan.token}\n") == plan, "blanks around a pasted token do not matter"


@given(PLANS, PLANS)
def test_different_plans_have_different_tokens(one, other):
    assert (one.token == other.token) == (one == other)


@given(PLANS)
def test_no_single_mistyped_character_gives_another_plan(plan):
    token = plan.token
    for place in range(len(token)):
        for typed in TYPED:
            check_refused_or_same(token[:place] + typed + token[place + 1 :], plan)


@given(PLANS)
def test_no_two_swapped_characters_give_another_plan(plan):
    token = plan.token
    for place in range(len(token) - 1):
        check_refused_or_same(token[:place] + token[place + 1] + token[place] + token[place + 2 :], plan)


@given(PLANS, st.data())
def test_a_token_cut_short_is_refused(plan, data):
    with pytest.raises(BadInput):
        FaultPlan.parse(plan.token[: data.draw(st.integers(0, len(plan.token) - 1))])


def check_refused_or_same(mistyped, plan):
    """A mistyped token is refused; only the same plan may come back (letters of the check in lower case, say)."""
    try:
        parsed = FaultPlan.parse(mistyped)
    except BadInput:
        return
    assert parsed == plan, f"{mistyped!r} was read as another plan than {plan.token!r}"


def test_the_check_of_a_token_may_be_typed_in_lower_case():
    plan = FaultPlan.crash("B", 3)
    head, _, check = plan.token.rpartition("-")
    assert FaultPlan.parse(f"{head}-{check.lower()}") == plan


def test_what_is_no_token_is_refused_with_an_example():
    for token in (None, "", "B", 3, "eo1", "eo3-B3w-VT23", "eo1-B3w", "eo1-B3w-VT23-more", "--", []):
        with pytest.raises(BadInput, match=r"is no token of a fault plan; one looks like 'eo2-B3w-") as told:
            FaultPlan.parse(token)
        assert repr(token) in str(told.value)


def test_a_body_that_no_plan_writes_is_refused_even_with_a_fitting_check():
    for body in ("B0w", "B03w", "F3w", "B3", "B3z", "b3w", "B3wl", "B3wl0", "zzb3w", "B3w.", "", "٣"):
        for version in ("eo1", "eo2"):
            with pytest.raises(BadInput):
                FaultPlan.parse(sealed(f"{version}-{body}"))


def test_a_token_of_the_first_version_is_still_read():
    assert FaultPlan.parse("eo1-B3w-VT23") == FaultPlan.crash("B", 3)


def test_nonsense_is_refused_naming_the_value_and_what_would_do():
    for arguments, said in (
        ({"at": "F"}, ["'F'", "A, B, C, D, E", "output.push"]),
        ({"at": "B", "item": 0}, ["0", "between 1 and 999999"]),
        ({"at": "B", "kind": "flood"}, ["'flood'", "lost reply", "crash before"]),
        ({"at": "B", "kind": "lost reply"}, ["'lost reply'", "'B'", "'crash'"]),
        ({"at": "output.push"}, ["'crash'", "'output.push'", "crash before"]),
        ({"at": "choose", "kind": "lost reply"}, ["'lost reply'", "'choose'"]),
        ({"at": "B", "kill": "node"}, ["'node'", "worker", "executor"]),
        ({"at": "B", "lives": ()}, ["no incarnation at all"]),
        ({"at": "B", "until": 2}, ["until=2", "'crash'"]),
        ({"at": "output.push", "kind": "pause", "until": 0}, ["0", "between 1"]),
    ):
        with pytest.raises(BadInput) as told:
            Fault(**arguments)
        assert [words for words in said if words not in str(told.value)] == []
    for faults in (("B3w",), (None,), [Fault("B"), 3], Fault("B"), 7):
        with pytest.raises(BadInput, match="Fault objects"):
            FaultPlan(faults)


def test_a_fault_without_lives_is_one_key_for_all_lives():
    plan = FaultPlan((Fault("A"), Fault("B", 3)))
    assert [key for key, _ in plan.striking("B", "crash", (3,), 1)] == ["1"]
    assert [key for key, _ in plan.striking("B", "crash", (3,), 9)] == ["1"], "the same key: whoever gets there first"
    assert not list(plan.striking("B", "crash", (4,), 1))
    assert not list(plan.striking("C", "crash", (3,), 1))
    assert [key for key, _ in plan.striking("A", "crash", (7,), 2)] == ["0"], "without an item it strikes at any"


def test_a_fault_with_lives_is_one_key_for_each_of_them():
    plan = FaultPlan.crash("B", 3, lives=(3, 1, 3))
    assert plan.faults[0].lives == (1, 3)
    assert [[key for key, _ in plan.striking("B", "crash", (3,), life)] for life in (1, 2, 3)] == [
        ["0.1"],
        [],
        ["0.3"],
    ]


def test_unreached_names_the_faults_that_never_struck():
    plan = FaultPlan((Fault("A", 1), Fault("B", 2), Fault("C", 3, lives=(1, 2))))
    assert plan.unreached([]) == [(plan.faults[0], ()), (plan.faults[1], ()), (plan.faults[2], (1, 2))]
    assert plan.unreached(["0", "2.2"]) == [(plan.faults[1], ()), (plan.faults[2], (1,))]
    assert plan.unreached(["0", "1", "2.1", "2.2"]) == []
