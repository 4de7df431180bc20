"""Binder's build, without Docker: repo2docker takes the Dockerfile, and its steps end with a course that is ready."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from exactly_once.paths import ROOT

DOCKERFILE = ROOT / "binder" / "Dockerfile"
AS_ROOT = ("apt-get ", "adduser ")  # what the machine has already


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Give a clean copy of the repository, as Binder has it."""
    folder = tmp_path_factory.mktemp("binder") / "course"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    return folder


def run_lines():
    """Return the commands of the Dockerfile's RUN lines, in their order."""
    text = DOCKERFILE.read_text().replace("\\\n", " ")
    return [line.removeprefix("RUN ") for line in text.splitlines() if line.startswith("RUN ")]


@pytest.mark.not_by_day
def test_repo2docker_builds_from_the_dockerfile(clone):
    command = [str(Path(sys.executable).with_name("repo2docker")), "--no-build", "--debug"]
    done = subprocess.run(
        [*command, "--user-name", "jovyan", "--user-id", "1000", str(clone)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr + done.stdout
    assert DOCKERFILE.read_text().strip() in done.stderr + done.stdout


def test_conda_and_binder_bring_the_same_python_and_java_and_pip_the_rest_by_the_lock():
    wanted = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    assert [one for one in wanted if isinstance(one, str)] == ["python=3.12", "openjdk=17", "pip"]
    assert [one["pip"] for one in wanted if isinstance(one, dict)] == [
        ["-c requirements.lock", "-e .[lab,spark,servers,demo]"]
    ]
    text = DOCKERFILE.read_text()
    assert "FROM python:3.12-slim" in text
    assert "openjdk-17-jre" in text
    assert '-c requirements.lock -e ".[lab,spark,servers,demo,binder]"' in text


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_steps_of_the_dockerfile_end_with_a_course_that_is_ready(clone):
    steps = [line for line in run_lines() if not line.startswith(AS_ROOT)]
    assert len(steps) == 4
    home, python = str(clone), Path(sys.executable).resolve().parent
    variables = {"HOME": home, "PATH": f"{home}/.venv/bin:{python}:{os.environ['PATH']}", "USER": "jovyan"}
    for step in steps:
        done = subprocess.run(["/bin/sh", "-c", step], cwd=clone, env=variables, capture_output=True, text=True)
        assert done.returncode == 0, step + done.stdout + done.stderr
    for name in ("workshop/demo.ipynb", "workshop/lab-1.ipynb", "notebooks/00-start-here.ipynb"):
        assert (clone / "my-work" / name).exists(), name
    for command in ("jupyter-lab", "jupyter-notebook", "jupyterhub-singleuser"):
        assert (clone / ".venv/bin" / command).exists(), "BinderHub starts a session by it"
