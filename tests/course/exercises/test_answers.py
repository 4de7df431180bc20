"""Every check, against the mistakes that learners make and against right answers of another kind."""

from pathlib import Path

import pytest

from exactly_once.course import exercises
from exactly_once.course.tasks import TASKS
from exactly_once.course.tasks.reply import in_two
from exactly_once.errors import BadInput
from exactly_once.widgets import Debugger, DebuggerModel
from exactly_once.widgets.base.reveal_button import reveal_button
from tests.course.exercises.one_item import is_right_for_one

ANSWERS = Path(__file__).parent / "answers"
FILES = sorted(ANSWERS.glob("*/*.py"))


def load(path):
    """Return what a file of an answer defines, as a notebook would: by value."""
    names = {"__name__": "__main__"}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_answer_is_judged_as_it_should_be(path):
    answer = load(path)
    reply = exercises.open(path.parent.name).check(answer["answer"])
    assert reply.state == path.stem.partition("_")[0], reply
    assert answer.get("REASON", "") in repr(reply)
    assert reply._repr_html_()
    if reply.run is not None:
        opened = reply.debugger().model
        handlers = reply.handler if isinstance(reply.handler, (list, tuple)) else [reply.handler]
        assert list(opened.opened.handlers) == [getattr(one, "handler", one) for one in handlers]
        assert [event.text for event in debugged(reply).steps.events] == [event.text for event in opened.steps.events]


def debugged(reply):
    """Open what the reply's token stands for, performed again in this process, although a child found it."""
    return DebuggerModel(reply.token, reply.handler, getattr(reply.run, "run", reply.run).job)


@pytest.mark.parametrize("name", TASKS)
def test_there_are_enough_of_both_kinds(name):
    kinds = [path.stem.partition("_")[0] for path in FILES if path.parent.name == name]
    assert kinds.count("wrong") >= 6
    assert kinds.count("right") >= 2
    assert all("REASON" in load(path) for path in FILES if path.stem.startswith("wrong"))


@pytest.mark.parametrize("name", TASKS)
def test_two_wrong_answers_are_plausible_and_right_for_one_item(name):
    plausible = [path for path in FILES if path.parent.name == name and path.read_text().startswith("# Plausible: ")]
    assert len(plausible) >= 2
    for path in plausible:
        assert path.stem.startswith("wrong")
        assert is_right_for_one(name, load(path)["answer"]), path


def test_what_is_right_for_nothing_is_not_plausible():
    assert not is_right_for_one("02b", load(ANSWERS / "02b" / "wrong_last_offset.py")["answer"])
    assert not is_right_for_one("04d", load(ANSWERS / "04d" / "wrong_skips_an_hour_always.py")["answer"])
    assert not is_right_for_one("04f", load(ANSWERS / "04f" / "wrong_database_of_the_chapter.py")["answer"])


def test_a_wrong_handler_is_met_with_its_schedule():
    reply = exercises.open("04d").check(load(ANSWERS / "04d" / "wrong_at_least_once.py")["answer"])
    assert any("dies" in line for line in reply.story)
    assert "<svg" in reply.picture.html
    assert reply.token.startswith("ep2-")
    assert reply.token in reply._repr_html_()
    assert reply.token in repr(reply)


def test_the_token_of_a_fault_plan_names_a_job_that_is_not_the_usual_one():
    answer = load(ANSWERS / "04a" / "wrong_as_at_c.py")["answer"]
    assert "(with Job(items=8, duration=2, threshold=3" in repr(exercises.open("04a").check(answer))
    answer = load(ANSWERS / "04e" / "wrong_at_a_letter.py")["answer"]
    assert "Job(" not in repr(exercises.open("04e").check(answer))


def test_a_challenge_shows_its_specification():
    picture = exercises.open("04f").show(...)
    assert "averages, counted = wanted(job)" in picture.html
    assert "each hour&#x27;s average once and in order" in picture.html
    assert "<svg" in exercises.open("04f").show(load(ANSWERS / "04f" / "wrong_saves_first.py")["answer"]).html


def test_a_right_answer_is_one_sentence_and_the_rest_is_folded():
    html = exercises.open("02b").check(load(ANSWERS / "02b" / "right_count_upwards.py")["answer"])._repr_html_()
    banner, folded = html.split('<details class="eo-more">')
    assert "eo-is-good" in banner
    assert banner.endswith("none of those is lost.</p>")
    assert "A slow replica" in folded
    assert "<table" in folded


def test_a_wrong_answer_has_its_reason_first_and_the_picture_below():
    html = exercises.open("04d").check(load(ANSWERS / "04d" / "wrong_at_least_once.py")["answer"])._repr_html_()
    places = [html.index(each) for each in ("✗ Wrong.", "<svg", "The simplest schedule against it", "Token:")]
    assert places == sorted(places)
    assert "eo-more" not in html.rpartition("</style>")[2]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("It is so (one. Or two.) and no more. Then", "It is so (one. Or two.) and no more."),
        ("Broken. The counter is 3. Ask again.", "Broken. The counter is 3."),
        ("All of it", "All of it"),
        ("It takes 1.5 s. Then", "It takes 1.5 s."),
    ],
)
def test_the_first_sentence_ends_where_it_ends(text, first):
    assert in_two(text)[0] == first
    assert " ".join(filter(None, in_two(text))) == text


def test_a_reply_without_a_run_has_nothing_to_open():
    reply = exercises.open("04a").check("nonsense")
    assert reply.token == ""
    with pytest.raises(BadInput, match="no run to step through"):
        reply.debugger()


def test_the_button_opens_the_run_below_itself():
    reply = exercises.open("04a").check(load(ANSWERS / "04a" / "wrong_as_at_c.py")["answer"])
    box = reveal_button(reply.debugger)
    box.children[0].children[0].click()
    assert isinstance(box.children[0], Debugger)

    def failing():
        raise BadInput("It is <gone>.")

    box = reveal_button(failing)
    box.children[0].children[0].click()
    assert "It is &lt;gone&gt;." in box.children[0].value


def test_what_is_not_predicted_yet_is_not_drawn():
    assert exercises.open("04a").show(...).text == "Nothing is predicted yet."


def test_clicks_that_an_election_loses_are_shown_how():
    choice = {"views": (0, 1, True), "clicks": (1, 1, True), "orders": ("all", 2, False), "ledger": ("all", 3, False)}
    reply = exercises.open("02c").check(choice)
    assert reply.sentence.startswith("clicks: a broker that was not in sync may lead")
    assert "No broker has the record" in reply.picture.text
