"""`make lab`: JupyterLab on this machine's loopback, opened at the first notebook, and its address in plain sight.

What follows on the command line goes to JupyterLab: `make lab LAB_ARGS="--no-browser --port=8890"`.
"""

import contextlib
import ipaddress
import json
import os
import re
import signal
import socket
import subprocess
import sys
import uuid
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import zmq
from jupyter_server.services.contents.filecheckpoints import AsyncFileCheckpoints

from ...errors import CourseError
from ...java.finder import Java
from ...paths import ROOT, temporary
from ...spark.cluster import archive
from .. import copies, my_work
from . import doctor
from . import finish as setup

FIRST = "notebooks/00-start-here.ipynb"
LOOPBACK = "127.0.0.1"
PULLED = "exactly-once"  # in a hub's home: the course as nbgitpuller brings it; it goes before the installed one
LONGEST_SOCKET = 103  # bytes of a Unix socket's name: on macOS; Linux has 107


def environment() -> dict[str, str]:
    """Return the variables that keep Jupyter's and IPython's files in the course's temporary folder."""
    return {
        "JUPYTER_CONFIG_DIR": str(temporary("jupyter", "config")),
        "JUPYTER_DATA_DIR": str(temporary("jupyter", "data")),
        "JUPYTER_RUNTIME_DIR": str(temporary("jupyter", "runtime")),
        "JUPYTERLAB_SETTINGS_DIR": str(temporary("jupyter", "settings")),
        "JUPYTERLAB_WORKSPACES_DIR": str(temporary("jupyter", "workspaces")),
        "IPYTHONDIR": str(temporary("ipython")),
        "JUPYTER_PREFER_ENV_PATH": "1",
    }


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


def places() -> tuple[Path, str | None]:
    """Return the folder that JupyterLab serves, and the notebook that it opens, seen from there, or None.

    The notebook is the learner's copy. Where `EXACTLY_ONCE_WORK` puts the copies outside the course, JupyterLab
    serves them alone; in a folder whose name begins with a dot, which it does not open, it opens the course's own.
    """
    try:
        root, copy = ROOT, copies.copy_of(FIRST)
        if not copy.is_relative_to(ROOT):
            root = my_work.folder()
        if copy.exists() and not any(part.startswith(".") for part in copy.relative_to(root).parts):
            return root, copy.relative_to(root).as_posix()
    except CourseError:  # told when they were to be handed out
        pass
    return ROOT, FIRST if (ROOT / FIRST).exists() else None


def kernels(folder: Path | None = None) -> dict[str, str]:
    """Return how server and kernels talk: by Unix sockets; where their names would be too long, by encrypted ports.

    Sockets to the ports of a kernel that has ended are opened again and again by the server, and after a while some
    other program has one of these ports: Spark, say, which takes its first caller for its own. Without the
    encryption each kernel prints a warning, and the address goes out of sight. `folder` is where the sockets will be;
    by default it is Jupyter's.
    """
    name = (folder or temporary("jupyter", "runtime")) / f"kernel-{uuid.UUID(int=0)}-ipc-99"
    if len(os.fsencode(name)) <= LONGEST_SOCKET:
        return {"transport": "ipc"}
    return {"transport": "tcp", "transport_encryption": "auto" if zmq.has("curve") else "disabled"}


