"""Pure functions of learners: tried, put into the lock-free machine, explored, and counted."""

from pathlib import Path

import pytest

from exactly_once.errors import CourseError, HandlerStuck
from exactly_once.explore import replay
from exactly_once.lockfree import general
from exactly_once.sandbox.prove_safely import prove_safely
from exactly_once.sandbox.pure import NotPure, Setting, calls_of, cost_of, prove_pure
from exactly_once.stores import decode
from tests.sandbox import pure_functions

FILE = str(Path(pure_functions.__file__))
ONE = Setting(0, ("a",))
LIST = Setting([], ("in",), ("out",), ((5, 5, 7),))
TWO = Setting(0, ("a", "b"), ("sums", "big"))


def where(name):
    return f"{FILE}:{name}"


def answers(function, setting):
    return [decode(answer) for _, answer in calls_of(function, setting)]


def test_a_function_is_called_with_its_own_states():
    assert answers(where("deduplicate"), LIST) == [[[5], [5]], [[5], []], [[5, 7], [7]]]


def test_of_two_queues_one_may_have_nothing():
    assert answers(where("total"), TWO) == [[12, [12, None]], [14, [14, None]]]


def test_a_function_may_change_its_arguments_which_are_copies():
    assert answers(where("changes_its_arguments"), Setting([], ("a",))) == [[[1], [1]], [[1, 2], [2]]]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rolls_dice", "is not pure: given the state 0 and the inputs [1] it returned"),
        ("remembers", "it returned [0,[true]], and when it was called again with the same [0,[false]]"),
        ("in_the_order_of_a_set", "with another hash seed"),
        ("divides_by_zero", "given the state 0 and the inputs [1]: ZeroDivisionError: division by zero."),
        ("returns_its_state", "returned 0; return (state, outputs). It was given the state 0 and the inputs [1]."),
        ("returns_text", "are 'ab'; give a list"),
        ("returns_an_object", "A store cannot keep"),
        ("asks_the_year", "is not pure: it asks for the time in line"),
        ("leaves", "given the state 0 and the inputs [1]: SystemExit: enough."),
        ("is_async", "from a plain function, without `yield` and `async`"),
        ("takes_one", "'takes_one' failed, given the state 0"),  # in no line of its own
    ],
)
def test_a_function_that_is_not_pure_or_fails_is_refused_in_a_sentence(name, said):
    with pytest.raises(NotPure) as why:
        calls_of(where(name), ONE)
    assert said in str(why.value)
    assert "Traceback" not in str(why.value)


def test_one_that_asks_what_time_it_is_is_refused_though_the_year_is_the_same():
    for function in pure_functions.CLOCKS.values():
        with pytest.raises(NotPure, match="is not pure: it asks for the time in line"):
            calls_of(function, ONE)


def test_one_that_depends_on_the_time_zone_is_refused():
    for function in pure_functions.ZONES.values():
        with pytest.raises(NotPure, match="in another time zone"):
            calls_of(function, ONE)


def test_the_order_of_two_words_is_found_though_it_is_the_same_under_two_seeds():
    for words in (("up", "down"), ("ham", "eggs")):
        with pytest.raises(NotPure, match="with another hash seed"):
            calls_of(pure_functions.in_the_order_of_two_words(*words), ONE)


def test_times_that_come_with_the_inputs_are_no_clock():
    assert answers(where("knows_times_of_its_inputs"), ONE)[0] == [0, [["1970-01-02", "1970-01-01", 2024]]]


def test_a_forgotten_first_state_is_spoken_of():
    with pytest.raises(NotPure, match="The state before any input is None, unless you give one, as first or --first"):
        calls_of(where("sink"), Setting(None, ("a",)))


@pytest.mark.slow  # it asks for long; one that remembers is found below, at once
def test_one_that_answers_in_another_way_only_after_a_while_is_found_by_the_exploration():
    assert calls_of(where("changes_its_mind_later"), ONE)
    with pytest.raises(NotPure, match=r"depends on earlier calls.* when it was asked 10 times before"):
        prove_pure(where("changes_its_mind_later"), ONE)


AGAIN = Setting(0, ("a",), values=((5, 5, 7),))
REMEMBERING = [name for name in vars(pure_functions) if name.startswith("remembers_")]


@pytest.mark.parametrize("name", REMEMBERING)
def test_one_that_remembers_outside_of_its_state_is_refused_with_the_smallest_example(name):
    """Each run asks it the same questions in the same order, so only a copy that was asked less answers otherwise."""
    said = (
        r"its answer depends on earlier calls. Given the state 1 and the inputs \[5\] it returned \[2,\[5\]\], and "
        r"\[2,\[\]\] when it was first asked for the state 0 and the inputs \[5\]\."
    )
    for explore in (calls_of, prove_pure):
        with pytest.raises(NotPure, match=said):
            explore(where(name), AGAIN)


