"""How many learners a Spark cluster that is not theirs bears: 1, 2 and 4 applications on one master and two workers.

The cluster is Spark's own, as the tests start it: processes on addresses of their own on this machine. A learner is a
process as a notebook's kernel has it, with the driver of an application of its own, of two executors with a core and
512 MiB each. All start at the same moment, and each kills one real process, twice. For each number a line: seconds to
the slowest application's cluster, to its verdict on the first crash, and the verdict of a second crash, all at once
again; memory, PSS: what an application takes on the cluster (executors and their Python), what it takes beside the
notebook (kernel and driver), and what master and workers take; and the load of the
machine before (what others do on it makes all of it slower).

    python benchmarks/shared_cluster.py [numbers of applications, default 1 2 4]

About 1.5 GB of memory must be free for each application.
"""

import os
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil

from exactly_once.paths import ROOT, temporary
from exactly_once.spark.cluster.archive import ensure_archive

sys.path.insert(0, str(ROOT))
from tests.spark.foreign.standalone import Standalone
from tests.spark.run.actor import Actor

IMPORT = "from exactly_once import FaultPlan, judge, run_on_cluster; from exactly_once.handlers import at_least_once"
CRASH = "judge(run_on_cluster(at_least_once, FaultPlan.crash('B', item=3)), at_least_once).damage.duplicated"


def memory(processes):
    """Return the PSS of processes in bytes: a page that several of them share counts once in all."""
    total = 0
    for process in processes:
        try:
            found = process.memory_full_info()
        except psutil.NoSuchProcess:
            continue
        total += getattr(found, "pss", found.rss)
    return total


def applications(count):
    """Return (seconds to the clusters, the verdicts, a second crash; bytes of an application there, of a notebook
    here, of master and workers).
    """
    with tempfile.TemporaryDirectory(dir=temporary()) as folder:
        cluster = Standalone(Path(folder) / "cluster", cores=count, memory=f"{512 * count}m")
        try:
            idle = memory(cluster.processes())
            variables = {
                "EXACTLY_ONCE_SPARK": cluster.url,
                "SPARK_CONF_DIR": str(cluster.conf),
            }
            learners = []
            for number in range(count):
                (own := Path(folder) / f"learner-{number}").mkdir()
                learners.append(Actor(own, EXACTLY_ONCE_LEASE=f"shared-{os.getpid()}-{number}", **variables))
            try:
                with ThreadPoolExecutor(count) as all_at_once:
                    began = time.monotonic()

                    def begin(learner):
                        learner.ask("cluster() and None")
                        up = time.monotonic() - began
                        learner.ask(IMPORT)
                        assert learner.ask(CRASH) == [3]
                        return up, time.monotonic() - began

                    up, verdict = map(max, zip(*all_at_once.map(begin, learners), strict=True))
                    again = time.monotonic()
                    list(all_at_once.map(lambda learner: learner.ask(CRASH), learners))
                    again = time.monotonic() - again
                there = memory(cluster.executors()) / count
                here = [memory([one, *one.children(recursive=True)]) for one in map(psutil.Process, pids(learners))]
                return up, verdict, again, there, statistics.mean(here), idle
            finally:
                for learner in learners:
                    learner.leave()
        finally:
            cluster.stop()


def pids(learners):
    """Return the process ids of the learners' notebooks."""
    return [learner.pid for learner in learners]


def main(counts):
    """Print a line for each number of applications."""
    ensure_archive(progress=print)
    print("applications  cluster  verdict  next crash  MB there  MB here  MB of the cluster  load before", flush=True)
    for count in counts:
        load = os.getloadavg()[0]
        up, verdict, again, there, here, idle = applications(count)
        print(
            f"{count:12}  {up:5.0f} s  {verdict:5.0f} s  {again:8.1f} s  {there / 1e6:8.0f}  {here / 1e6:7.0f}  "
            f"{idle / 1e6:17.0f}  {load:11.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [1, 2, 4])
