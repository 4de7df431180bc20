"""A JupyterHub with the configuration in docs/: three learners, each with a server, folders and a cluster apart."""

import contextlib
import json
import os
import pwd
import secrets
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from exactly_once.course.setup.lab import own
from exactly_once.paths import ROOT

from . import hubs

NAMES = ("anna", "bert", "carla")
GONE = 60  # s for what a stopped seat leaves to end by itself
SET_UP = "from exactly_once.course import chapter\nprint(chapter('00-start-here'))"
SIMULATED = """
from exactly_once import FaultPlan, judge, simulate
from exactly_once.handlers import at_least_once
print(judge(simulate(at_least_once, FaultPlan.crash("B", item=3)), at_least_once).damage.duplicated)
"""
REAL = """
from exactly_once import run_on_cluster
run = run_on_cluster(at_least_once, FaultPlan.crash("B", item=3))
print(judge(run, at_least_once).damage.duplicated)
"""
FACTS = """
import json, os, psutil
from exactly_once.course import my_work
from exactly_once.paths import temporary
from exactly_once.spark.cluster import lease, processes
mine = [psutil.Process(), *processes.our_processes()]
sockets = [each for one in mine for each in one.net_connections("inet") if each.status == "LISTEN"]
print(json.dumps({
    "user": os.getuid(),
    "lease": lease.lease_name(),
    "folders": [str(temporary()), str(my_work.folder())],
    "cluster": sorted(each.pid for each in mine[1:]),
    "leases": sorted({processes.mark(each, processes.LEASE) for each in mine[1:]} - {None}),
    "processes": [each.pid for each in mine] + [os.getppid()],
    "addresses": sorted({each.laddr.ip for each in sockets}),
    "ports": sorted({each.laddr.port for each in sockets}),
}))
"""
pytestmark = pytest.mark.skipif(
    hubs.proxy() is None,
    reason=f"{hubs.PROXY} is missing: pip install {hubs.PROXY}, or npm's; EO_PROXY names its folder",
)


@pytest.fixture
def folder():
    """A folder whose name is short: kernels meet their server in sockets below it."""
    path = Path("/tmp") / f"eo-hub-{secrets.token_hex(3)}"
    path.mkdir(mode=0o700)
    yield path
    shutil.rmtree(path)


@contextlib.contextmanager
def running(folder, **options):
    """A hub; whatever its seats have told of must be gone after it."""
    hub, seen = hubs.Hub(folder, **options), set()
    try:
        yield hub, seen
    finally:
        hub.stop()
        deadline = time.monotonic() + GONE
        while (left := [pid for pid in seen if psutil.pid_exists(pid)]) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert left == []


def seated(hub, names):
    """Start the learners' servers, all at once, and open the first notebook on each."""
    return [seat.ready().open() for seat in [hub.seat(name) for name in names]]


def facts_of(seats, seen):
    """Return what each seat tells of itself, and note its processes."""
    facts = [json.loads(seat.run(FACTS).splitlines()[0]) for seat in seats]
    seen.update(pid for each in facts for pid in each["processes"])
    return facts


def are_apart(facts, names):
    """Check that no two seats share a lease, a folder, a process or a port, and that all listen on loopback."""
    assert [each["lease"] for each in facts] == list(names)
    assert len({folder for each in facts for folder in each["folders"]}) == 2 * len(names)
    for what in ("processes", "ports"):
        found = [one for each in facts for one in each[what]]
        assert len(found) == len(set(found)), what
    assert {address for each in facts for address in each["addresses"]} <= {"127.0.0.1", "::ffff:127.0.0.1"}


def test_a_name_gives_a_lease_of_its_own():
    odd = ["anna", "anna@example.org", "anna@example-org", "a" * 90, "a" * 91, "Ἄννα"]
    leases = [own(name, Path("/home/x"))["EXACTLY_ONCE_LEASE"] for name in odd]
    assert leases[0] == "anna"
    assert len(set(leases)) == len(odd)


