"""How long a start of the course's cluster takes, and how much memory, beside a bare session of the same PySpark.

Each start is a process of its own, and the two kinds take turns. It ends when both executors are registered
and a first job has run on them. The course promises at most half the bare session's time (medians), and at
most 1.1 GB PSS for kernel, driver, executors and workers after runs on both executors.

    python benchmarks/cluster_start.py [starts of each kind, default 5]
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from exactly_once.paths import temporary
from exactly_once.spark.cluster.archive import ensure_archive
from exactly_once.spark.cluster.driver import jars

OURS = """
import time
began = time.perf_counter()
from exactly_once.spark import cluster
spark = cluster()
print(time.perf_counter() - began, flush=True)
import ipykernel.kernelapp  # what a notebook's kernel has loaded besides
from exactly_once.faults import FaultPlan
from exactly_once.handlers import at_least_once
import psutil
from exactly_once.spark.cluster.processes import our_processes
from exactly_once.spark.run.tasks import run_on_cluster
run_on_cluster(at_least_once, FaultPlan.crash("B", 3), spark=spark)
spark.sparkContext.parallelize(range(8), 2).map(lambda number: number * 2).collect()
memories = [one.memory_full_info() for one in (psutil.Process(), *our_processes())]
measure = "PSS" if all(hasattr(one, "pss") for one in memories) else "RSS"  # macOS does not tell PSS
print(sum(getattr(one, "pss", one.rss) for one in memories) / 1e9, measure, len(memories))
"""
BARE = """
import time
began = time.perf_counter()
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local-cluster[2,1,1024]").getOrCreate()
while spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3:
    time.sleep(0.02)
spark.sparkContext.parallelize(range(2), 2).map(lambda number: number + 1).collect()
print(time.perf_counter() - began, flush=True)
spark.stop()
"""


def bare_home(folder):
    """Link the installed PySpark into `folder`: a bare session leaves its `work` folder where it is installed."""
    for path in jars().parent.iterdir():
        (folder / path.name).symlink_to(path)
    return folder


def start(code, **variables):
    """Run one start in a process of its own and return the lines it printed."""
    environment = {name: value for name, value in os.environ.items() if name != "EXACTLY_ONCE_SPARK"} | variables
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"A start failed:\n{done.stderr}")
    return done.stdout.splitlines()


def main(count=5):
    """Take turns, print each figure, the medians and the ratio."""
    ensure_archive(progress=print)
    ours, bare, memory = [], [], ""
    with tempfile.TemporaryDirectory(dir=temporary("benchmarks")) as folder:
        home = bare_home(Path(folder))
        for number in range(1, count + 1):
            bare.append(float(start(BARE, SPARK_HOME=str(home))[0]))
            seconds, memory = start(OURS, EXACTLY_ONCE_LEASE=f"benchmark-{os.getpid()}")
            ours.append(float(seconds))
            print(f"start {number}: bare {bare[-1]:.2f} s, ours {ours[-1]:.2f} s", flush=True)
    total, measure, processes = memory.split()
    ratio = statistics.median(ours) / statistics.median(bare)
    print(
        f"median: bare {statistics.median(bare):.2f} s, ours {statistics.median(ours):.2f} s, ratio "
        f"{ratio:.2f} (0.50)"
    )
    print(f"memory: {float(total):.2f} GB {measure} in {processes} processes (1.10)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
