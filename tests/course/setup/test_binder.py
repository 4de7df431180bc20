"""Binder's build: the steps of the Dockerfile that repo2docker prints, and, slowly, the steps themselves."""

import shutil
import time
from pathlib import Path

import pytest
from repo2docker.buildpacks import conda
from repo2docker.buildpacks.base import BuildPack

from exactly_once.paths import ROOT

from .binder_build import (
    Image,
    after_copy,
    clean_copy,
    dockerfile,
    environment,
    instructions,
)

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


STARTED = """import time
from pathlib import Path
began = time.monotonic()
from exactly_once.spark import cluster
cluster().range(3).count()
print("up after", round(time.monotonic() - began, 1), "s")
from exactly_once.spark.cluster.processes import our_processes
maps = [Path(f"/proc/{one.pid}/maps").read_text() for one in our_processes()]
assert sum("share/exactly_once/" in text for text in maps) == 3, "driver and executors map the archive"
"""
# Binder's own command; its server is asked for the page that the badge names
SERVED = """import re, subprocess, urllib.request
command = ["jupyter", "notebook", "--ip=127.0.0.1", "--port=0", "--no-browser", "--IdentityProvider.token=secret"]
server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
try:
    port = next(found[1] for line in server.stderr if (found := re.search(r"127.0.0.1:(\\d+)/tree", line)))
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/lab/tree/my-work/workshop/demo.ipynb?token=secret") as page:
        assert b"jupyter-config-data" in page.read()
    print("JupyterLab is up")
finally:
    server.terminate()
    server.wait()
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What repo2docker prints for a clean copy of the repository."""
    return dockerfile(clean_copy(tmp_path_factory.mktemp("binder") / "course"))


def test_the_whole_repository_is_there_before_the_environment_is_made(printed):
    """So that pip finds the lock and the package: repo2docker would copy `environment.yml` alone for others."""
    steps = instructions(printed)
    copies = [step for step in steps if step.startswith("COPY") and "src/" in step]
    assert copies == [STEPS[0]]
    assert steps.index(STEPS[0]) < steps.index(STEPS[2])


def test_the_steps_after_the_copy_are_those_that_are_known(printed):
    """The approved text. A newer repo2docker that does something else is read, and tried, before it is approved."""
    assert [step for step in after_copy(printed) if not step.startswith("LABEL")] == STEPS


def test_python_is_the_one_of_environment_yml(printed):
    """repo2docker's own would be 3.10, which PySpark refuses."""
    assert "Building conda environment for python=3.12" in printed
    pinned = Path(conda.__file__).parent.glob("environment.py-3.12-linux-*.lock")
    names = [BuildPack.generate_build_context_filename(str(path))[0] for path in pinned]  # it cuts long paths short
    assert any(name in printed for name in names), "the base's pinned versions are for 3.12"


def test_conda_brings_python_and_java_and_pip_the_rest_by_the_lock():
    from_conda, lines = environment()
    assert from_conda == ["python=3.12", "openjdk=17", "pip"]
    assert lines == ["-c requirements.lock", "-e .[lab,spark,servers,demo]"]
    assert (ROOT / "requirements.lock").exists()


def test_an_error_in_post_build_ends_it(tmp_path):
    """Docker looks at the exit status alone: without `set -e` a step that failed would pass unseen."""
    image = Image(tmp_path)
    image.user = None
    image.home.mkdir(parents=True)
    shutil.copy2(ROOT / "postBuild", image.home)
    python = image.prefix / "bin" / "python"
    python.parent.mkdir(parents=True)
    calls = []
    for failing in (1, 2, 99):
        python.write_text(f'#!/bin/sh\necho "$@" >> called\n[ "$(wc -l < called)" -lt {failing} ]\n')
        python.chmod(0o755)
        (image.home / "called").unlink(missing_ok=True)
        if failing < 99:
            with pytest.raises(RuntimeError, match="ended with"):
                image.run(["./postBuild"])
        else:
            image.run(["./postBuild"])
        calls.append(len((image.home / "called").read_text().splitlines()))
    assert calls == [1, 2, 2], "what follows a failure is not done"


@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.timeout(1800)
def test_the_steps_of_the_build_work_with_pip_in_place_of_conda(tmp_path):
    """Downloads some hundred megabytes, and makes the archive of classes."""
    took, began = {}, time.monotonic()

    def step(name):
        nonlocal began
        took[name], began = round(time.monotonic() - began, 1), time.monotonic()
        print(name, took[name], flush=True)

    image = Image(tmp_path)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)  # pytest's are closed, and the steps run as another user
    clean_copy(image.home)
    image.make_environment()
    image.own()
    step("in place of conda")
    _, lines = environment()
    image.run([*image.pip, *(word for line in lines for word in line.split())])
    step("pip")
    image.run(["./postBuild"])
    step("postBuild")
    image.keep_whole_seconds()

    active = image.at_run_time()
    for name in ("workshop/demo", "workshop/lab-1", "notebooks/00-start-here", "exercises/04-crash-points"):
        assert (image.home / "my-work" / f"{name}.ipynb").exists()
    imports = "from exactly_once.java.finder import find_java; from exactly_once.spark.cluster import archive"
    looked = f"{imports}; print(archive.options(find_java()))"
    options = image.run(["python", "-c", looked], **active)
    assert f"-XX:SharedArchiveFile={image.prefix}/share/exactly_once/" in options
    print(image.run(["python", "-c", STARTED], **active))  # it fails when no Java has mapped the archive
    step("cluster")
    assert "is up" in image.run(["python", "-c", SERVED], **active)
    step("JupyterLab")