@pytest.mark.slow
@pytest.mark.cluster
def test_an_idle_kernel_is_ended_and_its_cluster_with_it(folder):
    idle = "c.Spawner.args = [each.replace('=2700', '=15').replace('=60', '=1') for each in c.Spawner.args]"
    with running(folder, more=idle) as (hub, seen):
        (seat,) = seated(hub, NAMES[:1])
        seat.run("from exactly_once.spark import cluster; cluster()")
        (facts,) = facts_of([seat], seen)
        assert len(facts["cluster"]) >= 3
        hub.until(lambda: not any(map(psutil.pid_exists, facts["cluster"])), "The idle kernel's cluster did not end")
        hub.until(lambda: seat.ask("api/kernels") == (200, []), "The idle kernel did not end")


def unreachable():
    """Return why accounts of this system cannot be made for a test, or cannot use this environment; or ""."""
    if os.geteuid() != 0:
        return "only root can make users of the system"
    if not all(map(shutil.which, ("useradd", "userdel", "groupadd", "groupdel", "chpasswd"))):
        return "there is no useradd here"
    for place in (ROOT, Path(sys.prefix), Path(sys.executable).resolve()):
        for part in (place, *place.parents):
            if not part.stat().st_mode & stat.S_IXOTH:
                return f"other users cannot enter {part}"
    return ""


@pytest.fixture
def users():
    """Yield (group, [names], password): three accounts with homes, which are removed afterwards."""
    mark = secrets.token_hex(3)
    group, names, password = f"eo-{mark}", [f"eo-{mark}-{name}" for name in NAMES], secrets.token_urlsafe(12)

    def do(*words, text=None, check=True):
        subprocess.run(words, input=text, text=True, check=check, capture_output=True)

    do("groupadd", group)
    try:
        for name in names:
            do("useradd", "--create-home", "--groups", group, "--shell", "/bin/sh", name)
            Path(f"~{name}").expanduser().chmod(0o700)
        do("chpasswd", text="".join(f"{name}:{password}\n" for name in names))
        yield group, names, password
    finally:
        mine = {pwd.getpwnam(name).pw_uid for name in names if _exists(name)}
        for process in psutil.process_iter(["uids"]):
            if process.info["uids"] and process.info["uids"].real in mine:
                with contextlib.suppress(psutil.Error):
                    process.kill()
                    process.wait(5)
        for name in names:
            do("userdel", "--remove", name, check=False)
        do("groupdel", group, check=False)


def _exists(name):
    with contextlib.suppress(KeyError):
        return bool(pwd.getpwnam(name))
    return False


@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.skipif(bool(unreachable()), reason=unreachable() or "-")
def test_three_users_of_the_system(folder, users):
    group, names, password = users
    with running(folder, trial=False, more=f"c.PAMAuthenticator.allowed_groups = {{{group!r}}}") as (hub, seen):
        assert hub.log_in(names[0], password) == 200
        assert hub.log_in(names[0], "something else") == 403
        assert hub.log_in("root", password) == 403
        seats = seated(hub, names)
        for seat in seats:
            assert "ready" in seat.run(SET_UP)
            assert "(3,)" in seat.run(SIMULATED)
            assert "(3,)" in seat.run(REAL)
        facts = facts_of(seats, seen)
        are_apart(facts, names)
        assert [each["user"] for each in facts] == [pwd.getpwnam(name).pw_uid for name in names]
        assert all(len(each["cluster"]) >= 3 and each["leases"] == [each["lease"]] for each in facts)
        first = seats[0]
        for place in [*facts[1]["folders"], str(Path(f"~{names[1]}").expanduser()), str(folder / "state")]:
            with pytest.raises(RuntimeError, match="PermissionError"):
                first.run(f"import os; os.listdir({place!r})")
        with pytest.raises(RuntimeError, match="PermissionError"):
            first.run(f"os.kill({facts[1]['processes'][0]}, 9)")
        with pytest.raises(RuntimeError, match="PermissionError"):
            first.run(f"open({str(ROOT / 'README.md')!r}, 'a')")
        with pytest.raises(RuntimeError, match="MemoryError"):
            first.run("bytearray(3_000_000_000)")
        assert first.run("import resource; print(resource.getrlimit(resource.RLIMIT_NPROC))") == "(4000, 4000)\n"
        # A learner whose kernel was killed leaves a cluster for a moment; the next learner's start does not mind it.
        first.run("import signal; from exactly_once.spark import stop_cluster; stop_cluster()")
        os.kill(facts[1]["processes"][0], 9)
        assert "(3,)" in first.run(REAL)
