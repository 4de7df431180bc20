"""Binder's build: the steps of the Dockerfile that repo2docker prints. It needs no Docker for this."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from exactly_once.paths import ROOT

pytestmark = pytest.mark.not_by_day

STEPS = (  # the package is copied before pip looks for it
    "COPY --chown=1000:1000 src/ ${REPO_DIR}/",
    'env update -p ${NB_PYTHON_PREFIX} --file "environment.yml"',
    "RUN chmod +x postBuild",
    "RUN ./postBuild",
)


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


def test_all_is_there_before_the_environment_is_made_and_post_build_is_run_last(printed):
    text = " ".join(printed[printed.index("\nFROM ") :].replace("\\\n", " ").split())
    places = [text.find(step) for step in STEPS]
    assert -1 not in places
    assert places == sorted(places)
    assert "Building conda environment for python=3.12" in printed, (
        "repo2docker's own would be one that PySpark refuses"
    )


def test_conda_brings_python_and_java_and_pip_the_rest_by_the_lock():
    wanted = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    assert [one for one in wanted if isinstance(one, str)] == ["python=3.12", "openjdk=17", "pip"]
    assert [one["pip"] for one in wanted if isinstance(one, dict)] == [
        ["-c requirements.lock", "-e .[lab,spark,servers,demo]"]
    ]
    assert not [name for name in ("binder", ".binder") if (ROOT / name).exists()], "the root's files would not count"