def test_the_memory_of_a_module_beside_it_is_found_however_it_is_imported(tmp_path):
    (tmp_path / "kept_beside.py").write_text(
        "FIRSTS = {}\n\n\ndef first(v, s):\n    return FIRSTS.setdefault(v, s)\n"
    )
    (tmp_path / "mine.py").write_text(
        "import kept_beside\nfrom kept_beside import first\n\n\n"
        "def by_name(s, i):\n    return s + 1, i if first(i[0], s) == s else []\n\n\n"
        "def by_module(s, i):\n    return s + 1, i if kept_beside.first(i[0], s) == s else []\n\n\n"
        "def late(s, i):\n    from kept_beside import FIRSTS\n\n"
        "    return s + 1, i if FIRSTS.setdefault(i[0], s) == s else []\n"
    )
    for name in ("by_name", "by_module", "late"):
        with pytest.raises(NotPure, match="depends on earlier calls"):
            calls_of(f"{tmp_path / 'mine.py'}:{name}", AGAIN)


def test_every_question_is_put_behind_every_other():
    """Without a fault no question is left out; a node that goes on behind a twin's step leaves some out."""
    with pytest.raises(NotPure, match=r'and \[3,\["skipped"\]\] when it was first asked for the state 0'):
        prove_pure(where("notices_that_a_question_was_left_out"), AGAIN)


@pytest.mark.not_by_day
def test_one_that_only_looks_up_constants_is_proved():
    proof = prove_pure(where("looks_up"), AGAIN)
    assert proof.ok, str(proof)


@pytest.mark.not_by_day
def test_a_file_may_use_one_that_stands_beside_it_and_none_hides_a_module_of_pythons(tmp_path):
    (tmp_path / "beside.py").write_text("def add(a, b):\n    return a + b\n")
    (tmp_path / "statistics.py").write_text("raise RuntimeError\n")
    (tmp_path / "mine.py").write_text(
        "import statistics\n\nfrom beside import add\n\n\ndef f(state, inputs):\n"
        "    return add(state, inputs[0]), [statistics.mean([state, state])]\n"
    )
    assert prove_pure(f"{tmp_path / 'mine.py'}:f", ONE).ok


def test_the_order_of_a_set_is_found_in_a_function_within_a_handler():
    with pytest.raises(CourseError, match="another hash seed"):
        prove_safely(general(pure_functions.in_the_order_of_a_set), nodes=1, items=1)


@pytest.mark.slow
def test_a_function_without_an_end_is_stopped():
    with pytest.raises(HandlerStuck, match="loop that never leaves"):
        prove_pure(where("never_ends"), ONE)


@pytest.mark.some(day=0, ci=2)
@pytest.mark.parametrize(
    ("name", "setting", "bounds"),
    [
        ("deduplicate", LIST, {"crashes": 1}),
        ("total", TWO, {"crashes": 1}),
        ("mean", Setting(), {"crashes": 0, "lost_replies": 1}),
        ("sink", Setting(0, ("a",), ()), {"crashes": 2, "duplicates": 1}),
    ],
)
def test_pure_functions_are_proved_with_two_nodes(name, setting, bounds):
    proof = prove_pure(where(name), setting, **bounds)
    assert proof.ok, str(proof)
    assert proof.lock_free
    assert proof.bounds.nodes == 2
    assert not [warning for warning in proof.warnings if "unread" in warning]


@pytest.mark.slow
def test_a_function_that_cannot_do_with_an_empty_queue_is_found_out_when_they_are_filled_meanwhile():
    assert prove_pure(where("does_not_expect_none"), TWO, crashes=0).ok
    with pytest.raises(CourseError, match="TypeError"):
        prove_pure(where("does_not_expect_none"), TWO, arriving=True, crashes=0)


def test_without_preparing_one_death_doubles_an_output_and_the_token_replays():
    proof = prove_pure(pure_functions.deduplicate, LIST, 1, prepared=False)
    assert "more than once" in proof.counterexample.sentence
    program = LIST.program(pure_functions.deduplicate, prepared=False)
    assert replay(proof.counterexample.token, program).run.outcome.outputs == ("5", "5", "7")


@pytest.mark.some(day=0, ci=2)
@pytest.mark.parametrize(
    ("name", "setting", "steps", "messages"),
    [
        ("deduplicate", LIST, 3, 2),
        ("total", Setting(0, ("a", "b"), ("sums", "big"), ((1, 2, 30), (10,))), 3, 4),
        ("mean", Setting(items=5, batch=2), 3, 3),
        ("sink", Setting(0, ("a",), ()), 2, 0),
    ],
)
def test_the_cost_is_what_the_rules_of_the_machine_say(name, setting, steps, messages):
    cost = cost_of(where(name), setting)
    assert (cost.steps, cost.messages) == (steps, messages)
    assert cost.counted == cost.expected
    assert cost_of(where(name), setting, 2).counted > cost.counted
