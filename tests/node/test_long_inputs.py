"""What is pasted by a slip, cut, or made to harm: refused at once, in a sentence that can be read."""

import pytest

from exactly_once.__main__ import main
from exactly_once.clocks import Event, History
from exactly_once.course.chapters import chapter_named
from exactly_once.errors import BadInput, number_in, one_of
from exactly_once.explore import prove, replay
from exactly_once.faults import FaultPlan
from exactly_once.handlers import at_least_once
from exactly_once.sandbox.prove_safely import prove_file

NINES = "9" * 5_000
HUGE = "x" * 4_000_000


def test_what_is_much_too_long_is_not_quoted_whole():
    token = prove(at_least_once, items=1, crashes=1).counterexample.token
    for ask, said in (
        (lambda: FaultPlan.parse(HUGE), r"The token has 4,000,\d\d\d characters"),
        (lambda: FaultPlan.parse("eo1-" + "B3w." * 1_000_000 + "B3w-2222"), r"The token has 4,000,\d\d\d characters"),
        (lambda: replay(token + HUGE, at_least_once), r"The token has 4,000,\d\d\d characters"),
        (lambda: replay(token.replace("i1d", f"i{NINES}d"), at_least_once), "was changed or cut"),
        (lambda: one_of("the place", "a" + HUGE, ["here", "there"]), "it can be here, there"),
        (lambda: chapter_named(NINES), "There is no chapter"),
        (lambda: chapter_named("²"), "There is no chapter"),
        (lambda: prove_file(f"{NINES}:handler"), "There is no file"),
        (lambda: History([Event("a" + HUGE, "send")]), "the message of a send is None"),
    ):
        with pytest.raises(BadInput, match=said) as caught:
            ask()
        assert len(str(caught.value)) < 500, said


def test_numbers_in_texts():
    for text, number in ((" -12 ", -12), ("007", 7), ("²", None), ("--5", None), (NINES, None)):
        assert number_in(text) == number


def test_a_file_without_an_end(capsys):
    assert main(["clocks", "/dev/zero"]) == 2
    assert "/dev/zero has over" in capsys.readouterr().err


@pytest.mark.slow
def test_an_expression_that_never_ends_is_stopped(tmp_path, capsys):
    (tmp_path / "log").write_text('p {"p":1}\n' + "a" * 60 + "\n")
    expression = r"(?<host>(a+)+)! (?<clock>{.*})\n(?<event>.*)"
    assert main(["clocks", str(tmp_path / "log"), "--expression", expression]) == 2
    assert "needs more than 10 seconds for this log" in capsys.readouterr().err
