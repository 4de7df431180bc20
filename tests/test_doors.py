"""Tests for the doors: the learners' imports, their modules, and former names."""

import importlib
import re
import subprocess
import sys
import types
from pathlib import Path

import cloudpickle
import nbformat
import pytest

import exactly_once
from exactly_once import doors
from exactly_once.paths import ROOT

NAMES = [(door, name) for door, names in doors.DOORS.items() for name in names]


def cells():
    """Yield the file and the text of all that a learner reads and runs, a cell at a time."""
    for folder in ("notebooks", "exercises", "solutions"):
        for path in sorted((ROOT / folder).rglob("*.ipynb")):
            for cell in nbformat.read(path, as_version=4).cells:
                yield path, cell.source
        for path in sorted([*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.md")]):
            yield path, path.read_text()
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))):
        yield path, path.read_text()


def test_there_are_few_doors():
    assert len(doors.DOORS) <= 13
    names = [name for _, name in NAMES]
    assert len(names) == len(set(names)), "no name has two doors"
    assert set(doors.DOORS) - {exactly_once.__name__} <= {f"exactly_once.{path.name}" for path in _packages()}


def _packages():
    return [path for path in Path(exactly_once.__file__).parent.iterdir() if path.is_dir()]


def test_each_name_of_a_door_is_there_listed_and_explained():
    for door, name in NAMES:
        module = importlib.import_module(door)
        assert getattr(module, name) is doors.DOORS[door][name].found()
        assert name in dir(module)
        assert re.search(rf"^{name} +\S.*\.$", module.__doc__, re.MULTILINE)


def test_learners_read_no_other_path_than_the_doors():
    found = []
    for path, text in cells():
        whole = re.findall(r"^\s*import (exactly_once\.[\w.]+)", text, re.MULTILINE)
        pairs = re.findall(r"from (exactly_once[\w.]*) import (\([^)]*\)|.+)", text)
        found += [(path.name, module) for module in whole]
        for module, names in pairs:
            for name in re.findall(r"(\w+)(?: as \w+)?,?", re.sub(r" as \w+|#.*", "", names)):
                if name not in doors.DOORS.get(module, ()):
                    found.append((path.name, module, name))
    assert not found


def test_a_submodule_does_not_take_the_name_of_a_function():
    lines = (
        "import exactly_once.simulate, exactly_once.spark.run.cluster_replay, exactly_once.course.chapter",
        "import exactly_once.show.log_picture",
        "from exactly_once import show, simulate",
        "from exactly_once import replay_on_cluster",
        "from exactly_once.course import chapter",
        "assert callable(simulate) and callable(replay_on_cluster) and callable(chapter)",
        "assert callable(exactly_once.simulate) and callable(show.log)",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


def test_opening_the_doors_imports_nothing_else_of_the_library():
    asked = "import sys, exactly_once; print(*[name for name in sys.modules if name.startswith('exactly_once')])"
    done = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True)
    assert set(done.stdout.split()) == {"exactly_once", "exactly_once.doors"}


SLIPS = {
    "from exactly_once import provee": "exactly_once has no provee. The nearest name there is prove.",
    "from exactly_once.clocks import Fault": (
        "exactly_once.clocks has no Fault. It has another door: from exactly_once import Fault"
    ),
    "from exactly_once.log import xyzzy": (
        f"exactly_once.log has no xyzzy. help(exactly_once.log) lists its names. {doors.OLDER}"
    ),
}


def test_a_slip_is_answered_with_the_nearest_name():
    for line, words in SLIPS.items():
        with pytest.raises(ImportError) as refused:
            exec(line, {})
        assert str(refused.value) == words
    with pytest.raises(AttributeError, match=r"exactly_once has no jugde. The nearest name there is judge."):
        exactly_once.jugde  # noqa: B018
    assert not hasattr(exactly_once, "__wrapped__")


def test_a_door_is_pickled_by_name():
    log = importlib.import_module("exactly_once.log")
    assert isinstance(log, types.ModuleType)
    assert cloudpickle.loads(cloudpickle.dumps(log)) is log


def test_a_former_name_works():
    show = importlib.import_module("exactly_once.show")
    assert show.two_storeys is show.two_levels
    assert "two_storeys" not in dir(show)
    exec("from exactly_once.show import two_storeys as found", scope := {})
    assert scope["found"] is show.two_levels


def test_importing_all_of_a_door_brings_its_names_and_no_submodule():
    exec("from exactly_once.widgets import *", scope := {})
    assert scope.keys() - {"__builtins__"} == set(doors.DOORS["exactly_once.widgets"])
