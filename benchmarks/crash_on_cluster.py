"""How long a crash takes from the call to the verdict: simulated, and real on the warm cluster, beside bare Spark.

The bare job is one task that kills its own process, or its executor's, the same way, and whose second attempt
returns; it runs on a session of the same PySpark with two executors and none of our settings. The two take turns, but
where one crash is to follow right after another.

An executor is killed in two situations. In the first both executors are in place. In the second the next crash
follows at once: then the executor that was killed before is not back yet, so the takeover waits for its Java to
start. Spark itself notices the loss within 10 ms.

Prints percentiles in seconds. The course promises a p95 of at most 0.5 s for a worker, and of 2 s for an executor
while both are in place.

    python benchmarks/crash_on_cluster.py [crashes of each kind, default 50]
"""

import itertools
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from cluster_start import bare_home

from exactly_once.faults import FaultPlan
from exactly_once.handlers import at_least_once
from exactly_once.paths import temporary
from exactly_once.simulate import simulate
from exactly_once.spark import cluster, stop_cluster
from exactly_once.spark.run.tasks import run_on_cluster
from exactly_once.verdict import judge

BARE = """
import os, signal, sys, tempfile, time
import psutil
from pyspark.sql import SparkSession

def work(parts):
    for marker, kill in parts:
        if os.path.exists(marker):
            yield os.getpid()
            continue
        open(marker, "w").close()
        if kill == "executor":
            os.kill(next(one.pid for one in psutil.Process().parents() if one.name() == "java"), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)

context = SparkSession.builder.master("local-cluster[2,1,1024]").getOrCreate().sparkContext
folder = tempfile.mkdtemp(dir=os.environ["BARE_FOLDER"])
for number, line in enumerate(sys.stdin):
    kill, in_place = line.split()
    if in_place == "True":
        while context._jsc.sc().getExecutorMemoryStatus().size() < 3:
            time.sleep(0.02)
        context.parallelize(range(2), 2).map(lambda number: number + 1).collect()
    began = time.perf_counter()
    context.parallelize([(f"{folder}/{number}", kill)], 1).mapPartitions(work).collect()
    print(time.perf_counter() - began, flush=True)
"""
KINDS = {  # what is killed, and whether both executors are in place before
    "a worker": ("worker", True),
    "an executor, both in place": ("executor", True),
    "an executor, right after another": ("executor", False),
}


def measured(run, plan):
    """Return the seconds from the call to the verdict."""
    started = time.perf_counter()
    judge(run(at_least_once, plan), at_least_once)
    return time.perf_counter() - started


def in_place(spark):
    """Wait until both executors are there and have done work."""
    while spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3:
        time.sleep(0.02)
    spark.sparkContext.parallelize(range(2), 2).map(lambda number: number + 1).collect()


def say(name, times):
    """Print a line of percentiles."""
    middle, p95 = statistics.median(times), statistics.quantiles(times, n=20)[18]
    print(f"{name:40} median {middle:.3f} s   p95 {p95:.3f} s   longest {max(times):.3f} s", flush=True)


def main(count=50):
    """Measure both worlds with the same plans and print a line each."""
    rng = random.Random(1)
    plans = [(rng.choice("ABCDE"), rng.randint(3, 6)) for _ in range(count)]
    say("simulated", [measured(simulate, FaultPlan.crash(*plan)) for plan in plans])
    with tempfile.TemporaryDirectory(dir=temporary("benchmarks")) as folder:
        home = str(bare_home(Path(folder)))
        environment = os.environ | {"SPARK_HOME": home, "BARE_FOLDER": folder, "PYSPARK_PYTHON": sys.executable}
        bare = subprocess.Popen(
            [sys.executable, "-c", BARE],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        spark = cluster()
        try:

            def ours(plan, kill, wait):
                if wait:
                    in_place(spark)
                return measured(partial(run_on_cluster, spark=spark), FaultPlan.crash(*plan, kill))

            def theirs(plan, kill, wait):
                bare.stdin.write(f"{kill} {wait}\n")
                bare.stdin.flush()
                return float(bare.stdout.readline())

            for name, (kill, wait) in KINDS.items():
                both = [[], []]
                rounds = [(ours, theirs)] * count if wait else [(ours,)] * count + [(theirs,)] * count
                for run in (ours, theirs):
                    run(plans[0], kill, True)  # warms up
                for plan, runs in zip(itertools.cycle(plans), rounds):
                    for run in runs:
                        both[run is theirs].append(run(plan, kill, wait))
                say(f"{name}: ours", both[0])
                say(f"{name}: bare", both[1])
        finally:
            bare.stdin.close()  # it ends, and its Java with it
            bare.wait()
            stop_cluster()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
