"""A learner's work as one file: out of one copy of the course, into another, and what is refused on the way."""

import io
import json
import stat
import zipfile

import pytest
from IPython.testing.globalipapp import start_ipython

from exactly_once.course import bring_back, chapter, hand_out, keep, kept, note, save_my_work, standing
from exactly_once.errors import BadInput, CourseError

NOTEBOOK = "notebooks/04-crash-points.ipynb"
FIRST, FILE = "exactly-once.json", "my-work.zip"  # the entry that says what the file is, and the file
PREDICTIONS, PROGRESS = "predictions.json", "progress.json"


@pytest.fixture
def session(tmp_path, monkeypatch):
    """A function that begins a session with nothing of the learner's in it, as Binder does."""

    def begin(name):
        monkeypatch.setenv("EXACTLY_ONCE_WORK", str(tmp_path / name))
        hand_out()
        return tmp_path / name

    return begin


def write_into(work, text, name=NOTEBOOK):
    """Write something into a copy, as a learner does."""
    notebook = json.loads((work / name).read_text())
    notebook["cells"][0]["source"] = text
    (work / name).write_text(json.dumps(notebook))


def texts(path):
    return "".join(json.loads(path.read_text())["cells"][0]["source"])


def changed(data, kind=stat.S_IFREG, about=(), **files):
    """Return the file with other contents, as entries of this kind; `about` changes what it says of itself."""
    with zipfile.ZipFile(io.BytesIO(data)) as whole:
        found = {one.filename: whole.read(one) for one in whole.infolist()}
    found[FIRST] = json.dumps(json.loads(found[FIRST]) | dict(about)).encode()
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, content in {**found, **files}.items():
            one = zipfile.ZipInfo(name)
            one.external_attr = ((kind if name in files else stat.S_IFREG) | 0o600) << 16
            one.compress_type = zipfile.ZIP_DEFLATED
            whole.writestr(one, content)
    return result.getvalue()


@pytest.fixture
def saved(session):
    """The file of a session in which a learner worked."""
    work = session("first")
    keep("04-own", {"": "doubles"})
    note("04a", True)
    write_into(work, "mine")
    (work / "notes").mkdir()
    (work / "notes" / "über mich.txt").write_text("my own")
    return save_my_work().path.read_bytes()


@pytest.fixture
def put_back(tmp_path):
    """A function that brings back the contents of a file."""

    def bring(data):
        (tmp_path / "brought.zip").write_bytes(data)
        return bring_back(tmp_path / "brought.zip")

    return bring


def everything(work):
    return {path.relative_to(work).as_posix(): path.read_bytes() for path in work.rglob("*") if path.is_file()}


def test_work_comes_back_in_a_new_session(saved, session, put_back):
    work = session("second")
    said = put_back(saved)
    assert texts(work / NOTEBOOK) == "mine"
    assert kept("04-own") == {"": "doubles"}
    assert standing("04a") == "solved"
    assert (work / "notes" / "über mich.txt").read_text() == "my own"
    assert "is back" in said[0]
    assert "Reload Notebook from Disk" in said[-1]
    assert [path.name for path in work.glob("20*")] == [], "nothing of the new session had to be kept aside"
    assert put_back(saved)[0].startswith("Your work of"), "twice is as good as once"
    assert [path.name for path in work.glob("20*")] == []


def test_the_file_holds_what_is_the_learners_and_no_copy_as_it_was_handed_out(saved):
    with zipfile.ZipFile(io.BytesIO(saved)) as whole:
        names = whole.namelist()
    assert names == [FIRST, NOTEBOOK, "notes/über mich.txt", PREDICTIONS, PROGRESS]


def test_save_my_work_writes_a_file_with_a_link_that_bring_back_reads(saved, session, tmp_path, monkeypatch):
    session("first")
    monkeypatch.chdir(tmp_path / "first" / "notebooks")
    written = save_my_work()
    assert 'href="../my-work.zip" download=' in written._repr_html_()
    assert written.path == tmp_path / "first" / FILE
    again = save_my_work()
    assert FILE not in zipfile.ZipFile(again.path).namelist(), "the file is not in itself"
    work = session("third")
    assert "is back" in str(bring_back(written.path))
    assert texts(work / NOTEBOOK) == "mine"


def test_what_was_changed_here_meanwhile_is_kept_aside(saved, session, put_back):
    work = session("second")
    write_into(work, "later")
    said = put_back(saved)
    assert texts(work / NOTEBOOK) == "mine"
    (aside,) = work.glob("20*-notebooks-04-crash-points.ipynb")
    assert texts(aside) == "later"
    assert aside.name in str(said)


def test_first_answers_and_solved_exercises_of_both_count(saved, session, put_back):
    work = session("second")
    keep("04-own", {"": "loses"})
    keep("05-new", {"": "harmless"})
    note("04a", False)
    note("05a", True)
    put_back(saved)
    there = json.loads((work / PREDICTIONS).read_text())
    assert there["04-own"]["first"] == {"": "doubles"}, "the answer of the first session came first"
    assert kept("05-new") == {"": "harmless"}
    assert [standing(name) for name in ("04a", "05a")] == ["solved", "solved"]


