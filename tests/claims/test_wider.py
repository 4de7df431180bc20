"""The kept findings within wider bounds: the file matches the handlers, and a new search finds the same."""

from dataclasses import replace

import pytest

from exactly_once import show
from exactly_once.claims import kept
from exactly_once.claims.mutants import MUTANTS
from exactly_once.claims.wider import HANDLER, WIDER, find
from exactly_once.explore import replay


def test_the_file_has_all_bounds_in_order():
    rows = kept().rows
    assert [(one.handler, one.claims) for one in rows] == [(one.handler, list(one.claims)) for one in WIDER]
    for row, wider in zip(rows, WIDER, strict=True):
        assert row.bounds.startswith(f"{wider.nodes} nodes, {wider.items} item"), row


def test_the_handler_stood_all_of_it_and_the_tokens_are_of_the_mutants_as_they_are():
    for row in kept().rows:
        if row.handler == HANDLER:
            assert row.broken == {}, row
        for token in row.broken.values():
            assert replay(token, MUTANTS[row.handler].handler).steps


def test_what_was_kept_is_drawn_with_its_date_and_tokens():
    picture = show.kept_table(kept())
    assert kept().date in picture.html
    assert len(picture.table) == len(WIDER)
    assert any(picture.table["token"])


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("number", range(len(WIDER)))
def test_it_is_found_again(number):
    found = find(WIDER[number])
    assert replace(found, seconds=0) == replace(kept().rows[number], seconds=0)
