"""How far a click goes: the files of the library in which a function is called before the verdict is there.

Each file more is one more that somebody opens who follows the click. `python tests/widgets/test_walks.py click` lists
[file, function, number of calls].
"""

import collections
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import exactly_once

HOME = Path(exactly_once.__file__).parent
MOST_FILES = {"click": 24, "prove": 32, "check": 28}
CHECKS = {"programs_of": 1, "checked_handler": 1, "deployment_of": 4}  # how often a run, or a proof, may ask
# A click runs the handler once more, to find the places for faults; a check runs it without a fault first.
RUNS = {"click": 2, "prove": 1, "check": 5}


def click():
    """Return a click on a console that has run nothing; another console's click has imported all there is."""
    from exactly_once.widgets.console.console_model import ConsoleModel

    ConsoleModel().do("strike", "A")
    model = ConsoleModel()

    def walk():
        model.do("strike", "B")
        verdict = model.state.verdict
        assert (model.state.choices.point, verdict.reached, verdict.exactly_once) == ("B", True, False)

    return walk


def prove():
    """Return a proof of the naive handler, which fails, after another one."""
    from exactly_once.explore import prove
    from exactly_once.handlers import at_least_once

    def walk():
        assert prove(at_least_once, items=2, crashes=1).counterexample is not None

    walk()
    return walk


def check():
    """Return a check of an exercise, whose answer is explored in another process; one was checked before it."""
    from exactly_once.course import exercises
    from exactly_once.handlers import at_least_once

    exercise = exercises.open("04d")

    def walk():
        assert exercise.check(at_least_once).state == "wrong"

    walk()
    return walk


def calls_of(walk):
    """Return {(file below the library, function): number of calls in this thread} of a walk; imports do not count."""
    calls, home = collections.Counter(), f"{HOME}/"

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_name != "<module>" and code.co_filename.startswith(home):
            calls[code.co_filename.removeprefix(home), code.co_qualname] += 1

    sys.setprofile(note)
    try:
        walk()
    finally:
        sys.setprofile(None)
    return calls


def walked(name):
    """Return the calls of a walk in a process of its own, as `calls_of` does."""
    asked = [sys.executable, __file__, name]
    for _ in range(5):  # Python 3.11's profiler and greenlet's switches together crash about one process in a hundred
        done = subprocess.run(asked, check=False, capture_output=True, text=True)
        if done.returncode != -signal.SIGSEGV:
            break
    assert done.returncode == 0, done.stderr
    return collections.Counter({(file, function): count for file, function, count in json.loads(done.stdout)})


@pytest.mark.parametrize("name", MOST_FILES)
def test_a_verdict_is_few_files_away(name):
    calls = walked(name)
    files = {file for file, _ in calls}
    if name != "check":
        assert calls["handlers/stream/naive.py", "at_least_once"] >= 2, "it ran, and was killed"
    assert len(files) <= MOST_FILES[name], sorted(files)
    assert {check for check, most in CHECKS.items() if asked(calls, check) > most * RUNS[name]} == set()


def asked(calls, function):
    """Return how often a function was called, in whichever file it is."""
    return sum(count for (_, name), count in calls.items() if name == function)


if __name__ == "__main__":
    found = calls_of({"click": click, "prove": prove, "check": check}[sys.argv[1]]())
    print(json.dumps([[*key, count] for key, count in found.items()]))
