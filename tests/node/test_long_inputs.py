"""What is pasted by a slip, cut, or made to harm: refused at once, in a sentence that can be read."""

import sys

import pytest

from exactly_once.clocks.formats import matching
from exactly_once.clocks.formats.files import read_histories, read_text
from exactly_once.course.chapter import chapter_named
from exactly_once.course.exercises import solved as progress
from exactly_once.errors import BadInput, number_in, one_of
from exactly_once.explore import replay, tokens
from exactly_once.faults import FaultPlan
from exactly_once.handlers import at_least_once
from exactly_once.log.cases.reading import read_cases
from exactly_once.sandbox.prove_safely import prove_file
from exactly_once.sealed import sealed
from exactly_once.spark.cluster.processes import Owner

NINES = "9" * 5_000


def token(settings="n1i2d24h4t", body="0s"):
    """Return the token of a schedule as the course would write it, with settings and decisions of one's own."""
    head = f"{tokens.FORMAT}-{tokens.WORLD}-{tokens.fingerprint([at_least_once])}-{settings}-{body}"
    return sealed(head)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (token("n999999999i2d24h4t"), "the number of nodes of a token is 999999999; it must be between 1 and 15"),
        (token(f"n1i{NINES}d24h4t"), "was changed or cut"),
        (token(body=f"{NINES}s"), "is no decision of a schedule"),
        (token(body=f"0s x{NINES}".replace(" ", "")), "is no decision of a schedule"),
        (token(body=".".join(["0sx100000"] * 9)), "says more than 100,000 decisions"),
        (token(body="0px100000"), "the number of pauses in a token is 100000"),
        (token(body="0cx10.0ex10"), "the number of crashes in a token is 20"),
        (token(body=".".join(["0s"] * 1_000_000)), "The token has 3,000,0"),
    ],
    ids=["nodes", "items", "an actor", "a repetition", "decisions", "pauses", "crashes", "its length"],
)
def test_a_token_of_no_proof_is_refused_without_performing_it(text, said, monkeypatch):
    monkeypatch.setattr(sys.modules["exactly_once.explore.prove"], "Replayer", None)
    with pytest.raises(BadInput, match=said) as caught:
        replay(text, at_least_once)
    assert len(str(caught.value)) < 1_001


@pytest.mark.parametrize("text", ["x" * 4_000_000, "eo1-" + "B3w." * 1_000_000 + "B3w-2222"])
def test_a_token_of_four_megabytes_is_not_quoted_whole(text):
    with pytest.raises(BadInput, match=r"The token has 4,000,\d\d\d characters") as caught:
        FaultPlan.parse(text)
    assert len(str(caught.value)) < 200


def test_a_message_shows_the_beginning_and_the_end_of_what_is_too_long():
    with pytest.raises(BadInput) as caught:
        one_of("the place", "a" + "x" * 4_000_000, ["here", "there"])
    assert str(caught.value).startswith("the place is 'axxx")
    assert str(caught.value).endswith("x'; it can be here, there.")
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("text", ["²", NINES, "٣٣", "-", ""])
def test_a_chapter_of_odd_digits(text):
    with pytest.raises(BadInput, match="There is no chapter"):
        chapter_named(text)


@pytest.mark.parametrize("text", ["²:²", f"{NINES}:1", f"{2**40}:1", "0:1", "-1:1", "1:"])
def test_a_mark_of_odd_digits_on_somebody_s_command_line_is_no_owner(text):
    assert Owner.parse(text) is None


@pytest.mark.parametrize(("text", "number"), [(" -12 ", -12), ("007", 7), ("²", None), ("--5", None), (NINES, None)])
def test_numbers_in_texts(text, number):
    assert number_in(text) == number


def test_a_file_of_a_name_too_long():
    with pytest.raises(BadInput, match="There is no file"):
        prove_file(f"{NINES}:handler")


def test_a_progress_of_megabytes_is_not_quoted_whole():
    with pytest.raises(BadInput, match="no exported progress") as caught:
        progress.bring("eop2-" + "x" * 1_000_000)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("read", [read_histories, read_cases])
def test_a_file_without_an_end(read):
    with pytest.raises(BadInput, match=r"/dev/zero has over .* Give a part of it"):
        read("/dev/zero")


@pytest.mark.parametrize(
    ("expression", "delimiter"),
    [
        (r"(?<host>(a+)+)! (?<clock>{.*})\n(?<event>.*)", None),
        (r"(?<host>\S*) (?<clock>{.*})\n(?<event>\w*)", "(a+)+!"),
    ],
    ids=["expression", "delimiter"],
)
@pytest.mark.parametrize("given", ["in the file", "by the caller"])
def test_an_expression_that_never_ends_is_stopped(expression, delimiter, given, monkeypatch):
    monkeypatch.setattr(matching, "SECONDS", 0.5)
    log = 'p {"p":1}\n' + "a" * 60 + "\n"
    what = "delimiter" if delimiter else "expression"
    arguments = (log, "the text", expression, delimiter)
    if given == "in the file":
        arguments = (f"{expression}\n{delimiter or ''}\n{log}",)
    with pytest.raises(BadInput, match=rf"the {what} .* needs more than 0\.5 seconds for this log"):
        read_text(*arguments)


def test_an_expression_that_matches_everywhere_takes_no_memory_of_the_kernel(monkeypatch):
    monkeypatch.setattr(matching, "MEMORY_BYTES", 64 * 2**20)
    with pytest.raises(BadInput, match="GB of memory"):
        read_text("a\n" * 1_000_000, "the text", "(?<host>)(?<clock>)(?<event>)")
