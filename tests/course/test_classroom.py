"""A learner's file and a class's page: what the file holds is said before; no file of anybody harms the page."""

import csv
import importlib
import io
import json
import re
import stat

import pytest

from exactly_once.chapters import gap_named
from exactly_once.course import exercises, predictions, solved
from exactly_once.course.classroom import hand_in, page
from exactly_once.course.classroom.read import MOST_BYTES, parsed, read_folder
from exactly_once.course.questions import Question
from exactly_once.errors import BadInput, CourseError

command = importlib.import_module("exactly_once.__main__").main
HOSTILE = "<script>alert(1)</script>\u2028‮=1+1"


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    """A folder of the learner's own, empty."""
    monkeypatch.setenv("EXACTLY_ONCE_WORK", str(tmp_path / "work"))
    return tmp_path / "work"


@pytest.fixture
def folder(tmp_path):
    """A folder for the files of a class."""
    (tmp_path / "class").mkdir()
    return tmp_path / "class"


def answered():
    """Answer two questions, the first twice, and solve a gap and an exercise."""
    predictions.keep("04-letters", {"A": "harmless", "B": "loses"})
    predictions.judge("04-letters", lambda answer: False, {"A": "harmless", "B": "doubles"})
    predictions.keep("04-letters", {"A": "harmless", "B": "doubles"})
    predictions.keep("05-one", {"": "twice"})
    predictions.judge("05-one", lambda answer: True)
    predictions.keep("05-two", {"": "never"})
    predictions.keep("05-two", None)
    solved.note("04-one-step", False)
    solved.note("04-one-step", True)
    solved.note("04a", False)


def file(seat="one", name="", written="2026-11-23T10:00", predicted=None, work=None, **more):
    """Return the bytes of a hand-in."""
    data = {"form": hand_in.FORM, "seat": seat, "name": name, "written": written}
    return json.dumps({**data, "predictions": predicted or {}, "work": work or {}, **more}).encode()


def answer(first, right=None, truth=None):
    return {"first": {"": first}, "right": right, "truth": truth and {"": truth}, "at": "2026-11-23T09:30"}


class TestHandIn:
    def test_it_holds_the_first_answers_what_happened_and_what_is_solved(self):
        answered()
        data = hand_in.content()
        letters = data["predictions"]["04-letters"]
        assert letters["first"] == {"A": "harmless", "B": "loses"}
        assert (letters["right"], letters["truth"]) == (False, {"A": "harmless", "B": "doubles"})
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d", letters["at"])
        assert data["predictions"]["05-one"]["right"] is True
        assert data["work"]["04-one-step"]["tries"] == 2
        assert data["name"] == ""

    def test_what_it_holds_is_said_before_it_is_written(self, work):
        answered()
        button = exercises.hand_in()
        button.ask.click()
        assert "predictions: 3," in button.says.value
        assert "1 came out" in button.says.value
        assert "gaps solved: 1, exercises solved: 0" in button.says.value
        assert "no name" in button.says.value
        button.no.click()
        assert not (work / "hand-in.json").exists()
        button.ask.click()
        button.yes.click()
        assert "Written: " in button.says.value
        assert parsed((work / "hand-in.json").read_bytes(), "it").who.startswith("seat ")
        assert not stat.S_IMODE(work.stat().st_mode) & 0o077

    def test_from_a_terminal_it_asks_or_writes_with_yes(self, work, capsys, monkeypatch):
        with pytest.raises(CourseError, match="nobody to ask"):
            hand_in.main([])
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("builtins.input", lambda _: "n")
        assert hand_in.main([]) == 1
        assert not (work / "hand-in.json").exists()
        assert command(["hand-in", "--yes", "--name", "Ada"]) == 0
        out = capsys.readouterr().out
        assert out.index("will hold") < out.index("Written")
        assert json.loads((work / "hand-in.json").read_text())["name"] == "Ada"

    def test_the_class_reads_what_a_learner_wrote(self, folder):
        answered()
        (folder / "hand-in.json").write_bytes(hand_in.write(hand_in.content("Ada")).read_bytes())
        (one,), said = read_folder(folder)
        assert said == []
        assert page.parts(one) == {"04": (1, 0, 1, 0), "05": (2, 1, 0, 0)}


BAD = {
    "empty": b"",
    "cut": b'{"form": "exactly-once hand-in 1", "seat":',
    "binary": bytes(range(256)),
    "deep": b"[" * 100_000,
    "foreign": b'{"form": "another"}',
    "no seat": file(seat=None),
    "predictions": file(predictions=[1]),
}


