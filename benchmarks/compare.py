"""What this tree is faster or slower at than another commit: each number as a ratio, taken in turns in one run.

    python benchmarks/compare.py COMMIT [rounds, default 5]

The commit is checked out into a folder of its own and runs with the packages that are installed here, so it must not
need others. In each round every case is measured once in each tree, in a new process, the older one first in every
second round. A line for each number has the median of both in seconds, and the ratio new / old; exit status 1 when
one ratio is above `WORST`.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from exactly_once.paths import ROOT, temporary

WORST = 1.1
BEGIN = """
import json, time
from exactly_once import FaultPlan, judge, prove, run_on_cluster, show, simulate
from exactly_once.handlers import at_least_once, lock_free, transactional
took, now = {}, time.perf_counter
def timed(name, work, times=1):
    for _ in range(times):
        began = now()
        work()
        took.setdefault(name, []).append(now() - began)
"""
HERE = """
def click(letter):
    return show.verdict(judge(simulate(at_least_once, FaultPlan.crash(letter, 2)), at_least_once))._repr_html_()
click("A")
timed("a run, its verdict and the drawing", lambda: [click(letter) for letter in "ABCDE" * 4], 3)
timed("a proof of 1,209 states", lambda: prove(transactional, items=2, crashes=1), 3)
timed("a proof of 116,463 states", lambda: prove(lock_free, items=3, nodes=2, crashes=1))
"""
CLUSTER = """
from exactly_once.spark import cluster, run_many, stop_cluster
crash = FaultPlan.crash("B", 2)
timed("the start of the cluster", cluster)
timed("the first run on it", lambda: run_on_cluster(at_least_once, crash))
timed("a crash on the cluster", lambda: run_on_cluster(at_least_once, crash), 5)
timed("a batch of twenty crashes", lambda: run_many([(at_least_once, crash, None)] * 20), 2)
timed("the end of the cluster", stop_cluster)
"""
END = "\nprint(json.dumps(took))"


def measured(tree: Path, code: str) -> dict[str, float]:
    """Return {name: the median of its seconds} of a case in one tree."""
    surroundings = {**os.environ, "PYTHONPATH": str(tree / "lib")}
    done = subprocess.run(
        [sys.executable, "-P", "-c", BEGIN + code + END], cwd=tree, env=surroundings, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"In {tree} this failed:\n{done.stderr}")
    return {name: statistics.median(seconds) for name, seconds in json.loads(done.stdout.splitlines()[-1]).items()}


def main(commit: str, rounds: int = 5) -> int:
    """Compare, and return the exit status."""
    took: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    with tempfile.TemporaryDirectory(dir=temporary("benchmarks")) as folder:
        older = Path(folder) / "older"
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--detach", older, commit], check=True)
        try:
            for number in range(rounds):
                for code in (HERE, CLUSTER):
                    for place in (0, 1) if number % 2 else (1, 0):
                        for name, seconds in measured((older, ROOT)[place], code).items():
                            took[name][place].append(seconds)
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", older], check=True)
    worst = 0.0
    for name, both in took.items():
        before, after = map(statistics.median, both)
        worst = max(worst, after / before)
        print(f"{name:36} {before:8.3f} s before, {after:8.3f} s now: {after / before:5.2f}")
    return int(worst > WORST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
