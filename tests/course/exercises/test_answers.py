"""What a reply shows: its sentence first, the run and its token below, and a button that opens the run."""

import pytest

from exactly_once.chapters.items import item
from exactly_once.course import exercises
from exactly_once.errors import BadInput
from exactly_once.exercises.kinds.mistakes import answer_with
from exactly_once.widgets import Debugger
from exactly_once.widgets.base.buttons import reveal_button


def mistaken(name, sentence):
    """Return the solved answer of an item with the mistake of this sentence."""
    return answer_with(name, item(name).mistakes[sentence])


def test_a_wrong_handler_is_met_with_its_schedule():
    reply = exercises.open("04d").check(mistaken("04d", "is in the output more than once"))
    assert any("dies" in line for line in reply.story)
    assert "<svg" in reply.picture.html
    assert reply.token.startswith("ep2-")
    assert reply.token in reply._repr_html_()
    assert reply.token in repr(reply)


def test_the_token_of_a_fault_plan_names_a_job_that_is_not_the_usual_one():
    answer = mistaken("04a", "left out 1 of the 2 hours")
    assert "(with Job(items=8, duration=2, threshold=3" in repr(exercises.open("04a").check(answer))
    answer = mistaken("04e", "At all five letters the handler is safe")
    assert "Job(" not in repr(exercises.open("04e").check(answer))


def test_a_challenge_shows_its_specification():
    picture = exercises.open("04f").show(...)
    assert "averages, counted = wanted(job)" in picture.html
    assert "each hour&#x27;s average once and in order" in picture.html
    assert (
        "<svg"
        in exercises.open("04f").show(mistaken("04f", "One crash: after this schedule the average of hour")).html
    )


def test_a_right_answer_is_one_sentence_and_the_rest_is_folded():
    html = exercises.open("02b").check(answer_with("02b"))._repr_html_()
    banner, folded = html.split('<details class="eo-more">')
    assert "eo-is-good" in banner
    assert banner.endswith("none of those is lost.</p>")
    assert "A slow replica" in folded
    assert "<table" in folded


def test_a_wrong_answer_has_its_reason_first_and_the_picture_below():
    html = exercises.open("04d").check(mistaken("04d", "is in the output more than once"))._repr_html_()
    places = [html.index(each) for each in ("✗ Wrong.", "<svg", "The simplest schedule against it", "Token:")]
    assert places == sorted(places)
    assert "eo-more" not in html.rpartition("</style>")[2]


def test_a_reply_without_a_run_has_nothing_to_open():
    reply = exercises.open("04a").check("nonsense")
    assert reply.token == ""
    with pytest.raises(BadInput, match="no run to step through"):
        reply.debugger()


def test_what_is_no_function_is_told_the_form_of_the_answer():
    forms = {"14a": "a function, partitions(nodes, latency, rate)", "01d": "a function of the logs"}
    for name, said in forms.items():
        assert f"The answer is 5; it is {said}." in repr(exercises.open(name).check(5))


def test_the_button_opens_the_run_below_itself():
    reply = exercises.open("04a").check(mistaken("04a", "left out 1 of the 2 hours"))
    box = reveal_button(reply.debugger)
    box.children[0].children[0].click()
    assert isinstance(box.children[0], Debugger)

    def failing():
        raise BadInput("It is <gone>.")

    box = reveal_button(failing)
    box.children[0].children[0].click()
    assert "It is &lt;gone&gt;." in box.children[0].value


def test_what_is_not_predicted_yet_is_not_drawn():
    assert exercises.open("04a").show(...).text == "There is no prediction yet."
