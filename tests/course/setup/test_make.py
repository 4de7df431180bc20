"""`make` before any installation: it finds a Python, repairs a broken .venv, and reports errors.

Python and pip are played by a shell script, so these tests need no network and take no time.
"""

import os
import shutil
import subprocess

import pytest

from exactly_once.paths import ROOT

TOOLS = "sh cat cksum df awk grep head tail tr sed mkdir rm mv cp touch chmod dirname printf make ls".split()

# Plays python3, and once in .venv/bin plays that Python; $FAKE_LOG receives every call.
FAKE = """#!/bin/sh
echo "$*" >>"$FAKE_LOG"
case "$*" in
*'sys.version_info[:2]'*) echo "${FAKE_VERSION:-3.12}" ;;
*ensurepip*) [ -z "${FAKE_NO_VENV:-}" ] ;;
--version) echo "Python ${FAKE_VERSION:-3.12}.1" ;;
'-m venv .venv') mkdir -p .venv/bin && : >.venv/pyvenv.cfg && cp "$0" .venv/bin/python ;;
'-m pip install'*)
    site=.venv/lib/python3.12/site-packages
    mkdir -p $site && printf '%s\n' "$PWD/lib" >$site/__editable__.exactly_once-0.1.0.pth
    echo "PIP_TARGET is ${PIP_TARGET:-not set}" >>"$FAKE_LOG"
    echo "  Building wheel for pyspark (pyproject.toml): started"
    echo "${FAKE_PIP:-Successfully installed}"; [ -z "${FAKE_PIP:-}" ] ;;
'-m exactly_once.course.setup.finish'*) [ -z "${FAKE_SETUP:-}" ] || { echo "$FAKE_SETUP" >&2; exit 1; } ;;
esac
"""


