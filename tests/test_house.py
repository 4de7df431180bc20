"""The house: what holds for every file of the course and no linter looks at."""

import ast
import json
import re
import subprocess
import tomllib
import warnings
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from exactly_once.paths import ROOT
from exactly_once.solutions import cells_of
from tests import seams, size

NOTEBOOK_FOLDERS = ("notebooks", "exercises")
FILLERS = re.compile(r"\b(simply|just|obviously|easily|of course)\b", re.IGNORECASE)
ROOM = 1000  # lines that the library or the tests may have above the least that was ever reached
LONGEST_FILE = 700  # lines; a file of over 300 is looked at, and may be one subject all the same


def git(*arguments):
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone: which files belong to the course is known to git alone")
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def in_git(*patterns):
    """The files that git knows or would take, and that are there."""
    names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns).split("\0")
    return sorted({name for name in names if name and (ROOT / name).is_file()})


def committed_notebooks():
    """Each notebook as git has it, so that a learner's own runs are no breach."""
    for name in git("ls-files", "-z", "--", "*.ipynb").split("\0"):
        if name:
            yield name, json.loads(git("show", f":{name}"))


def output_in(notebook):
    """Return what a run left in a notebook, in words."""
    return [
        f"cell {number} has {what}"
        for number, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == "code"
        for what, there in (
            ("output", cell["outputs"]),
            ("a number of execution", cell["execution_count"] is not None),
            ("times of execution", "execution" in cell["metadata"]),
        )
        if there
    ] + (["saved widget state"] if "widgets" in notebook["metadata"] else [])


def test_no_notebook_is_committed_with_output():
    assert {name: found for name, notebook in committed_notebooks() if (found := output_in(notebook))} == {}


def test_python_files_are_short():
    lines = {
        name: (ROOT / name).read_text().count("\n") for name in in_git("lib/*.py", "tests/*.py", "benchmarks/*.py")
    }
    assert len(lines) > 20
    assert {name: number for name, number in lines.items() if number > LONGEST_FILE} == {}


def test_nothing_creeps():
    """A mend has room, and no more: neither the lines nor the numbers in the file rise far above the least of all."""
    if git("rev-parse", "--is-shallow-repository").strip() == "true":
        warnings.warn("The history is not here; the lines are compared with tests/size.json alone.", stacklevel=1)
    numbers = json.loads(size.SIZE.read_text())
    least = size.smallest()
    assert set(numbers) == set(size.WHERE)
    for name, found in size.counted().items():
        assert max(found, numbers[name]) <= least[name] + ROOM, f"{name}: look first for what is done twice"


def test_every_module_says_what_lives_there():
    silent = [name for name in in_git("lib/*.py") if not ast.get_docstring(ast.parse((ROOT / name).read_text()))]
    assert silent == []


def cells():
    """Yield (file, number, kind, source) of each cell of the notebooks and of the texts of the solutions."""
    for name in in_git(*(f"{folder}/*.ipynb" for folder in NOTEBOOK_FOLDERS)):
        for number, cell in enumerate(json.loads((ROOT / name).read_text())["cells"]):
            yield name, number, cell["cell_type"], "".join(cell["source"])
    for name in in_git("solutions/*.py"):
        for number, cell in enumerate(cells_of(ROOT / name)):
            yield name, number, cell.kind, cell.source


def test_prose_has_no_fillers():
    found = []
    for name in in_git("*.md"):
        found += [f"{name}: {match.group(0)}" for match in FILLERS.finditer((ROOT / name).read_text())]
    for name, number, kind, source in cells():
        if kind == "markdown":
            found += [f"{name}, cell {number}: {match.group(0)}" for match in FILLERS.finditer(source)]
    assert found == []


def test_no_file_names_a_place_of_one_machine():
    found = {}
    for name in in_git():
        try:
            text = (ROOT / name).read_text()
        except UnicodeDecodeError:
            continue
        places = {place for place in (str(ROOT), str(Path.home())) if len(place) > 5 and place + "/" in text}
        if places:
            found[name] = places
    assert found == {}


def test_gitignore_lets_the_library_in():
    assert not {"lib", "lib/", "/lib/"} & set((ROOT / ".gitignore").read_text().split())


def locked():
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    return [Requirement(line) for line in lines if not line.startswith("#") and line.strip()]


def asked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [Requirement(line) for line in sum(project["optional-dependencies"].values(), project["dependencies"])]


def test_the_lock_pins_every_package_and_names_no_index():
    text = (ROOT / "requirements.lock").read_text()
    assert "://" not in text
    assert not re.search(r"^\s*-", text, re.MULTILINE)
    for requirement in locked():
        assert re.fullmatch(r"==[0-9][0-9A-Za-z.+]*", str(requirement.specifier)), requirement


@pytest.mark.parametrize("requirement", asked(), ids=lambda requirement: requirement.name)
def test_the_lock_has_what_the_course_asks_for(requirement):
    (pin, *_) = [each for each in locked() if each.name == requirement.name]
    version = str(pin.specifier).removeprefix("==")
    assert requirement.specifier.contains(version, prereleases=True)


def test_the_versions_of_python_are_the_same_everywhere():
    tried = SpecifierSet(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"])
    versions = [version for version in (f"3.{minor}" for minor in range(30)) if tried.contains(f"{version}.9")]
    first, last = versions[0], versions[-1]
    assert f"(3, {first.removeprefix('3.')})" in (ROOT / "lib/exactly_once/course/setup/doctor.py").read_text()
    assert f"tried={last.removeprefix('3.')} " in (ROOT / "tools/environment.sh").read_text()
    assert f"Python {first} to {last}" in (ROOT / "Makefile").read_text()
    assert f"**Python {', '.join(versions[:-1])} or {last}**" in (ROOT / "README.md").read_text()
    conda = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    assert {one.removeprefix("python=") for one in map(str, conda) if one.startswith("python=")} <= set(versions)


def test_tests_look_through_doors_and_seams():
    """What is listed beyond them only shrinks: `python -m tests.seams` takes from the table what is gone."""
    now, listed = seams.found(), json.loads(seams.BEYOND.read_text())
    assert sorted({*now["imports"]} - {*listed["imports"]}) == [], (
        "import a name of a door or of a seam (tests/seams.py)"
    )
    assert now["patched"] <= listed["patched"], "give the library another machine, and do not patch its attributes"
    assert now == listed, "take from the table what is gone: python -m tests.seams"
    assert len(seams.SEAMS) <= 40
    assert not {seam: names for seam, names in seams.used().items() if len(names) > seams.MOST}
