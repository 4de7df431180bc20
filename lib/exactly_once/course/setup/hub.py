"""What a JupyterHub starts for each learner: the learner's own folders and copies, then Jupyter's single-user server.

In `jupyterhub_config.py`: `c.Spawner.cmd = [sys.executable, "-P", "-m", "exactly_once.course.setup.hub"]`.
"""

import json
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path

from ...errors import CourseError
from ...paths import temporary
from . import lab

PULLED = (
    "exactly-once"  # in the home: the course as a link of nbgitpuller brings it; it goes before the installed one
)


def own(name: str, home: Path) -> dict[str, str]:
    """Return the variables that give the hub's user `name` a cluster and folders apart from other users'.

    The name of the lease is the user's, and where it has signs that a lease cannot have, a part of it and a checksum.
    """
    lease = re.sub(r"[^A-Za-z0-9_.-]", "-", name)[:50]
    return {
        "EXACTLY_ONCE_LEASE": lease if lease == name else f"{lease}-{zlib.crc32(name.encode()):08x}",
        "EXACTLY_ONCE_TMP": str(home / ".exactly-once"),
        "EXACTLY_ONCE_WORK": str(home / "my-work"),
        "PYTHONPATH": str(home / PULLED / "lib"),
    }


def settings() -> dict[str, dict[str, object]]:
    """Return the single-user server's configuration: the lab's, but for what the hub decides (address and folder)."""
    found = lab.settings()
    return {name: values for name, values in found.items() if name not in ("ServerApp", "LabApp")} | {
        "LabApp": {key: found["LabApp"][key] for key in ("news_url", "check_for_updates_class", "extension_manager")}
    }


def main(arguments: list[str]) -> None:
    """Hand out the copies, and become the single-user server, to which `arguments` go.

    Variables that are set already stay. Raises `CourseError` when the learner's folders cannot be made.
    """
    for name, value in own(os.environ.get("JUPYTERHUB_USER", "learner"), Path.home()).items():
        os.environ.setdefault(name, value)
    os.environ.update(lab.environment())
    # In a process of its own: it hands out the course that was pulled, if there is one.
    subprocess.run([sys.executable, "-P", "-m", "exactly_once.course.exercises", "hand-out"], check=False)
    (temporary("jupyter", "config") / "jupyter_server_config.json").write_text(json.dumps(settings(), indent=2))
    os.execv(sys.executable, [sys.executable, "-P", "-m", "jupyterhub.singleuser", *arguments])


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except CourseError as why:
        sys.exit(f"exactly_once: {why}")
