"""The build of this repository on Binder, without Docker: the Dockerfile of repo2docker, and its steps again.

conda's part is done by what the machine has: its Python, its Java, and pip with the versions that repo2docker pins.
"""

import os
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import yaml

from exactly_once.java.finder import find_java
from exactly_once.paths import ROOT

USER, UID = "jovyan", 1000  # as BinderHub calls repo2docker
# What repo2docker has in the environment before ours is added, as far as it stands on PyPI under the same name
BASE = """ipykernel ipywidgets jupyter_server jupyter-offlinenotebook jupyter-resource-usage jupyterlab nbconvert-core
notebook jupyterhub-base pyzmq tornado traitlets psutil greenlet sqlalchemy"""
ON_PYPI = {"nbconvert-core": "nbconvert", "jupyterhub-base": "jupyterhub"}


def clean_copy(place):
    """Put the committed files of the repository into the folder `place`, as a clone has them."""
    place.mkdir(parents=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():
            shutil.copy2(ROOT / name, place / name, follow_symlinks=False)
    return place


def dockerfile(folder):
    """Return the Dockerfile that repo2docker prints for the repository in `folder`. It needs no Docker for this."""
    command = [str(Path(sys.executable).with_name("repo2docker")), "--no-build", "--debug"]
    done = subprocess.run(
        [*command, "--user-name", USER, "--user-id", str(UID), str(folder)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    printed = done.stderr + done.stdout  # what it does, then the Dockerfile
    assert done.returncode == 0, printed
    return printed


def instructions(printed):
    """Return the instructions of a Dockerfile, each in one line and without its comments."""
    text = printed[printed.index("\nFROM ") :]
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = re.sub(r"\s*\\\n\s*", " ", "\n".join(lines))
    return [" ".join(line.split()) for line in joined.splitlines()]


def after_copy(printed):
    """Return the instructions from the one that copies the repository."""
    found = instructions(printed)
    return found[found.index(f"COPY --chown={UID}:{UID} src/ ${{REPO_DIR}}/") :]


def environment():
    """Return the packages of `environment.yml`: (those of conda, the lines for pip)."""
    wanted = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    lines = next(one["pip"] for one in wanted if isinstance(one, dict))
    return [one for one in wanted if isinstance(one, str)], lines


def base_versions():
    """Return the packages and versions that repo2docker pins for Python 3.12, as requirements of pip."""
    pinned = files("repo2docker.buildpacks.conda").joinpath("environment.py-3.12-linux-64.lock").read_text()
    found = dict(re.findall(r"/([A-Za-z0-9_.-]+)-(\d[\w.]*)-[^-/]+\.(?:conda|tar\.bz2)", pinned))
    return [f"{ON_PYPI.get(name, name)}=={found[name]}" for name in BASE.split()]


class Image:
    """A folder in place of an image: `home` is the repository's copy, `prefix` the environment.

    Where this process may, the steps run as the unprivileged user with Binder's number.
    """

    def __init__(self, folder):
        self.home, self.prefix = folder / "home" / USER, folder / "srv" / "notebook"
        self.user = UID if os.geteuid() == 0 else None
        folder.chmod(0o755)

    def variables(self, **more):
        """Return the environment of a build step: nothing of this process's but where packages come from."""
        kept = {
            name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_")) or "proxy" in name
        }
        path = f"{self.prefix}/bin:/usr/local/bin:/usr/bin:/bin"
        mine = {"HOME": str(self.home), "USER": USER, "PATH": path, "LANG": "C.UTF-8"}
        return kept | mine | {"LD_LIBRARY_PATH": f"{self.prefix}/lib"} | more  # a Python that was copied

    def run(self, command, **more):
        """Run one step in the repository's folder; return its output. A failure ends the build, with the output."""
        limit = more.pop("timeout", 900)
        done = subprocess.run(
            command,
            cwd=self.home,
            env=self.variables(**more),
            user=self.user,
            group=self.user,
            extra_groups=[] if self.user else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=limit,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{command} ended with {done.returncode}:\n{done.stdout}")
        return done.stdout

    def own(self):
        """Give all of it to the user, as `COPY --chown` and the base's `chown -R` do."""
        for top in (self.home, self.prefix):
            if self.user is not None and top.exists():
                subprocess.run(["chown", "-R", f"{UID}:{UID}", str(top)], check=True)

    def make_environment(self):
        """In place of conda: an environment with this Python, this machine's Java, and what repo2docker pins."""
        own, version = Path(sys.base_prefix), f"python{sys.version_info.major}.{sys.version_info.minor}"
        (self.prefix / "bin").mkdir(parents=True)
        shutil.copy2(os.path.realpath(sys.executable), self.prefix / "bin" / version)
        (self.prefix / "bin" / "python").symlink_to(version)
        for name in (f"lib/{version}", f"include/{version}"):
            shutil.copytree(
                own / name, self.prefix / name, ignore=shutil.ignore_patterns("site-packages", "test", "__pycache__")
            )
        (self.prefix / "lib" / version / "site-packages").mkdir()
        for shared in (own / "lib").glob("libpython*.so*"):
            shutil.copy2(shared, self.prefix / "lib")
        java = Path(os.path.realpath(find_java().executable)).parents[1]
        shutil.copytree(java, self.prefix / "lib" / "jvm", symlinks=False, ignore_dangling_symlinks=True)
        (self.prefix / "bin" / "java").symlink_to("../lib/jvm/bin/java")
        self.own()
        self.run([f"{self.prefix}/bin/python", "-m", "ensurepip"])
        return self.run([*self.pip, *base_versions()])

    @property
    def pip(self):
        """The command with which conda installs what stands below `pip:`."""
        return [f"{self.prefix}/bin/python", "-m", "pip", "install", "--no-input", "--no-cache-dir"]

    def keep_whole_seconds(self):
        """Round the times of all files as the layers of an image do, which travel as tar files."""
        for top in (self.home, self.prefix):
            for folder, _, names in os.walk(top):
                for name in (".", *names):
                    path = Path(folder, name)
                    found = path.lstat()
                    times = (found.st_atime_ns // 10**9 * 10**9, found.st_mtime_ns // 10**9 * 10**9)
                    os.utime(path, ns=times, follow_symlinks=False)

    def at_run_time(self):
        """Return the variables that a session has besides: the environment is active, so JAVA_HOME is set."""
        return {"JAVA_HOME": str(self.prefix / "lib" / "jvm")}
