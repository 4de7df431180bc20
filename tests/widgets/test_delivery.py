"""The delivery lab: every setting has its run, and the screen says what the run holds."""

import itertools
import re

import pytest
from screen import Screen

from exactly_once.widgets import DeliveryModel, DeliverySettings, delivery_lab
from exactly_once.widgets.delivery.model import FAULTS, RECEIVING, SENDING
from exactly_once.widgets.delivery.view import TIMES, fragments, in_step, marks_of

RETRY_LAST, GIVE_UP_FIRST = ("retry", "last"), ("give up", "first")
READ = ("consumer", True)  # the wire and the direction of a record that the consumer reads


def words(html):
    """Return the words of a fragment of HTML, as they stand on the screen."""
    return " ".join(Screen(html).lines)


def test_every_misfortune_can_be_chosen_and_strikes():
    model = DeliveryModel()
    for sending in SENDING:
        for receiving in RECEIVING:
            model.do("sending", sending)
            model.do("receiving", receiving)
            assert model.state.error is None
            assert len(model.state.delivery.struck) == (sending != "nothing") + (receiving != "nothing")


@pytest.mark.parametrize("side", FAULTS)
def test_every_misfortune_strikes_every_record_from_its_menu_and_the_run_begins_before_it(side):
    model = DeliveryModel(DeliverySettings(sending="nothing"))
    for kind in FAULTS[side]:
        for number in range(1, 7):
            model.do("strike", f"{side}|{kind}|{number}")
            state = model.state
            assert (getattr(state.of, side), getattr(state.of, f"{side}_at")) == (kind, number)
            assert [moment.faulty for moment in state.delivery.moments].count(True) == (kind != "nothing")
            if kind != "nothing":
                assert marks_of(state.delivery) == [state.begin + 1]


def test_a_fault_from_a_menu_comes_from_the_step_before_it_and_not_before_that_of_the_other_side():
    model = DeliveryModel()
    model.do("strike", "receiving|after|5")
    (first, second), begin = marks_of(model.state.delivery), model.state.begin
    assert begin == second - 1 > first
    model.do("position", "first")
    assert model.state.begin == marks_of(model.state.delivery)[0] - 1, "what a switch changes begins at the first"


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
        ("strike", "sending|reply|0", "between 1 and 6"),
        ("strike", "sideways|reply|3", "'sideways'"),
        ("strike", "sending|plague|3", "'plague'"),
        ("strike", None, "cannot do 'strike'"),
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


def test_a_fault_from_a_menu_waits_for_a_field_that_is_wrong_unless_it_fills_it():
    model = DeliveryModel()
    model.do("sending_at", "9")
    model.do("strike", "receiving|after|2")
    assert model.stale.startswith("This is the run before: the acknowledgement is lost at record 3.")
    assert model.state.settings.receiving_at == 2
    model.do("strike", "sending|request|4")
    assert (model.stale, len(model.state.delivery.struck)) == ("", 2)


def test_reset_brings_the_first_setting_back():
    model = DeliveryModel()
    first = model.state.settings
    for name, value in (("retry", "give up"), ("update", "overwrite"), ("receiving", "after")):
        model.do(name, value)
    assert model.state.settings != first
    model.do("reset")
    assert model.state.settings == first


def test_the_four_settings_suffer_the_same_in_step():
    model = DeliveryModel()
    model.do("receiving", "after")
    four, main = model.four(), model.state.delivery
    assert len(four) == 4
    assert all(len(run.struck) == 2 for run in four.values())
    assert not four[RETRY_LAST].end.lost
    assert not four[GIVE_UP_FIRST].end.doubled
    for run in four.values():
        pace = in_step(main, run)
        assert pace == sorted(pace)
        assert [pace[place] for place in (0, *marks_of(main), -1)] == [0, *marks_of(run), len(run.moments) - 1]


def test_the_screen_tells_every_step_and_marks_the_faults():
    model = DeliveryModel()
    model.do("receiving", "after")
    shown, delivery = fragments(model), model.state.delivery
    assert len(shown["says"]) == len(shown["stages"]) == len(shown["copies"]) == len(delivery.moments)
    for place, struck in zip(shown["marks"], delivery.struck, strict=True):
        assert words(shown["says"][place]).startswith(struck)
        assert "record 3 takes effect ⟨never⟩ ⟨once⟩ ⟨more than once⟩" in words(shown["says"][place])
    assert all(moment.text in words(shown["tables"]) for moment in delivery.moments)
    last, end = words(shown["stages"][-1]), words(shown["says"][-1])
    assert "× twice" in last
    assert "north counts 6 should be 3" in last
    assert re.findall(r"\S+×\d", last) == ["1×2", "3×2", "3×3", "2×2"]
    assert "× 4 doubled so far" in last
    assert "✗ Doubled." in end
    assert "Record 3 was sent again: the sender could not know that it had arrived." in end
    assert "Records 1, 2, 3 were read again: the saved position stood before them." in end
    copies = words(shown["copies"][-1])
    assert copies.count("✗ wrong: doubled") == 3 * 2  # for the eye, and read aloud
    assert "gives up · first At-most-once [gives up · first: ✓ right: nothing lost or doubled]" in copies
    assert "| gives up | first | At-most-once | – | – | ✓ right |" in words(shown["tables"]).replace("  ", " ")