def log_to(name: str, server: str) -> dict[str, Any]:
    """Return the configuration of a server's log: errors alone on the terminal, so that the address stays in sight;
    the whole log in the file `name`.
    """
    return {
        "formatters": {"file": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
        "handlers": {
            "file": {
                "class": "logging.FileHandler",
                "formatter": "file",
                "level": "INFO",
                "filename": str(temporary("jupyter") / name),
            }
        },
        "loggers": {
            server: {"handlers": ["console", "file"]},
            # It warns of the length of Jupyter's own pings.
            "tornado.general": {"handlers": ["console", "file"], "propagate": False},
        },
    }


def settings() -> dict[str, dict[str, Any]]:
    """Return JupyterLab's configuration for the course. Arguments on the command line go before it."""
    root, first = places()
    return {
        "ServerApp": {
            "ip": LOOPBACK,
            "root_dir": str(root),
            "allow_root": True,  # on loopback and with a token; containers often know no other user
            "jpserver_extensions": {
                "voila.server_extension": False
            },  # it prints a warning; the demo has its own server
            "log_level": "ERROR",
            "logging_config": log_to("lab.log", "ServerApp"),
        },
        "LabApp": {
            "default_url": f"/lab/tree/{first}" if first else "/lab",
            "news_url": None,
            "check_for_updates_class": "jupyterlab.handlers.announcements.NeverCheckForUpdate",
            "extension_manager": "readonly",
            "log_level": "ERROR",
        },
        "KernelManager": kernels(),
        "LanguageServerManager": {"autodetect": False},  # it would start npm, which writes into the home directory
        "AsyncLargeFileManager": {"checkpoints_class": "exactly_once.course.setup.lab.Checkpoints"},
    }


class Checkpoints(AsyncFileCheckpoints):
    """Jupyter's own checkpoints, with another place: a tree like the course's, so that equal names do not meet."""

    def checkpoint_path(self, checkpoint_id: str, path: str) -> str:
        """Return the file of one checkpoint; `path` is the notebook's, seen from the course's root, with slashes."""
        name = Path(path.strip("/"))
        parents = [part for part in name.parent.parts if part not in ("", os.curdir, os.pardir)]
        return str(temporary("jupyter", "checkpoints", *parents) / f"{name.stem}-{checkpoint_id}{name.suffix}")


def asked_port(arguments: Sequence[str]) -> int | None:
    """Return the port that the arguments ask for, or None. Raises `CourseError` for one that cannot be a port."""
    text = " ".join(arguments)
    asked = re.findall(r"--(?:ServerApp\.)?port[= ](\S+)", text)
    if not asked:
        return None
    if not re.fullmatch(r"\d{1,5}", asked[-1]) or not 1 <= int(asked[-1]) <= 65535:
        raise CourseError(f"The port is {asked[-1]!r}; it must be a whole number between 1 and 65535.")
    return int(asked[-1])


def check_port(port: int) -> None:
    """Raise `CourseError` when `port` cannot be listened on here."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except PermissionError as why:
            raise CourseError(f"Port {port} is for the administrator only. Choose one above 1023.") from why
        except OSError as why:
            raise CourseError(
                f"Port {port} is in use by another program. Stop that one, or choose another port: "
                f'make lab LAB_ARGS="--port={port % 65535 + 1}", or none, and a free one is found.'
            ) from why


def has_display() -> bool:
    """Tell whether a browser window can open here."""
    if sys.platform == "darwin" or "WSL_DISTRO_NAME" in os.environ:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def check_reach(ip: str, token: str) -> None:
    """Raise `CourseError` when a server at address `ip` with `token` would be open to others."""
    try:
        private = ip == "localhost" or ipaddress.ip_address(ip).is_loopback
    except ValueError:
        private = False
    if not private:
        raise CourseError(
            f"LAB_ARGS asks for the address {ip or '(all)'}; the course serves this machine only ({LOOPBACK}). "
            "To reach it from another one, use a tunnel: ssh -L 8888:127.0.0.1:8888 and the machine's name."
        )
    if not token:
        raise CourseError(
            "LAB_ARGS switches the token off: whoever is on this machine could run code as you. Leave it on."
        )


def hand_out() -> None:
    """Give the learner copies of the notebooks; what hinders it is told, and the lab opens all the same."""
    try:
        said = copies.hand_out()
    except CourseError as why:
        said = [f"Your copies of the notebooks could not be handed out. {why}"]
    for sentence in said:
        print(sentence, flush=True)


def launch(arguments: Sequence[str]) -> None:
    """Start JupyterLab and stay until it is stopped.

    `arguments` are JupyterLab's own. Raises `CourseError` when there is no Java, when the port is taken, or when the
    arguments would open the server to others.
    """
    os.environ.update(environment())
    for name in ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH", "JUPYTER_TOKEN"):
        os.environ.pop(name, None)
    port = asked_port(arguments)
    if port:
        check_port(port)
    found = doctor.python()
    if found.state != "well":
        print(f"This is Python {found.value}. {found.remedy}", flush=True)
    java = setup.java()
    hand_out()
    config = settings()
    if port:
        config["ServerApp"]["port_retries"] = 0
    windowless = not has_display()
    if windowless:
        config["ServerApp"]["open_browser"] = False
    (temporary("jupyter", "config") / "jupyter_server_config.json").write_text(json.dumps(config, indent=2))

    from jupyterlab.labapp import LabApp  # late: it reads the variables above

    server = LabApp.initialize_server(argv=list(arguments))
    identity = server.identity_provider
    check_reach(server.ip, identity.token)
    identity.token_generated = False  # so that the address is told once, below, and not three times among log lines
    orderly = signal.getsignal(signal.SIGTERM)  # stops the kernels, too, and so their clusters
    if signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:  # a closed terminal
        signal.signal(signal.SIGHUP, orderly)
    if not (sys.stdin and sys.stdin.isatty()):  # nobody to ask
        signal.signal(signal.SIGINT, orderly)
    server.io_loop.add_callback(tell_address, server, windowless and "--no-browser" not in arguments)
    with writing_archive(java):
        server.start()


@contextlib.contextmanager
def writing_archive(java: Java) -> Iterator[None]:
    """Write the archive for `java` while the block runs, unless it is there, in a process that ends with it."""
    if archive.options(java):
        yield
        return
    print(archive.WRITING, flush=True)
    command = [sys.executable, "-P", "-c", f"from {archive.__name__} import ensure_archive; ensure_archive()"]
    writer = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # Ctrl-C is for the server
    try:
        yield
    finally:
        if writer.poll() is None:
            os.killpg(writer.pid, signal.SIGTERM)


def tell_address(server: Any, windowless: bool) -> None:
    """Print where the server is, once it listens there: until then the port may still change."""
    query = urlencode({"token": server.identity_provider.token})
    address = f"http://{LOOPBACK}:{server.port}{server.base_url.rstrip('/')}{server.default_url}?{query}"
    print("JupyterLab is running. Its address:", f"\n    {address}\n", sep="\n", flush=True)
    if windowless:
        print("There is no display here, so no window opens: put the address into a browser on this machine.")
    print("To stop it, press Ctrl-C here (twice: without a question).")
    print(f"Its log is {temporary('jupyter') / 'lab.log'}.", flush=True)


def main(arguments: Sequence[str]) -> int | str:
    """Run `launch`; say in a sentence what went wrong. Returns the exit status."""
    try:
        launch(arguments)
    except CourseError as why:
        print(why, file=sys.stderr)
        return 1
    except SystemExit as end:
        return end.code or 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