def test_a_chapter_that_is_newer_here_stays_as_the_learner_had_it(saved, session, put_back):
    then = ["a" * 16, "b" * 16]
    old = changed(saved, about={"handed_out": {NOTEBOOK: then}})
    work = session("newer")
    said = str(put_back(old))
    assert texts(work / NOTEBOOK) == "mine"
    assert "04-crash-points has a newer version; yours stays as it is" in said


ELSEWHERE = (
    "../outside.txt", "notebooks/../../outside.txt", "/tmp/outside.txt", "C:\\outside.txt", ".bashrc",
    "notebooks\\..\\outside.txt", "notebooks/.hidden/x", "handed-out.json", "my-work.zip", "a//b", "./a",
    "line\nbreak", "x" * 300, " a", "folder/",
)  # fmt: skip


def test_a_name_that_leads_elsewhere_and_a_link_are_refused_and_change_nothing(saved, session, tmp_path, put_back):
    work = session("second")
    before = everything(work)
    for name in ELSEWHERE:
        with pytest.raises(BadInput, match=r"no file of my-work|no zip"):
            put_back(changed(saved, **{name: b"x"}))
        assert everything(work) == before
    with pytest.raises(BadInput, match="no file of my-work"):
        put_back(changed(saved, stat.S_IFLNK, link=b"/etc/passwd"))
    assert everything(work) == before
    assert not list(tmp_path.rglob("outside*"))


def test_a_link_out_of_my_work_is_neither_packed_nor_followed(saved, session, tmp_path, put_back):
    work = session("second")
    (work / "notes").symlink_to(tmp_path)
    with pytest.raises(CourseError):
        put_back(saved)
    assert not (tmp_path / "über mich.txt").exists()
    (work / "out").symlink_to("/etc/passwd")
    assert "out" not in zipfile.ZipFile(save_my_work().path).namelist()


def test_another_file_is_refused_in_a_sentence(saved, session, tmp_path, put_back):
    work = session("second")
    before = everything(work)
    for data, says in (
        (b"", "no zip"),
        (b"PK\x03\x04 and no more", "no zip"),
        (b"# A notebook", "no zip"),
        (changed(saved, **{FIRST: b"[]"}), "not of your work"),
        (changed(saved, **{FIRST: b"[" * 100_000}), "not of your work"),
        (changed(saved, about={"form": "exactly-once my-work 9"}), "version of the course"),
        (b"x" * 50_000_001, "over 50,000,000 bytes"),
        (changed(saved, zeros=bytes(200_000_001)), "more than"),
    ):
        with pytest.raises(BadInput, match=says):
            put_back(data)
        assert everything(work) == before
    with pytest.raises(CourseError, match="cannot be read: No such file"):
        bring_back(tmp_path / "gone.zip")
    with pytest.raises(BadInput, match="give the name of a file"):
        bring_back(None)


def test_a_damaged_file_is_refused(saved, session, put_back):
    work = session("second")
    for at in range(60, len(saved), len(saved) // 40):
        wrong = saved[:at] + bytes([saved[at] ^ 1]) + saved[at + 1 :]
        try:
            put_back(wrong)
        except BadInput:
            continue
        assert texts(work / NOTEBOOK) == "mine", "a bit that says nothing"
    with pytest.raises(BadInput, match="no zip"):
        put_back(saved[: len(saved) // 2])


# -- the controls ---------------------------------------------------------------------------------------------------


def test_a_chapter_shows_on_binder_and_nowhere_else_how_a_file_goes_out_and_comes_back(saved, session, monkeypatch):
    session("first")
    binder = "BINDER_SERVICE_HOST"
    for name in (binder, "BINDER_LAUNCH_HOST", "BINDER_REPO_URL"):
        monkeypatch.delenv(name, raising=False)
    all_shown = []
    monkeypatch.setattr("IPython.display.display", lambda *all_of, **_: all_shown.extend(all_of))
    start_ipython()
    chapter("04")
    assert all_shown == []
    monkeypatch.setenv(binder, "somewhere")
    chapter("04")
    (shown,) = all_shown
    assert "ten minutes" in shown.says
    shown.model.do("save")
    name, data = shown.model.file
    assert name.startswith("my-work-")
    assert "holds 4 files of yours" in shown.result
    work = session("second")
    middle = len(data) // 2
    shown.model.do("part", {"start": 0, "size": len(data), "last": False, "content": data[:middle]})
    assert shown.model.next == middle
    shown.model.do("part", {"start": middle, "size": len(data), "last": True, "content": data[middle:]})
    assert "is back" in shown.result
    assert texts(work / NOTEBOOK) == "mine"
