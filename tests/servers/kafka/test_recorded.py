"""The recorded runs of chapter 13's scene are what a real broker does."""

import pytest

from exactly_once.widgets import scene

RECORDING = scene("13").model.scene


@pytest.mark.slow
@pytest.mark.parametrize("stop", RECORDING.choices["stop"].values)
@pytest.mark.parametrize("call", RECORDING.choices["call"].values)
def test_a_real_broker_does_what_was_recorded(kafka, stop, call):
    chosen = {"stop": stop, "call": call}
    assert RECORDING.again(kafka, chosen) == RECORDING.steps(chosen)
