"""Common settings of all tests: the tests write only below the course's temporary folder.

Marks choose what runs. `make test-all` leaves out what is `slow`, and `make test` what is `not_by_day` as well; of a
function with `@pytest.mark.some(day=2, ci=4)` they run so many cases, and `make test-night` the rest. The first two
run in two processes (pytest-xdist). What shares a cluster or a browser stays in one of them, and a file's tests stay
together; each process has a temporary folder of its own, so that neither sees what the other leaves. With SHUFFLE=7
in the environment the order of the files is drawn by this seed; with SHUFFLE=0 by a new one, which is printed.
"""

import os
import random
import signal
import threading

import hypothesis
import pytest
from hypothesis.configuration import set_hypothesis_home_dir

from exactly_once.paths import temporary

CLUSTER = "tests/spark"  # and the folders whose names begin so
BROWSER = "tests/browser/"
NOTEBOOKS = "tests/notebooks/test_run.py"
SERVERS, SERVER_FIXTURES = "tests/servers/", {"kafka", "postgresql", "etcd"}
LONG = (CLUSTER, BROWSER, NOTEBOOKS)

worker = os.environ.get("PYTEST_XDIST_WORKER")
if worker:
    os.environ["EXACTLY_ONCE_TMP"] = str(temporary("workers", worker))
os.environ["EXACTLY_ONCE_LEASE"] = f"tests-{os.getpid()}"  # an open notebook keeps its cluster, as another test does
os.environ.setdefault("IPYTHONDIR", str(temporary("ipython")))  # kernels would otherwise make ~/.ipython
set_hypothesis_home_dir(temporary("hypothesis"))
# A busy machine is no failure. And what is drawn is the same each time: a red `make test` says that something was
# changed. `make test-night` runs the same tests with fresh draws; what it finds becomes an `example` of its test.
hypothesis.settings.register_profile("course", deadline=None, derandomize=True)
hypothesis.settings.register_profile("afresh", deadline=None, derandomize=False, print_blob=True)
hypothesis.settings.load_profile("course")


def pytest_configure(config):
    """Put the folders of `tmp_path` there too; pytest keeps those of the last three runs.

    Behind nohup or & the shell has the interrupt signal ignored, and Python leaves it so; a notebook's kernel takes
    it while a cell runs, and so do tests that press Stop.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(temporary("tests")))
    os.environ["EXACTLY_ONCE_WORK"] = str(temporary("tests", "my-work"))  # and none touches the learner's own
    if os.environ.get("SHUFFLE") == "0":
        os.environ["SHUFFLE"] = str(random.randrange(1, 10**6))  # for xdist's processes, too
    if not worker:
        config.pluginmanager.register(Failures(config))


def pytest_report_header():
    """Say by which seed the order of the files was drawn."""
    return [f"SHUFFLE={os.environ['SHUFFLE']} drew the order of the files"] if "SHUFFLE" in os.environ else []


def shared(test):
    """Return the name of a test's (its node id's) shared resource, by the test's folder and file."""
    if test.startswith(CLUSTER):
        return "the cluster"
    if test.startswith(BROWSER):
        return "the browser"
    return test if test.startswith(NOTEBOOKS) else test.partition("::")[0]


@pytest.hookimpl(tryfirst=True)  # before -m chooses by marks
def pytest_collection_modifyitems(items):
    """Mark the cases that `some` leaves out, and what asks for servers. Begin with what takes longest."""
    functions = {}
    for item in items:
        if not item.get_closest_marker("slow"):
            functions.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in functions.values():
        if asked := cases[0].get_closest_marker("some"):
            number = asked.kwargs.get("ci", len(cases))
            in_ci, by_day = spread(cases, number), spread(cases, asked.kwargs.get("day", number))
            for item in cases:
                if item not in by_day:
                    item.add_marker(pytest.mark.not_by_day if item in in_ci else pytest.mark.slow)
    for item in items:
        if item.nodeid.startswith(SERVERS) or SERVER_FIXTURES & set(item.fixturenames) or hasattr(item.module, "had"):
            item.add_marker(pytest.mark.servers)
    if seed := os.environ.get("SHUFFLE"):
        places = {file: random.Random(f"{seed} {file}").random() for file in {item.path.as_posix() for item in items}}
        items.sort(key=lambda item: places[item.path.as_posix()])
    elif worker:
        items.sort(key=lambda item: [*map(item.nodeid.startswith, LONG), True].index(True))


def spread(cases, number):
    """Return `number` of the cases, or all if there are fewer, evenly spread, the first among them."""
    return cases if len(cases) <= number else [cases[each * len(cases) // number] for each in range(number)]


class Failures:
    """Prints a failure when it happens: a run that is cut off has said by then what failed."""

    def __init__(self, config):
        self.config = config

    def pytest_runtest_logreport(self, report):
        """Print the test, the phase, how long the phase took, in seconds, and the last line of what happened."""
        if report.failed:
            printer = self.config.pluginmanager.get_plugin("terminalreporter")
            why = (report.longreprtext.strip() or "no traceback").splitlines()[-1]
            printer.ensure_newline()
            printer.write_line(f"FAILED {report.nodeid} ({report.when}, {report.duration:.0f} s): {why[:200]}")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each process whole groups, one after the other."""
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return shared(nodeid)

    return Groups(config, log)
