"""The recorded runs of chapter 13's scene are what a real broker does."""

import pytest

from exactly_once.chapters.ch13.commits import CALLS, STOPS, recorded, run


@pytest.mark.slow
@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("call", CALLS)
def test_a_real_broker_does_what_was_recorded(kafka, stop, call):
    assert run(kafka, stop, call) == recorded()[f"{stop}-{call}"]