@pytest.mark.parametrize("sending", SENDING)
def test_the_small_wires_keep_step_where_a_fault_does_not_strike_all_of_them(sending):
    model, missed = DeliveryModel(), 0
    model.do("sending", sending)
    for receiving in RECEIVING:
        model.do("receiving", receiving)
        four = model.four().values()
        for main, run in itertools.product(four, four):
            pace = in_step(main, run)
            assert pace == sorted(pace)
            assert (pace[0], pace[-1], len(pace)) == (0, len(run.moments) - 1, len(main.moments))
            missed += len(marks_of(run)) < len(marks_of(main))
    assert bool(missed) == (sending in ("request", "client before", "broker before"))


@pytest.mark.parametrize("retry", ["retry", "give up"])
@pytest.mark.parametrize("kind", [kind for kind in SENDING if kind != "nothing"])
def test_the_sentence_on_a_fault_of_the_producer_is_true(retry, kind):
    run = DeliverySettings(retry, kind).run()
    (place,), end = marks_of(run), run.end
    said = words(fragments(DeliveryModel(DeliverySettings(retry, kind)))["says"][-1])
    arrived, copies = 3 in run.moments[place].log, end.log.count(3)
    if kind == "client before":
        assert ("Record 3 was sent after all" in said) == (copies == 1)
        assert ("Record 3 was never sent" in said) == (copies == 0)
        return
    sent = "sent again" if copies > arrived else "not sent again"
    assert f"Record 3 was {sent}: the sender could not know that it had {'' if arrived else 'not '}arrived." in said


@pytest.mark.parametrize("position", ["last", "first"])
@pytest.mark.parametrize("kind", [kind for kind in RECEIVING if kind != "nothing"])
def test_the_sentence_on_a_fault_of_the_consumer_is_true(position, kind):
    run = DeliverySettings(sending="nothing", position=position, receiving=kind).run()
    said = words(
        fragments(DeliveryModel(DeliverySettings(sending="nothing", position=position, receiving=kind)))["says"][-1]
    )
    reads = [
        moment.wire.record
        for moment in run.moments
        if moment.wire and moment.wire[:2] == READ and not moment.wire.lost
    ]
    again = sorted({n for n in reads if reads.count(n) > 1})
    assert ("were read again" in said) == bool(again)
    assert not again or f"Records {', '.join(map(str, again))} were read again" in said


def test_the_answer_to_each_question_is_how_often_the_record_took_effect():
    for settings in (
        DeliverySettings(), DeliverySettings("give up", "request"), DeliverySettings("give up"),
        DeliverySettings(sending="nothing", receiving="before", position="first"),
    ):  # fmt: skip
        model = DeliveryModel(settings)
        (right,) = re.findall(r'data-right="([^"]+)"', fragments(model)["says"][-1])
        assert right == TIMES[min(2, model.state.delivery.end.applied.count(3))]


def test_what_is_on_its_way_is_on_the_wire_and_not_yet_in_the_memory():
    model = DeliveryModel(DeliverySettings(sending="nothing", receiving="request"))
    run, stages = model.state.delivery, fragments(model)["stages"]
    wires = {moment.wire[:2] + moment.wire[3:] for moment in run.moments if moment.wire}
    sent, noted, saved = ("producer", True), ("producer", False), ("consumer", False)
    assert wires == {(*sent, False), (*noted, False), (*READ, False), (*saved, False), (*saved, True)}
    for place, moment in enumerate(run.moments):
        if moment.wire and moment.wire[:2] == READ:
            held = words(re.search(r'class="eo-delivery-memory".*?</ol>', stages[place])[0] + "</div>")
            assert str(moment.wire.record) not in held.split("]")[-1].split()


def test_an_update_that_overwrites_shows_which_value_is_held_and_which_came_back():
    model = DeliveryModel(DeliverySettings(update="overwrite", receiving="after"))
    last = words(fragments(model)["stages"][-1])
    assert "north holds 5 should be 5" in last
    assert "record 1, an old value again, time 2" in last


def test_the_page_hears_what_was_chosen():
    lab = delivery_lab()
    before = lab.stages
    lab._heard(None, {"do": "retry", "value": "give up"}, ())
    assert lab.stages != before
    assert "Neither" in lab.promise
    lab._heard(None, "nonsense", ())
    assert "The lab&#x27;s action is" in lab.error
    assert repr(lab) == "Delivery lab: 0 lost, 0 doubled."


def test_the_lab_counts_the_doubled_effects_in_its_name_as_on_its_screen():
    lab = delivery_lab()
    lab._heard(None, {"do": "receiving", "value": "after"}, ())
    assert "○ 0 lost so far × 4 doubled so far" in words(lab.stages[-1])
    assert repr(lab) == "Delivery lab: 0 lost, 4 doubled."
