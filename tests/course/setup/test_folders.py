"""Folders that the course makes for itself are closed to the other users of the machine."""

import os
import stat

import pytest

from exactly_once import CourseError
from exactly_once.course import folder as my_work
from exactly_once.course.setup import lab
from exactly_once.paths import temporary

OWN = {"EXACTLY_ONCE_TMP": temporary, "EXACTLY_ONCE_WORK": my_work}


def mode(folder):
    return stat.S_IMODE(folder.stat().st_mode)


@pytest.fixture
def open_mask():
    """A user whose files are open to everybody unless a program says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.parametrize("variable", OWN)
def test_a_folder_is_closed_and_so_is_each_on_the_way(variable, tmp_path, monkeypatch, open_mask):
    monkeypatch.setenv(variable, str(tmp_path / "own"))
    (tmp_path / "own" / "below").mkdir(parents=True)  # which are open
    for names in (("jupyter", "runtime"), ("below",)):
        folder = OWN[variable](*names)
        assert folder == tmp_path.joinpath("own", *names)
        assert {mode(place) for place in (folder, folder.parent, tmp_path / "own")} == {0o700}


def test_jupyterlab_keeps_its_token_in_a_closed_folder(tmp_path, monkeypatch, open_mask):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path / "own"))
    runtime = lab.environment()["JUPYTER_RUNTIME_DIR"]
    assert stat.S_IMODE(os.stat(runtime).st_mode) == 0o700


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to another user")
@pytest.mark.parametrize("variable", OWN)
def test_a_folder_of_another_user_is_refused(variable, tmp_path, monkeypatch):
    monkeypatch.setenv(variable, str(tmp_path / "own"))
    (tmp_path / "own" / "below").mkdir(parents=True)
    for foreign in ("own/below", "own"):
        os.chown(tmp_path / foreign, 4321, 4321)
        with pytest.raises(CourseError, match=f"{foreign} belongs to another user.* Set {variable} to"):
            OWN[variable]("below")


@pytest.mark.parametrize("shared", ["sticky", "a home"])
def test_a_folder_that_others_need_is_left_open_and_refused(shared, tmp_path, monkeypatch):
    place = tmp_path / "place"
    place.mkdir()
    place.chmod(0o1777 if shared == "sticky" else 0o755)  # whatever the person's umask is
    if shared == "a home":
        monkeypatch.setenv("HOME", str(place))
    before = mode(place)
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(place))
    with pytest.raises(CourseError, match=r"is open to other users.* Set EXACTLY_ONCE_TMP to"):
        temporary("runs")
    assert mode(place) == before


def test_a_relative_name_means_the_same_folder_in_every_process(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EXACTLY_ONCE_TMP", "scratch")
    assert temporary("runs") == tmp_path / "scratch" / "runs"
    assert os.environ["EXACTLY_ONCE_TMP"] == str(tmp_path / "scratch")
