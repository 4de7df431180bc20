"""The adversary: from a request of the page until the new screen is computed, p95 at most 0.1 s.

The learner's moves are drawn, with the same seed each time: steps and faults of open decisions, and now and then an
undo or a new start. The explorer has proved what it can before the first move. The lock-free handler takes more
steps, and is measured without a limit. Exit status 1 if the limit is passed.
"""

import math
import random
import statistics
import sys
import time

from exactly_once.explore.play import told
from exactly_once.handlers import at_least_once, lock_free
from exactly_once.widgets import adversary

LIMIT = 0.1
TURNS = 120


def answers(handler, **bounds):
    """Yield the seconds of each answer to a drawn request."""
    widget, draw = adversary(handler, **bounds), random.Random(28)
    model = widget.model
    model.wait(120, proof=True)
    for _ in range(TURNS):
        open_moves = model.state.position.open
        request = ("move", told(draw.choice(open_moves))) if open_moves and draw.random() < 0.8 else ("undo", None)
        if not open_moves and draw.random() < 0.5:
            request = "restart", None
        began = time.perf_counter()
        model.do(*request)
        model.wait(60)
        widget.fragments()
        yield time.perf_counter() - began


def main():
    """Measure, print, and judge."""
    kept = []
    for name, handler, bounds in (
        ("at_least_once", at_least_once, {}),
        ("at_least_once, four kinds of faults", at_least_once, {"pauses": 1, "lost_requests": 1}),
        ("lock_free", lock_free, {"items": 1, "lost_replies": 0}),
    ):
        seconds = sorted(answers(handler, **bounds))
        p95 = seconds[math.ceil(0.95 * len(seconds)) - 1]
        print(
            f"{name}, {len(seconds)} answers: p50 {statistics.median(seconds):.3f} s, p95 {p95:.3f} s "
            f"largest {seconds[-1]:.3f} s",
            flush=True,
        )
        kept.append(p95 <= LIMIT or handler is lock_free)
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
