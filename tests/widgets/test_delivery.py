"""The delivery lab: every setting has its run, and the screen says what the run holds."""

import re

import pytest

from exactly_once.widgets import DeliveryModel, delivery_lab
from exactly_once.widgets.delivery.model import RECEIVING, SENDING
from exactly_once.widgets.delivery.view import fragments


def test_every_misfortune_can_be_chosen_and_strikes():
    model = DeliveryModel()
    for sending in SENDING:
        for receiving in RECEIVING:
            model.do("sending", sending)
            model.do("receiving", receiving)
            assert model.state.error is None
            assert len(model.state.delivery.struck) == (sending != "nothing") + (receiving != "nothing")


def test_the_misfortune_strikes_at_the_record_that_was_chosen():
    model = DeliveryModel()
    for number in range(1, 7):
        model.do("sending_at", str(number))
        assert model.state.delivery.end.doubled == (number,)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("sending_at", "7", "between 1 and 6"),
        ("sending_at", "", "give a whole number from 1 to 6"),
        ("receiving_at", "two", "'two'"),
        ("retry", "sometimes", "'sometimes'"),
        ("update", None, "it can be add, overwrite"),
        ("explode", None, "The lab's action is 'explode'"),
    ],
)
def test_a_value_that_makes_no_sense_changes_nothing_and_is_told(name, value, words):
    model = DeliveryModel()
    before = model.state.settings, model.state.delivery
    model.do(name, value)
    assert words in model.state.error.message
    assert (model.state.settings, model.state.delivery) == before
    model.do("position", "first")
    assert model.state.error is None


def test_reset_brings_the_first_setting_back():
    model = DeliveryModel()
    first = model.state.settings
    for name, value in (("retry", "give up"), ("update", "overwrite"), ("receiving", "after")):
        model.do(name, value)
    assert model.state.settings != first
    model.do("reset")
    assert model.state.settings == first


def test_the_four_settings_suffer_the_same():
    model = DeliveryModel()
    model.do("receiving", "after")
    four = model.four()
    assert len(four) == 4
    assert all(len(run.struck) == 2 for run in four.values())
    assert not four["retry", "last"].end.lost
    assert not four["give up", "first"].end.doubled


def test_the_screen_tells_every_step_and_marks_the_faults():
    model = DeliveryModel()
    model.do("receiving", "after")
    shown = fragments(model)
    assert len(shown["says"]) == len(shown["stages"]) == len(model.state.delivery.moments)
    assert [shown["says"][place] for place in shown["marks"]] == list(model.state.delivery.struck)
    last = shown["stages"][-1]
    assert last.count("× twice") == 3 + 1  # three effects, and one record in the log
    assert last.count("× 3 times") == 1
    assert 'eo-doubled eo-bad">× 4<' in last
    assert all(says in shown["words"] for says in shown["says"])
    assert "✗ Doubled." in re.sub("<[^>]+>", "", shown["verdict"])
    assert "⚑ saved" in last


def test_the_page_hears_what_was_chosen():
    lab = delivery_lab()
    before = lab.stages
    lab._heard(None, {"do": "retry", "value": "give up"}, ())
    assert lab.stages != before
    assert "Neither" in lab.promise
    lab._heard(None, "nonsense", ())
    assert "The lab&#x27;s action is" in lab.error
    assert repr(lab) == "Delivery lab: 0 lost, 0 doubled."
