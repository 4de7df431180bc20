"""Answers as mutants of other answers: their text, and the error for a mutant that no longer fits."""

import pytest

from tests.course.answers import Answers, StaleMutant, solved


@pytest.fixture
def answers():
    """Two answers to a gap: a right one in full, and a wrong one that is still without its change."""
    made = Answers("02-to-commit", given="import math")
    made.right("all").code("""
        def answer(done, most):
            kept = list(done)
            return kept
    """)
    return made


def text_of(answers):
    return answers.all()[-1].text.removeprefix("import math\n\n\n")


def test_a_pair_replaces_within_a_line(answers):
    answers.wrong("none", ("list(done)", "[]"), of="all", reason="")
    assert text_of(answers) == "def answer(done, most):\n    kept = []\n    return kept\n"
    assert answers.all()[-1].value([1, 2], 3) == []


def test_a_diff_replaces_lines_in_several_places(answers):
    answers.wrong("twice", of="all", reason="").diff("""
    -    kept = list(done)
    +    kept = 2 * list(done)
    @@
    +    kept.sort()
         return kept
    """)
    assert text_of(answers).endswith("    kept = 2 * list(done)\n    kept.sort()\n    return kept\n")


def test_without_another_base_the_solution_is_changed(answers):
    answers.wrong("the last one", ("offset + 1", "offset"), reason="")
    assert text_of(answers) == solved("02-to-commit").replace("offset + 1", "offset")


@pytest.mark.parametrize(
    ("pair", "times"), [(("done[0]", ""), "stands 0 times in 'all'"), (("kept", ""), "stands 2 times in 'all'")]
)
def test_a_mutant_that_does_not_fit_its_base_is_named_with_its_line(answers, pair, times):
    answers.wrong("stale", pair, of="all", reason="")
    with pytest.raises(StaleMutant) as why:
        text_of(answers)
    assert all(word in str(why.value) for word in ("02-to-commit, 'stale'", times, f"| {pair[0]}", "return kept"))


def test_a_base_that_is_not_there_is_told(answers):
    answers.wrong("stale", ("a", "b"), of="some", reason="")
    with pytest.raises(StaleMutant, match="no answer 'some' is written in full; these are: all"):
        text_of(answers)


def test_an_answer_without_code_or_changes_is_told(answers):
    answers.wrong("empty", reason="")
    with pytest.raises(ValueError, match="'empty' has no code, no diff and no pairs"):
        text_of(answers)


def test_an_answer_is_named_after_its_task_state_and_name(answers):
    answers.wrong("first", ("list(done)", "[]"), of="all", reason="")
    assert answers.all()[1].id == "02-to-commit-wrong-first"