class Course:
    """A copy of the files that make needs, on a machine that has what the test says."""

    def __init__(self, folder, tools):
        self.folder, self.tools, self.log = folder, tools, folder.parent / "log"
        (folder / "tools").mkdir(parents=True)
        for name in ("Makefile", "pyproject.toml", "requirements.lock", "tools/environment.sh"):
            shutil.copy(ROOT / name, folder / name)

    def python(self, name="python3"):
        program = self.tools / name
        program.write_text(FAKE)
        program.chmod(0o755)
        return program

    def make(self, *arguments, **variables):
        self.log.write_text("")
        environment = {"PATH": str(self.tools), "HOME": str(self.folder), "FAKE_LOG": str(self.log), **variables}
        self.done = subprocess.run(
            ["make", *(arguments or ["environment"])],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.said = self.done.stdout + self.done.stderr
        return self.done.returncode

    @property
    def calls(self):
        return self.log.read_text()


@pytest.fixture
def course(tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in TOOLS:
        if found := shutil.which(name):
            (tools / name).symlink_to(found)
    return Course(tmp_path / "the course", tools)  # a folder with a space in its name


def test_the_installation_does_not_name_the_folder_so_any_letters_may_be_in_it(course):
    course.python()
    assert course.make() == 0, course.said
    (link,) = course.folder.glob(".venv/lib/*/site-packages/*.pth")
    assert link.read_text() == "../../../../lib\n"
    assert (link.parent / link.read_text().strip()).resolve() == course.folder / "lib"


def test_it_installs_once_by_the_lock_and_again_when_that_is_changed(course):
    course.python()
    assert course.make() == 0, course.said
    assert (
        "-m pip install --no-input --progress-bar off -c requirements.lock -e .[lab,spark,servers,demo]\n"
        in course.calls
    )
    assert course.make() == 0
    assert course.said == ""
    assert "pip" not in course.calls
    for name in ("pyproject.toml", "requirements.lock"):
        with (course.folder / name).open("a") as file:
            file.write("# changed\n")
        assert course.make() == 0
        assert "pip install" in course.calls
        assert "-m venv" not in course.calls
    assert course.make("environment-dev") == 0, course.said
    assert "-e .[lab,spark,servers,demo,hub,dev,book]" in course.calls
    assert course.make("environment") == 0
    assert "pip" not in course.calls, "what the tests have serves the lab too"


def test_no_python_one_that_is_too_old_and_one_without_venv(course):
    assert course.make() != 0
    assert "there is no python3 on the PATH" in course.said
    assert "Python 3.11 or newer" in course.said
    assert "brew install" in course.said
    assert not (course.folder / ".venv").exists()
    course.python()
    assert course.make(FAKE_VERSION="3.9") != 0
    assert "python3 is Python 3.9, which is too old" in course.said
    assert course.make(FAKE_NO_VENV="yes") != 0
    assert "sudo apt install python3.12-venv" in course.said


def test_a_python_that_is_newer_than_those_that_were_tried_is_taken_where_there_is_no_other(course):
    newer = course.python()
    newer.write_text(newer.read_text().replace("${FAKE_VERSION:-3.12}", "3.15"))
    assert course.make() == 0, course.said
    assert "tests were run on Python 3.11 to 3.14; on 3.15 something may fail" in course.said
    assert "--ignore-requires-python" in course.calls
    shutil.rmtree(course.folder / ".venv")
    course.python("python3.11")
    assert course.make() == 0, course.said
    assert "python3.11" in course.said
    assert "--ignore-requires-python" not in course.calls


def test_a_python_of_the_person_s_choice(course):
    chosen = course.python("my own pythön")
    assert course.make("environment", f"PYTHON={chosen}") == 0, course.said
    assert str(chosen) in course.said
    shutil.rmtree(course.folder / ".venv")
    assert course.make("environment", "PYTHON=/nowhere/python") != 0
    assert "PYTHON=/nowhere/python does not start" in course.said


def test_an_interrupted_installation_starts_afresh_and_one_that_runs_is_left_alone(course):
    course.python()
    course.make()
    ended = subprocess.run(["sh", "-c", "echo $$"], capture_output=True, text=True, check=True).stdout
    (course.folder / ".venv" / ".installing").write_text(ended)
    (course.folder / ".venv" / "half").write_text("written")
    assert course.make() == 0, course.said
    assert "interrupted" in course.said
    assert not (course.folder / ".venv" / "half").exists()
    (course.folder / ".venv" / ".installing").write_text(f"{os.getpid()}\n")
    assert course.make() != 0
    assert f"(process {os.getpid()}) is installing" in course.said
    assert (course.folder / ".venv" / "bin" / "python").exists()


def test_a_folder_that_was_moved_and_one_whose_python_is_gone_get_a_new_environment(course):
    course.python()
    course.make()
    course.folder = course.folder.rename(course.folder.with_name("elsewhere"))
    assert course.make() == 0, course.said
    assert "another place" in course.said
    assert "-m venv" in course.calls
    (course.folder / ".venv" / "bin" / "python").unlink()
    assert course.make() == 0, course.said
    assert (course.folder / ".venv" / "bin" / "python").exists()


def test_a_dot_venv_that_is_something_else_is_left_alone(course):
    course.python()
    (course.folder / ".venv").mkdir()
    (course.folder / ".venv" / "diary.txt").write_text("dear")
    assert course.make() != 0
    assert "not a Python environment" in course.said
    assert (course.folder / ".venv" / "diary.txt").read_text() == "dear"


def test_a_failing_pip_is_explained_and_tried_again(course):
    course.python()
    for pip, said in (
        ("NewConnectionError: Temporary failure in name resolution", "PyPI cannot be reached"),
        ("ERROR: Could not install: [Errno 28] No space left on device", "The disk is full"),
        ("ERROR: something odd" + "\nand more" * 9, "ERROR: something odd"),
    ):
        assert course.make(FAKE_PIP=pip) != 0
        assert said in course.said
    assert course.make(FAKE_SETUP="A Java could not be installed.") != 0
    assert "A Java could not be installed." in course.said
    assert course.make() == 0, course.said
    assert "pip install" in course.calls


def test_pip_is_told_to_install_into_the_environment_and_the_silent_minute_is_explained(course):
    course.python()
    assert course.make(PIP_TARGET="/elsewhere", PIP_PREFIX="/elsewhere") == 0
    assert "PIP_TARGET is not set" in course.calls
    assert "Unpacking PySpark; this takes about a minute." in course.said


def test_uv_installs_where_it_is_there_and_pip_where_uv_fails(course):
    course.python()
    uv = course.python("uv")
    for works, pip in (("false", True), ("true", False)):
        shutil.rmtree(course.folder / ".venv", ignore_errors=True)
        uv.write_text(f'#!/bin/sh\necho "uv $*" >>"$FAKE_LOG"\n{works}\n')
        assert course.make() == 0
        assert "uv pip install --quiet --python .venv/bin/python -c requirements.lock -e" in course.calls
        assert ("-m pip install" in course.calls) is pip


def test_help_comes_first_and_lab_passes_its_arguments_on(course):
    course.python()
    assert course.make("help") == 0
    assert "make lab" in course.said
    assert course.make("lab", "LAB_ARGS=--no-browser --port=1234") == 0, course.said
    assert "-m exactly_once.course.setup.lab --no-browser --port=1234\n" in course.calls


def test_clean_removes_what_is_temporary_and_nothing_else(course):
    course.python()
    course.make()
    for name in (".tmp/a", "notebooks/.ipynb_checkpoints/a", "lib/x/__pycache__/a", "notebooks/mine.ipynb"):
        (course.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (course.folder / name).write_text("")
    find = shutil.which("find")
    (course.tools / "find").symlink_to(find)
    assert course.make("clean") == 0, course.said
    left = {str(path.relative_to(course.folder)) for path in course.folder.rglob("*") if path.is_file()}
    assert "notebooks/mine.ipynb" in left
    assert ".venv/bin/python" in left
    assert not [name for name in left if ".tmp" in name or "checkpoints" in name or "pycache" in name]