class TestFolder:
    def test_a_damaged_or_foreign_file_is_named_and_skipped(self, folder):
        for name, content in BAD.items():
            (folder / f"{name}.json").write_bytes(content)
        (folder / "well.json").write_bytes(file())
        found, said = read_folder(folder)
        assert [one.file for one in found] == ["well.json"]
        assert sorted(sentence.partition(" is skipped: it")[0] for sentence in said) == sorted(
            f"{name}.json" for name in BAD
        )

    def test_a_huge_file_and_one_that_cannot_be_read_are_skipped(self, folder):
        with (folder / "a.json").open("wb") as huge:
            huge.truncate(MOST_BYTES + 1)
        (folder / "b.json").mkdir()
        (folder / "b.json" / "c.json").write_bytes(file())
        (folder / "d.json").symlink_to("nowhere")
        found, said = read_folder(folder)
        assert [one.file for one in found] == ["b.json/c.json"]
        assert len(said) == 1
        assert "a.json is skipped: " in said[0]
        assert "8,000,000 bytes" in said[0]

    def test_entries_that_make_no_sense_are_left_out_and_counted(self):
        predicted = {
            "04-well": answer("yes", True),
            "4-name": answer("yes"),
            "<b>": answer("yes"),
            "04-none": None,
            "04-list": {"first": ["a"]},
            "04-nested": {"first": {"": {"a": 1}}},
            "04-empty": {"first": {}},
            "04-wide": {"first": {str(number): 1 for number in range(61)}},
            "04-huge": {"first": {"": 10**30}},
            "04-true": {"first": {"": True}},
        }
        work = {"04a": {"tries": 1, "solved": "2026-11-23"}, "04d": {"tries": "x"}, "04c": {"tries": True}, "z": 1}
        one = parsed(file(predicted=predicted, work=work), "it")
        assert list(one.predictions) == ["04-well"]
        assert list(one.work) == ["04a"]
        assert one.left_out == 12

    def test_of_two_files_of_one_seat_the_later_counts(self, folder):
        (folder / "a.json").write_bytes(file(written="2026-11-23T10:00", predicted={"04-q": answer("old")}))
        (folder / "b.json").write_bytes(file(written="2026-11-23T11:00", predicted={"04-q": answer("new")}))
        (folder / "c.json").write_bytes(file(seat="two", written="never"))
        found, (said,) = read_folder(folder)
        assert [one.file for one in found] == ["b.json", "c.json"]
        assert said == "a.json is older than b.json, of the same seat, and does not count."

    def test_what_is_no_folder_or_has_no_hand_in_is_refused(self, folder, capsys):
        (folder / "a.json").write_text("{")
        for name in ("not there", "a\0b", "a.json"):
            assert command(["class", str(folder / name)]) == 2
            assert re.search("There is no folder|The folder is ", capsys.readouterr().err)
        assert command(["class", str(folder)]) == 1
        told = capsys.readouterr()
        assert "a.json is skipped" in told.out
        assert "so there is no page" in told.err
        assert [path.name for path in folder.iterdir()] == ["a.json"]


ASKED = {
    "04-order": Question("04-order", "Which order?", {"": ("first", "last")}),
    "04-rows": Question("04-rows", "What is lost?", {"A": ("yes", "no"), "B": ()}),
}


def class_of(*predicted):
    return [parsed(file(seat=str(n), predicted=each), str(n)) for n, each in enumerate(predicted)]


class TestCounts:
    def test_each_option_is_counted_those_too_that_nobody_chose(self):
        options = options_of("04-order", answer("last", False, "first"), answer("last"))[""]
        assert options == [("first", 0, True), ("last", 2, False)]

    def test_what_happened_is_what_most_files_say(self):
        lie, true, unknown = answer("last", True, "last"), answer("first", True, "first"), answer("last")
        for answers, right in (((lie, true, true), ["first"]), ((answer("last", True),), ["last"]), ((unknown,), [])):
            assert [each.label for each in options_of("04-order", *answers)[""] if each.right] == right


def options_of(name, *answers):
    entries = [one.predictions[name] for one in class_of(*({name: each} for each in answers))]
    return page.rows_of(ASKED[name], entries)


class TestPage:
    def test_nothing_that_learners_wrote_is_html(self, folder):
        predicted = {"04-hostile": {"first": {HOSTILE: HOSTILE}}}
        (folder / "<img src=x>.json").write_bytes(file(seat=HOSTILE[:40], name=HOSTILE, predicted=predicted))
        (folder / "<b>.json").write_bytes(b"{")
        assert command(["class", str(folder)]) == 0
        text = (folder / "class.html").read_text()
        for danger in ("<script>alert", "<img", "<b>.json", "\u2028", "‮"):
            assert danger not in text
        assert text.count("</script>") == 1
        assert "http" not in text.replace("http-equiv", "")
        (row,) = list(csv.reader(io.StringIO((folder / "class.csv").read_text(encoding="utf-8-sig"))))[1:]
        assert row[1].startswith("<script>")
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)


def test_the_teacher_sees_who_is_stuck_while_the_lab_goes_on(folder, monkeypatch):
    gap = exercises.Exercise("04-one-step", gap_named("04-one-step"))
    gap.check(lambda node: 1 / 0)
    assert not list(folder.iterdir()), "nothing is shared unless the teacher has set a folder"
    monkeypatch.setenv("EXACTLY_ONCE_CLASS", str(folder))
    gap.check(lambda node: 1 / 0)
    (folder / "two.json").write_bytes(file("two", "Ada", work={"04-one-step": {"tries": 1, "solved": "2026-11-23"}}))
    told = page.standing(read_folder(folder)[0], "04-one-step")
    assert re.fullmatch(r"1 of 2 seats have passed 04-one-step. Not yet: seat [0-9a-f]{8} \(2 tries\).", told)
    monkeypatch.setenv("EXACTLY_ONCE_CLASS", str(folder / "not there" / "at all"))
    assert gap.check(lambda node: 1 / 0).state == "wrong", "a folder that cannot be written stops nobody"
    with pytest.raises(BadInput, match="the gap is '04-none'"):
        page.main([str(folder), "--watch", "04-none"])


def test_a_watch_says_what_changes_until_it_is_interrupted(folder, monkeypatch, capsys):
    (folder / "one.json").write_bytes(file("one"))
    looks = iter([None, None, KeyboardInterrupt])

    def pause(seconds):
        if (error := next(looks)) is not None:
            raise error
        (folder / "one.json").write_bytes(file("one", work={"04-one-step": {"tries": 1, "solved": "2026-11-23"}}))

    monkeypatch.setattr(page.time, "sleep", pause)
    page.watch(folder, "04-one-step")
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition("  ")[2] for line in lines] == [
        "0 of 1 seats have passed 04-one-step. Not yet: seat one (0 tries).",
        "1 of 1 seats have passed 04-one-step.",
    ]
