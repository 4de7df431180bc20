"""What the crash console answers, for a page without a kernel: each strategy, each fault, each place.

The real console is asked everything; what it draws is kept, in one compressed file for each strategy and fault.
"""

import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from exactly_once.errors import CourseError
from exactly_once.simulate.places import KINDS
from exactly_once.widgets.console.console_widget import CrashConsole, crash_console
from exactly_once.widgets.console.runs import NO_POINT, ROWS, row_choice

WIDTH = 860  # of the space–time diagram, in pixels
LIMIT_SECONDS = 120
AT_A_PLACE = ("code", "verdict", "tape", "facts", "ran", "diagram", "said")


def traits(console: CrashConsole) -> dict[str, Any]:
    """Return what the page gets of the console's state."""
    left = ("layout", "tabbable", "tooltip", "opened")
    return {name: value for name, value in console.get_state().items() if name[0] != "_" and name not in left}


def recorded() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (name of a file, the answers for one strategy and one fault)."""
    console = crash_console()
    console.set_width(WIDTH)
    model = console.model
    for row in ROWS:
        for name, value in row_choice(row).items():
            model.do(name, value)
        model.do("strike", NO_POINT)
        _done(console)
        calm = _shown(console)
        for kind in KINDS:
            model.do("kind", kind)
            strip = model.strip()
            places = strip.places if strip is not None else ()
            if places:
                model.do("place", 0)
                _done(console)
            model.update(results={})  # what is asked here fills no cell of a reader's matrix
            answers = {
                "traits": traits(console),
                "calm": calm,
                "places": [[place.point, place.point_item or 0, place.item or 0] for place in places],
                "tokens": [plan.token for plan in strip.plans] if places else [],
                "held": [_at(console, index) for index in range(len(places))],
            }
            yield f"{row}-{kind}", answers


def _shown(console: CrashConsole) -> dict[str, str]:
    return {name: getattr(console, name) for name in AT_A_PLACE}


def _at(console: CrashConsole, index: int) -> dict[str, str]:
    console.model.do("place", index)
    return _shown(console)


def _done(console: CrashConsole) -> None:
    """Wait until the console has run every place of its strip. Raises `CourseError` after two minutes."""
    deadline = time.monotonic() + LIMIT_SECONDS
    while (strip := console.model.strip()) is not None and strip.places and not strip.done:
        if time.monotonic() > deadline:
            raise CourseError(f"The console has not run its places within {LIMIT_SECONDS} s.")
        time.sleep(0.02)
    console.draw()


def write(folder: Path) -> None:
    """Write the answers into a folder, a file for each strategy and fault."""
    folder.mkdir(parents=True)
    for name, answers in recorded():
        file = f"{name.replace(':', '.').replace(' ', '_')}.json.gz"
        (folder / file).write_bytes(gzip.compress(json.dumps(answers, separators=(",", ":")).encode(), mtime=0))


def filled() -> str:
    """Return the matrix of the console, filled."""
    console = crash_console()
    console.model.do("fill")
    if not console.model.wait(LIMIT_SECONDS):
        raise CourseError(f"The matrix was not filled within {LIMIT_SECONDS} s.")
    return console.matrix


def killed() -> dict[str, str]:
    """Return what the console shows of a real kill, at B of hour 3, on the cluster; {} where there is no cluster.

    Stops the cluster.
    """
    from exactly_once.spark import stop_cluster

    console = crash_console()
    console.model.do("cluster")
    if not console.model.wait(LIMIT_SECONDS):
        raise CourseError(f"The run on the cluster has taken more than {LIMIT_SECONDS} s.")
    stop_cluster()
    if console.model.state.world != "cluster":  # it says why
        return {}
    return _shown(console)
