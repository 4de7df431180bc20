"""A learner's file and a class's tables: what the file holds is said before; no file of anybody harms a table."""

import csv
import io
import json
import re
import stat
import time

import pytest

from exactly_once.__main__ import main as command
from exactly_once.course import exercises, gap, judge, keep, note

HOSTILE = "<script>alert(1)</script>\u2028‮=1+1"
QUESTION = "04-orders"  # of one row, with the choices 1, 2, 6 and 24
GAP = "04-one-step"
OTHERS = ("04-letters", "04-restart", "04-poison", "04-pair", "04-live")
SENSELESS = (None, {"first": ["a"]}, {"first": {"": {"a": 1}}}, {"first": {}}, {"first": {"": True}})


@pytest.fixture
def folder(tmp_path):
    """A folder for the files of a class."""
    (tmp_path / "class").mkdir()
    return tmp_path / "class"


def answered():
    """Answer two questions, the first twice, and solve a gap and an exercise."""
    keep("04-letters", {"A": "harmless", "B": "loses"})
    judge("04-letters", lambda answer: False, {"A": "harmless", "B": "doubles"})
    keep("04-letters", {"A": "harmless", "B": "doubles"})
    keep("05-burst", {"": "twice"})
    judge("05-burst", lambda answer: True)
    keep("05-six", {"": "never"})
    keep("05-six", None)
    note(GAP, False)
    note(GAP, True)
    note("04a", False)


def file(seat="one", name="", written="2026-11-23T10:00", predicted=None, work=None, **more):
    """Return the bytes of a hand-in."""
    data = {"form": "exactly-once hand-in 1", "seat": seat, "name": name, "written": written}
    return json.dumps({**data, "predictions": predicted or {}, "work": work or {}, **more}).encode()


def answer(first, right=None, truth=None):
    return {"first": {"": first}, "right": right, "truth": truth and {"": truth}, "at": "2026-11-23T09:30"}


def handed_in(mine, *arguments):
    """Hand in from a terminal, and return the file's contents."""
    assert command(["hand-in", "--yes", *arguments]) == 0
    return json.loads((mine / "hand-in.json").read_text())


def class_of(folder, capsys):
    """Make the tables of a folder; return (the lines of the table of seats as dictionaries, what is said)."""
    capsys.readouterr()
    assert command(["class", str(folder)]) == 0
    return lines_of(folder / "class.csv"), capsys.readouterr().out.splitlines()[:-1]


def lines_of(path):
    """Return a table's lines as dictionaries."""
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))


def in_chapter(row, chapter):
    """Return a seat's (exercises, gaps, questions predicted, those predicted right) of a chapter."""
    return tuple(int(number) for name, number in row.items() if name.startswith(f"{chapter} "))


