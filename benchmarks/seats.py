"""How many seats a computer bears: 1, 2, 4 and 8 learners on a JupyterHub with the configuration in docs/, who all
start at once.

A seat is what a learner has: the hub's server for them, the kernel of chapter 00, and a cluster of their own.
Everybody opens the notebook, starts the cluster and kills one real process, at the same moment. For each number of
seats a line: seconds from the first request to the slowest seat's server, to its cluster and to its verdict on the
crash, the verdict of a second crash on the warm clusters, all at once again; and memory, PSS, of one seat (server,
kernel, cluster) and of all with hub and proxy.

    python benchmarks/seats.py [numbers of seats, default 1 2 4 8]

Needs the proxy of JupyterHub (`configurable-http-proxy`), and about 1.5 GB of free memory a seat: a number of seats
for which there is less is left out.
"""

import secrets
import shutil
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil

from exactly_once.paths import ROOT
from exactly_once.spark.cluster.archive import ensure_archive

sys.path.insert(0, str(ROOT))
from tests.course.setup import hubs

SEAT = 1.5e9  # bytes that must be free for each
START = "from exactly_once.spark import cluster\ncluster(); print('up')"
CRASH = """
from exactly_once import FaultPlan, judge, run_on_cluster
from exactly_once.handlers import at_least_once
print(judge(run_on_cluster(at_least_once, FaultPlan.crash("B", item=3)), at_least_once).damage.duplicated)
"""
MINE = """
import os
from exactly_once.spark.cluster import processes
print(os.getpid(), os.getppid(), *(each.pid for each in processes.our_processes()))
"""


def told(seat, code, wanted):
    """Run code in a seat's kernel. Raises `RuntimeError` when it does not print what is wanted."""
    if wanted not in (said := seat.run(code)):
        raise RuntimeError(f"The seat of {seat.name} printed {said!r} in place of {wanted!r}.")


def memory(pids):
    """Return the PSS of processes in bytes: a page that several of them share counts once in all."""
    total = 0
    for pid in pids:
        try:
            found = psutil.Process(pid).memory_full_info()
        except psutil.NoSuchProcess:
            continue
        total += getattr(found, "pss", found.rss)
    return total


def one_class(count):
    """Return (seconds to the servers, the clusters, the verdicts, a second crash; bytes of a seat, of everything)."""
    folder = Path("/tmp") / f"eo-hub-{secrets.token_hex(3)}"  # short: sockets are below it
    folder.mkdir(mode=0o700)
    hub = hubs.Hub(folder)
    try:
        with ThreadPoolExecutor(count) as all_at_once:
            began = time.monotonic()

            def begin(number):
                seat = hub.seat(f"learner-{number}").ready()
                there = time.monotonic() - began
                seat.open()
                told(seat, START, "up")
                up = time.monotonic() - began
                told(seat, CRASH, "(3,)")
                return seat, there, up, time.monotonic() - began

            seats, *times = zip(*all_at_once.map(begin, range(count)), strict=True)
            again = time.monotonic()
            list(all_at_once.map(lambda seat: told(seat, CRASH, "(3,)"), seats))
            again = time.monotonic() - again
        each = [memory(map(int, seat.run(MINE).splitlines()[0].split())) for seat in seats]
        below = psutil.Process(hub.process.pid).children()
        doors = [one.pid for one in below if hubs.PROXY in " ".join(one.cmdline())]
        rest = memory([hub.process.pid, *doors])
        return *map(max, times), again, statistics.mean(each), sum(each) + rest
    finally:
        hub.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main(counts):
    """Print a line for each number of seats."""
    if hubs.proxy() is None:
        sys.exit(f"{hubs.PROXY} is missing: pip install {hubs.PROXY}, or npm's.")
    ensure_archive(progress=print)
    print("seats  server  cluster  verdict  next crash  GB a seat  GB in all", flush=True)
    for count in counts:
        if psutil.virtual_memory().available < count * SEAT:
            print(f"{count:5}  left out: {psutil.virtual_memory().available / 1e9:.1f} GB are free", flush=True)
            continue
        server, up, verdict, again, each, total = one_class(count)
        print(
            f"{count:5}  {server:4.0f} s  {up:5.0f} s  {verdict:5.0f} s  {again:8.1f} s  {each / 1e9:9.2f}  "
            f"{total / 1e9:9.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [1, 2, 4, 8])
