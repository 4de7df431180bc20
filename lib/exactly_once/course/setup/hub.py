"""What a JupyterHub starts for each learner: the learner's own folders and copies, then Jupyter's single-user server.

In `jupyterhub_config.py`: `c.Spawner.cmd = [sys.executable, "-P", "-m", "exactly_once.course.setup.hub"]`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from ...errors import CourseError
from ...paths import temporary
from . import lab


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
    for name, value in lab.own(os.environ.get("JUPYTERHUB_USER", "learner"), Path.home()).items():
        os.environ.setdefault(name, value)
    os.environ.update(lab.environment())
    # In a process of its own: it hands out the course that was pulled, if there is one.
    subprocess.run([sys.executable, "-P", "-m", "exactly_once.course.exercises.generate", "hand-out"], check=False)
    (temporary("jupyter", "config") / "jupyter_server_config.json").write_text(json.dumps(settings(), indent=2))
    os.execv(sys.executable, [sys.executable, "-P", "-m", "jupyterhub.singleuser", *arguments])


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except CourseError as why:
        sys.exit(f"exactly_once: {why}")