class TestHandIn:
    def test_it_holds_the_first_answers_what_happened_and_what_is_solved(self, mine):
        answered()
        data = handed_in(mine)
        letters = data["predictions"]["04-letters"]
        assert letters["first"] == {"A": "harmless", "B": "loses"}
        assert (letters["right"], letters["truth"]) == (False, {"A": "harmless", "B": "doubles"})
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d", letters["at"])
        assert data["predictions"]["05-burst"]["right"] is True
        assert data["work"][GAP]["tries"] == 2
        assert data["name"] == ""

    def test_what_it_holds_is_said_before_it_is_written(self, mine):
        answered()
        button = exercises.hand_in()
        button.ask.click()
        assert "predictions: 3," in button.says.value
        assert "1 came out" in button.says.value
        assert "gaps solved: 1, exercises solved: 0" in button.says.value
        assert "no name" in button.says.value
        button.no.click()
        assert not (mine / "hand-in.json").exists()
        button.ask.click()
        seat = re.search(r"the seat (\w+)", button.says.value)[1]
        button.yes.click()
        assert "Written: " in button.says.value
        assert json.loads((mine / "hand-in.json").read_text())["seat"] == seat
        assert not stat.S_IMODE(mine.stat().st_mode) & 0o077

    def test_from_a_terminal_it_asks_or_writes_with_yes(self, mine, capsys, monkeypatch):
        assert command(["hand-in"]) == 1
        assert "nobody to ask" in capsys.readouterr().err
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("builtins.input", lambda _: "n")
        assert command(["hand-in"]) == 1
        assert not (mine / "hand-in.json").exists()
        assert handed_in(mine, "--name", "Ada")["name"] == "Ada"
        out = capsys.readouterr().out
        assert out.rindex("will hold") < out.index("Written")

    def test_the_class_reads_what_a_learner_wrote(self, mine, folder, capsys):
        answered()
        handed_in(mine, "--name", "Ada")
        (folder / "hand-in.json").write_bytes((mine / "hand-in.json").read_bytes())
        (one,), said = class_of(folder, capsys)
        assert said == []
        assert (in_chapter(one, "04"), in_chapter(one, "05")) == ((0, 1, 1, 0), (0, 0, 2, 1))


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
    def test_a_damaged_or_foreign_file_is_named_and_skipped(self, folder, capsys):
        for name, content in BAD.items():
            (folder / f"{name}.json").write_bytes(content)
        (folder / "well.json").write_bytes(file())
        found, said = class_of(folder, capsys)
        assert [one["file"] for one in found] == ["well.json"]
        assert sorted(sentence.partition(" is skipped: it")[0] for sentence in said) == sorted(
            f"{name}.json" for name in BAD
        )

    def test_a_huge_file_and_one_that_cannot_be_read_are_skipped(self, folder, capsys):
        with (folder / "a.json").open("wb") as huge:
            huge.truncate(8_000_001)
        (folder / "b.json").mkdir()
        (folder / "b.json" / "c.json").write_bytes(file())
        (folder / "d.json").symlink_to("nowhere")
        found, said = class_of(folder, capsys)
        assert [one["file"] for one in found] == ["b.json/c.json"]
        assert len(said) == 1
        assert "a.json is skipped: " in said[0]
        assert "8,000,000 bytes" in said[0]

    def test_entries_that_make_no_sense_are_left_out_and_counted(self, folder, capsys):
        predicted = {
            QUESTION: answer("6", True),
            "<b>": answer("yes"),
            **dict(zip(OTHERS, SENSELESS, strict=True)),
        }
        work = {"04a": {"tries": 1, "solved": "2026-11-23"}, "04d": {"tries": "x"}, "04c": {"tries": True}, "z": 1}
        (folder / "it.json").write_bytes(file(predicted=predicted, work=work))
        (one,), said = class_of(folder, capsys)
        assert in_chapter(one, "04") == (1, 0, 1, 1)
        assert said == ["it.json: 9 of its entries make no sense in this course and are left out."]

    def test_of_two_files_of_one_seat_the_later_counts(self, folder, capsys):
        (folder / "a.json").write_bytes(file(written="2026-11-23T10:00", predicted={QUESTION: answer("2")}))
        (folder / "b.json").write_bytes(file(written="2026-11-23T11:00", predicted={QUESTION: answer("6")}))
        (folder / "c.json").write_bytes(file(seat="two", written="never"))
        (folder / "d.json").write_bytes(file(name="Ada"))
        found, said = class_of(folder, capsys)
        assert [one["file"] for one in found] == ["d.json", "b.json", "c.json"]
        assert said == ["a.json is older than b.json, of the same seat, and does not count."]

    def test_what_is_no_folder_or_has_no_hand_in_is_refused(self, folder, capsys):
        (folder / "a.json").write_text("{")
        for name in ("not there", "a\0b", "a.json", "a" * 300):
            assert command(["class", str(folder / name)]) == 2
            assert re.search("There is no folder|The folder is ", capsys.readouterr().err)
        assert command(["class", str(folder)]) == 1
        told = capsys.readouterr()
        assert "a.json is skipped" in told.out
        assert "so there is no table" in told.err
        assert [path.name for path in folder.iterdir()] == ["a.json"]


