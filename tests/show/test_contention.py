"""The table of processes at a queue says what was counted."""

import pytest

from exactly_once import show
from exactly_once.errors import BadInput
from exactly_once.lockfree.contention import Contention

PUSHES = (((0.0, 0.1), (0.2, 1.0)), ((0.1, 0.2), (0.3, 0.4)))
RUNS = [Contention("lock", None, PUSHES), Contention("cas", "step", PUSHES, (0.25, 0.9))]


def test_the_table_says_what_was_counted():
    table = show.contention_table(RUNS)
    assert list(table["pushes of the others meanwhile"]) == ["–", "1"]
    assert list(table["stood still, s"]) == ["–", "0.65"]
    assert list(show.contention_table(RUNS[1]).queue) == ["lock-free"], "one result will do"


@pytest.mark.parametrize("results", [None, [], [7], "cas"])
def test_what_contend_did_not_return_is_refused(results):
    with pytest.raises(BadInput, match="contend"):
        show.contention_table(results)
