"""How long the explorer takes for a million states, and how much memory: `python benchmarks/million.py [rounds]`.

The handler is `lock_free` on two nodes, with five items and two crashes, up to the limit of a million states. Each
round is a process of its own. The least of them counts: other work on the machine only adds to it. The bound is 20 s.
"""

import subprocess
import sys

ROUND = """
import resource, time
from exactly_once import prove
from exactly_once.handlers import lock_free
began = time.perf_counter()
proof = prove(lock_free, nodes=2, items=5, crashes=2, state_limit=1_000_000, seconds=600)
assert proof.states == 1_000_000, proof
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
MOST = 20.0  # seconds


def main(rounds: int = 3) -> int:
    """Measure, and return the exit status."""
    command = [sys.executable, "-c", ROUND]
    took = [subprocess.run(command, check=True, capture_output=True, text=True).stdout.split() for _ in range(rounds)]
    seconds = sorted(float(one) for one, _ in took)
    print(f"A million states: {seconds[0]:.1f} s at best, {seconds[-1]:.1f} s at worst; {took[0][1]} MB")
    return int(seconds[0] > MOST)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