class TestAnswers:
    @pytest.fixture
    def options(self, folder, capsys):
        """A function of the answers to a question: [(option, how many chose it, its mark)]."""

        def asked(*answers):
            for number, one in enumerate(answers):
                (folder / f"{number}.json").write_bytes(file(seat=str(number), predicted={QUESTION: one}))
            class_of(folder, capsys)
            lines = lines_of(folder / "predictions.csv")
            assert {line["question"] for line in lines} == {QUESTION}
            return [(line["first answer"], int(line["how many"]), line["what happened"]) for line in lines]

        return asked

    def test_each_first_answer_is_counted_and_what_happened_is_there_even_if_nobody_said_it(self, options):
        assert options(answer("6", False, "2"), answer("6")) == [("6", 2, ""), ("2", 0, "✓")]
        assert options(answer("7"), answer(8)) == [("7", 1, ""), ("8", 1, "")]

    def test_what_happened_is_what_most_files_say(self, options):
        lie, true = answer("24", True, "24"), answer("1", True, "1")
        assert [label for label, _, right in options(lie, true, true) if right] == ["1"]
        assert [label for label, _, right in options(*[answer("24", True)] * 3) if right] == ["24"]
        assert [label for label, _, right in options(*[answer("24")] * 3) if right] == []

    def test_nothing_that_learners_wrote_is_a_formula_or_controls_a_terminal(self, folder, capsys):
        predicted = {QUESTION: answer("=1+1"), "04-letters": {"first": {HOSTILE: HOSTILE, "A": HOSTILE}}}
        (folder / "<img src=x>.json").write_bytes(file(seat="=1+1", name=HOSTILE, predicted=predicted))
        (folder / "<b>.json").write_bytes(b"{")
        class_of(folder, capsys)
        for name in ("class.csv", "predictions.csv"):
            text = (folder / name).read_text(encoding="utf-8-sig")
            assert "\u2028" not in text
            assert "‮" not in text
            cells = [cell for line in csv.reader(io.StringIO(text)) for cell in line]
            assert any(cell.startswith("'=1") for cell in cells)
            assert any(cell.startswith("<script>") for cell in cells)
            assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def test_the_teacher_sees_who_is_stuck_until_the_watch_is_interrupted(folder, monkeypatch, capsys):
    gap(GAP, lambda node: 1 / 0)
    assert not list(folder.iterdir()), "nothing is shared unless the teacher has set a folder"
    monkeypatch.setenv("EXACTLY_ONCE_CLASS", str(folder / "not there" / "at all"))
    assert gap(GAP, lambda node: 1 / 0).reply.state == "wrong", "a folder that cannot be written stops nobody"
    monkeypatch.setenv("EXACTLY_ONCE_CLASS", str(folder))
    gap(GAP, lambda node: 1 / 0)
    looks = iter([None, None, KeyboardInterrupt])

    def pause(seconds):
        if (error := next(looks)) is not None:
            raise error
        (folder / "two.json").write_bytes(file("two", "Ada", work={GAP: {"tries": 1, "solved": "2026-11-23"}}))

    monkeypatch.setattr(time, "sleep", pause)
    assert command(["class", str(folder), "--watch", GAP]) == 0
    first, second = [line.partition("  ")[2] for line in capsys.readouterr().out.splitlines()[-2:]]
    assert re.fullmatch(r"0 of 1 seats have passed 04-one-step. Not yet: seat [0-9a-f]{8} \(3 tries\).", first)
    assert re.fullmatch(r"1 of 2 seats have passed 04-one-step. Not yet: seat [0-9a-f]{8} \(3 tries\).", second)
    assert command(["class", str(folder), "--watch", "04-none"]) == 2
    assert "the gap is '04-none'" in capsys.readouterr().err
