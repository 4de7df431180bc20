"""The course as a link of nbgitpuller brings it: pulls and learners' work do not get in each other's way."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from exactly_once.course.setup.lab import PULLED, own
from exactly_once.paths import ROOT

pytestmark = pytest.mark.not_by_day

NOTEBOOK = "notebooks/00-start-here.ipynb"
OTHER = "notebooks/01-lamport-clocks.ipynb"
HAND_OUT = ("-P", "-m", "exactly_once.course.exercises.generate", "hand-out")


class Learner:
    """A home, the course's repository on a server, and the commands of both."""

    def __init__(self, home, upstream, server):
        self.home, self.upstream, self.server = home, upstream, server
        self.course, self.work = home / PULLED, home / "my-work"
        self.environment = os.environ | own("anna", home) | {"HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}

    def git(self, *words, cwd=None):
        who = ("-c", "user.name=teacher", "-c", "user.email=teacher@example.org")
        return self.run("git", *who, *words, cwd=cwd or self.upstream)

    def run(self, *words, cwd=None):
        done = subprocess.run(words, cwd=cwd or self.home, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def python(self, *words, cwd=None):
        return self.run(sys.executable, *words, cwd=cwd)

    def pull(self):
        """Do what a click on the link does."""
        self.python("-m", "nbgitpuller.pull", self.server.as_uri(), "main", str(self.course))

    def publish(self, text):
        """Put a cell with this text to the end of both notebooks, upstream."""
        for name in (NOTEBOOK, OTHER):
            append(self.upstream / name, text)
        self.git("commit", "-qam", text)
        self.git("push", "-q", str(self.server), "main")


def append(path, text):
    """Put a cell with this text to the end of a notebook."""
    notebook = json.loads(path.read_text())
    notebook["cells"].append({"cell_type": "markdown", "id": text, "metadata": {}, "source": [text]})
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


@pytest.fixture
def learner(tmp_path):
    home, upstream, server = tmp_path / "home", tmp_path / "upstream", tmp_path / "server.git"
    home.mkdir()
    upstream.mkdir()
    caches = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "*.egg-info")
    for folder in ("lib", "notebooks", "exercises", "solutions", "data"):
        shutil.copytree(ROOT / folder, upstream / folder, ignore=caches)
    shutil.copy(ROOT / ".gitignore", upstream)
    found = Learner(home, upstream, server)
    found.git("init", "-q", "-b", "main")
    found.git("add", "-A")
    found.git("commit", "-qm", "first")
    found.git("clone", "-q", "--bare", str(upstream), str(server), cwd=tmp_path)
    return found


@pytest.mark.slow
def test_a_pull_keeps_what_the_learner_did(learner):
    learner.pull()
    assert str(learner.course / "lib") in learner.python("-c", "import exactly_once; print(exactly_once.__file__)")
    learner.python(*HAND_OUT)
    append(learner.work / NOTEBOOK, "mine")
    before = (learner.work / NOTEBOOK).read_bytes()

    learner.publish("newer")
    learner.pull()
    assert "newer" in (learner.course / NOTEBOOK).read_text()
    assert (learner.work / NOTEBOOK).read_bytes() == before
    said = learner.python(
        "-c",
        "from exactly_once.course.chapter import own_or_outdated; print(own_or_outdated('00-start-here'))",
        cwd=learner.work / "notebooks",
    )
    assert "the course has a newer version of this notebook" in said

    said = learner.python(*HAND_OUT)  # as the next start of the seat does
    assert "00-start-here has a newer version; yours stays as it is" in said
    assert (learner.work / NOTEBOOK).read_bytes() == before
    assert "newer" in (learner.work / OTHER).read_text()
    assert learner.git("status", "--porcelain", cwd=learner.course) == ""
