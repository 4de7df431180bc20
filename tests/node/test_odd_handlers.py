"""Handlers that are written in unusual ways, or are no handlers at all."""

import functools
from fractions import Fraction

import pytest

from exactly_once import judge, show, simulate
from exactly_once.errors import BadInput
from exactly_once.handlers import at_least_once
from tests.sandbox import sandboxed


def generator(node):
    yield node


async def coroutine(node):
    node.positions.load()


class Called:
    def __call__(self, node):
        yield node


def test_generators_coroutines_and_what_holds_an_open_file_are_refused(tmp_path):
    for handler in (generator, coroutine, Called(), functools.partial(generator)):
        with pytest.raises(BadInput, match="runs nothing"):
            simulate(handler)
    with (tmp_path / "open.txt").open("w") as file:

        def writes(node):
            file.write("x")

        with pytest.raises(BadInput, match="'writes' holds something that cannot travel"):
            simulate(writes)


def idle(node):
    node.positions.load()


def hasty(node):
    items, _ = node.read(node.positions.load())
    node.output.push(items[0].value)


def test_a_handler_that_does_too_little_is_told_so():
    assert "writes nothing" in judge(simulate(idle), idle).sentence
    assert "unread" in judge(simulate(hasty), hasty).sentence
    assert "Mind" not in judge(simulate(at_least_once), at_least_once).sentence


@pytest.mark.parametrize("what", [KeyboardInterrupt, GeneratorExit, BaseException, SystemExit])
def test_whatever_a_handler_raises_is_its_own_error(what):
    def handler(node):
        raise what("here")

    verdict = sandboxed(handler)
    assert what.__name__ in verdict.run.error
    assert "in handler" in verdict.run.error


def test_a_huge_number_is_shown_in_words_or_refused_in_a_sentence():
    for huge in (10**10_000, Fraction(10**400, 3)):

        def handler(node, huge=huge):
            node.output.push(huge)

        verdict = judge(simulate(handler), handler)
        assert "set_int_max_str_digits" not in str(verdict.run.error) + verdict.sentence
        assert show.verdict(verdict).html
