"""Folders that the course makes for itself are closed to the other users of the machine."""

import os
import stat
import sys

import pytest

from exactly_once import paths
from exactly_once.course import my_work
from exactly_once.course.setup import lab
from exactly_once.errors import CourseError
from exactly_once.java.finder import Java
from exactly_once.paths import temporary
from exactly_once.spark.cluster import archive

OWN = {"EXACTLY_ONCE_TMP": temporary, "EXACTLY_ONCE_WORK": my_work.folder}
as_administrator = pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to another user")


def mode(folder):
    return stat.S_IMODE(folder.stat().st_mode)


@pytest.fixture
def open_mask():
    """A user whose files are open to everybody unless a program says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.parametrize("variable", OWN)
def test_a_new_folder_is_closed_and_so_is_each_on_the_way(variable, tmp_path, monkeypatch, open_mask):
    monkeypatch.setenv(variable, str(tmp_path / "own"))
    folder = OWN[variable]("jupyter", "runtime")
    assert folder == tmp_path / "own" / "jupyter" / "runtime"
    assert {mode(place) for place in (folder, folder.parent, tmp_path / "own")} == {0o700}


@pytest.mark.parametrize("variable", OWN)
def test_a_folder_that_was_open_is_closed(variable, tmp_path, monkeypatch, open_mask):
    monkeypatch.setenv(variable, str(tmp_path / "own"))
    (tmp_path / "own" / "below").mkdir(parents=True)
    folder = OWN[variable]("below")
    assert (mode(folder), mode(folder.parent)) == (0o700, 0o700)


def test_jupyterlab_keeps_its_token_in_a_closed_folder(tmp_path, monkeypatch, open_mask):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path / "own"))
    runtime = lab.environment()["JUPYTER_RUNTIME_DIR"]
    assert stat.S_IMODE(os.stat(runtime).st_mode) == 0o700


@as_administrator
@pytest.mark.parametrize("variable", OWN)
@pytest.mark.parametrize("foreign", ["own", "own/below"])
def test_a_folder_of_another_user_is_refused(variable, foreign, tmp_path, monkeypatch):
    monkeypatch.setenv(variable, str(tmp_path / "own"))
    (tmp_path / "own" / "below").mkdir(parents=True)
    os.chown(tmp_path / foreign, 4321, 4321)
    with pytest.raises(CourseError, match=f"{foreign} belongs to another user.* Set {variable} to"):
        OWN[variable]("below")


@pytest.mark.parametrize("shared", ["sticky", "around the course", "a home"])
def test_a_folder_that_others_need_is_left_open_and_refused(shared, tmp_path, monkeypatch):
    place = tmp_path / "place"
    place.mkdir()
    place.chmod(0o755)  # whatever the person's umask is
    if shared == "sticky":
        place.chmod(0o1777)
    elif shared == "around the course":
        monkeypatch.setattr(paths, "ROOT", place / "course")
    else:
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


@pytest.fixture
def java(tmp_path, monkeypatch):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path / "own"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    return Java(tmp_path, 17, "17.0.0+test", "PATH")


def test_the_archive_that_java_loads_lies_where_nobody_else_can_write(java, tmp_path, open_mask):
    share = tmp_path / "prefix" / "share" / "exactly_once"
    share.mkdir(parents=True)
    assert archive._paths(java)[0].parent == share
    assert mode(share) == 0o755


def test_an_archive_that_others_could_write_is_not_loaded(java):
    place, _, seal = archive._paths(java)
    place.write_bytes(b"classes")
    seal.write_text(f'{{"{place.name}": {archive._look(place)}}}')
    assert archive.options(java)
    place.chmod(0o666)
    assert archive.options(java) == ()


@as_administrator
def test_users_of_one_installation_load_the_archive_that_root_made(java, monkeypatch):
    place, _, seal = archive._paths(java)
    place.write_bytes(b"classes")
    seal.write_text(f'{{"{place.name}": {archive._look(place)}}}')
    monkeypatch.setattr(os, "getuid", lambda: 4321)  # tests/course/setup/test_hub.py does it with real users
    assert archive.options(java)[0] == f"-XX:SharedArchiveFile={place}"


@as_administrator
def test_an_archive_in_a_folder_of_another_user_is_not_loaded(java, tmp_path):
    share = tmp_path / "prefix" / "share" / "exactly_once"
    share.mkdir(parents=True)
    os.chown(share, 4321, 4321)
    assert archive._paths(java)[0].parent == tmp_path / "own" / "spark" / "share"


@as_administrator
def test_an_archive_that_another_user_put_there_is_not_loaded(java):
    place, _, seal = archive._paths(java)
    place.write_bytes(b"classes")
    seal.write_text(f'{{"{place.name}": {archive._look(place)}}}')
    assert archive.options(java)
    os.chown(place, 4321, 4321)
    assert archive.options(java) == ()
