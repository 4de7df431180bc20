"""Binder's build: the steps of the Dockerfile that repo2docker prints. It needs no Docker for this."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from repo2docker.buildpacks import conda
from repo2docker.buildpacks.base import BuildPack

from exactly_once.paths import ROOT

pytestmark = pytest.mark.not_by_day

STEPS = [
    "COPY --chown=1000:1000 src/ ${REPO_DIR}/",
    "USER ${NB_USER}",
    "RUN TIMEFORMAT='time: %3R' bash -c 'time ${MAMBA_EXE} env update -p ${NB_PYTHON_PREFIX} "
    '--file "environment.yml" && time ${MAMBA_EXE} clean --all -f -y && ${MAMBA_EXE} list -p ${NB_PYTHON_PREFIX} \'',
    "USER ${NB_USER}",
    "RUN chmod +x postBuild",
    "RUN ./postBuild",
    "ENV PYTHONUNBUFFERED=1",
    "COPY --chmod=0755 /python3-login /usr/local/bin/python3-login",
    "COPY --chmod=0755 /repo2docker-entrypoint /usr/local/bin/repo2docker-entrypoint",
    'ENTRYPOINT ["/usr/local/bin/repo2docker-entrypoint"]',
    'CMD ["jupyter", "notebook", "--ip", "0.0.0.0"]',
]


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What repo2docker prints for a clean copy of the repository, called as BinderHub calls it."""
    folder = tmp_path_factory.mktemp("binder") / "course"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    command = [str(Path(sys.executable).with_name("repo2docker")), "--no-build", "--debug"]
    done = subprocess.run(
        [*command, "--user-name", "jovyan", "--user-id", "1000", str(folder)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stderr + done.stdout  # what it does, then the Dockerfile


def test_the_steps_are_those_that_are_known_and_all_is_there_before_the_environment_is_made(printed):
    """The approved text. A newer repo2docker that does something else is read, and tried, before it is approved.

    pip finds the lock and the package, since all is copied first; others get `environment.yml` alone.
    """
    text = printed[printed.index("\nFROM ") :]
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = re.sub(r"\s*\\\n\s*", " ", "\n".join(lines))
    steps = [" ".join(line.split()) for line in joined.splitlines()]
    assert [step for step in steps[steps.index(STEPS[0]) :] if not step.startswith("LABEL")] == STEPS
    assert [step for step in steps if step.startswith("COPY") and "src/" in step] == STEPS[:1]


def test_python_is_the_one_of_environment_yml(printed):
    """repo2docker's own would be 3.10, which PySpark refuses."""
    assert "Building conda environment for python=3.12" in printed
    pinned = Path(conda.__file__).parent.glob("environment.py-3.12-linux-*.lock")
    names = [BuildPack.generate_build_context_filename(str(path))[0] for path in pinned]  # it cuts long paths short
    assert any(name in printed for name in names), "the base's pinned versions are for 3.12"


def test_conda_brings_python_and_java_and_pip_the_rest_by_the_lock():
    wanted = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    assert [one for one in wanted if isinstance(one, str)] == ["python=3.12", "openjdk=17", "pip"]
    assert [one["pip"] for one in wanted if isinstance(one, dict)] == [
        ["-c requirements.lock", "-e .[lab,spark,servers,demo]"]
    ]
    assert not [name for name in ("binder", ".binder") if (ROOT / name).exists()], "the root's files would not count"


def test_an_error_in_post_build_ends_it(tmp_path):
    """Docker looks at the exit status alone: without `set -e` a step that failed would pass unseen."""
    shutil.copy2(ROOT / "postBuild", tmp_path)
    python = tmp_path / "python"
    calls = []
    for failing in (1, 2, 99):
        python.write_text(f'#!/bin/sh\necho "$@" >> called\n[ "$(wc -l < called)" -lt {failing} ]\n')
        python.chmod(0o755)
        (tmp_path / "called").unlink(missing_ok=True)
        variables = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(["./postBuild"], cwd=tmp_path, env=variables, capture_output=True)
        assert (done.returncode == 0) == (failing == 99)
        calls.append(len((tmp_path / "called").read_text().splitlines()))
    assert calls == [1, 2, 2], "what follows a failure is not done"
