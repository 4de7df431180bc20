"""Handlers of learners that hang, print, recurse or catch everything get a sentence, and nothing else is harmed."""

import _thread
import contextlib
import functools
import itertools
import random
import signal
import subprocess
import sys
import threading
import time

import greenlet
import psutil
import pytest

from exactly_once import CourseError, prove
from exactly_once.handlers import at_least_once
from exactly_once.lockfree import hourly_means
from exactly_once.sandbox import prove_safely
from exactly_once.spark.cluster.processes import is_running


def hangs(node):
    node.positions.load()
    sum(itertools.count())


def takes_all_memory(node):
    held = []
    while True:
        held.append(bytearray(2**30))  # which nobody writes to, so that it takes no time on a busy machine


def keeps_much_and_goes_on(node):
    held = b"x" * 2**30
    while held:
        pass


def turns_round(node):
    while True:
        pass


def spins_after_a_crash(node):
    half = node.state.load()
    while half == 1:
        pass
    node.state.save(1)
    node.state.save(2)


def catches_everything(node):
    while True:
        with contextlib.suppress(BaseException):
            node.positions.load()


def prints(node):
    while True:
        print("again")


def recurses(node):
    recurses(node)


def goes_on(node):
    while True:
        node.output.push(1)


def leaves(node):
    raise SystemExit(3)


def guesses(node):
    node.output.push(random.random())
    node.state.save(random.random())


def goes_through_a_set(node):
    for word in {"seattle", "san_francisco", "portland", "tacoma"}:
        node.output.push(word)


def hashes(node):
    node.output.push(hash("seattle") % 1000)


def sorts_a_set(node):
    for word in sorted({"seattle", "san_francisco", "portland", "tacoma"}):
        node.output.push(word)


def test_the_order_of_a_set_is_found_out_in_a_second_process():
    for handler in (goes_through_a_set, hashes):
        assert prove(handler, items=1, crashes=0).ok, "in one process it is always the same"
        with pytest.raises(CourseError, match="another hash seed"):
            prove_safely(handler, items=1, crashes=0)
    assert prove_safely(sorts_a_set, items=1, crashes=0).ok


def test_what_hangs_on_hashes_is_found_out_before_a_long_search():
    def hashes_each(node):
        positions = node.positions.load()
        while node.running():
            items, positions = node.read(positions)
            node.output.push(hash(items[0].stream))
            node.positions.save(positions)

    counted = []
    with pytest.raises(CourseError, match="another hash seed"):
        prove_safely(hashes_each, nodes=2, items=6, progress=counted.append)
    assert max(counted, default=0) < 1_000


SILENT = "5 seconds without a step"


@pytest.mark.parametrize(
    ("handler", "told"),
    [
        (hangs, SILENT),
        (spins_after_a_crash, SILENT),
        (takes_all_memory, "more memory than its process gets"),
        (keeps_much_and_goes_on, "2 GB of memory that it gets"),
        (catches_everything, "had not ended"),
        (prints, "print less"),
        (recurses, "RecursionError"),
        (goes_on, "had not ended"),
        (leaves, "SystemExit"),
        (guesses, "not deterministic"),
    ],
    ids=lambda found: getattr(found, "__name__", ""),
)
@pytest.mark.some(day=3, ci=4)
def test_a_sentence_within_seconds(handler, told):
    with pytest.raises(CourseError, match=told):
        prove_safely(handler, items=1)
    assert not prove_safely(at_least_once, items=1).ok, "the next one is answered"


def test_it_is_the_same_proof():
    here, there = prove(hourly_means, nodes=2, items=2), prove_safely(hourly_means, nodes=2, items=2)
    assert (there.ok, there.states, there.runs) == (here.ok, here.states, here.runs)
    here, there = prove(at_least_once), prove_safely(at_least_once)
    assert there.counterexample.token == here.counterexample.token
    assert str(there.counterexample.explanation) == str(here.counterexample.explanation)
    assert prove_safely(goes_round_once, items=1, invariant=lambda view: len(view.outputs) < 2).ok


def goes_round_once(node):
    if node.state.load() is None:
        pass
    node.positions.load()


def test_news_and_a_stop_reach_the_child():
    seen = []
    proof = prove_safely(
        hourly_means, nodes=4, items=4, crashes=3, progress=seen.append, stopped=lambda: len(seen) > 2, seconds=300
    )
    assert "it was stopped" in proof.stopped
    assert seen == sorted(seen)


@contextlib.contextmanager
def pressing_stop():
    """Interrupt the main thread after half a second, and again: a callback of the garbage collector swallows it."""
    over = threading.Event()

    def press():
        while not over.wait(0.5):
            _thread.interrupt_main()

    thread = threading.Thread(target=press)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_stop_in_the_notebook_is_nothing_that_the_handler_did():
    """`prove` runs in the notebook's own process: what interrupts it there passes through, and the next one works."""
    for handler, bounds in ((turns_round, {}), (hourly_means, {"nodes": 3, "items": 8})):
        with pressing_stop(), pytest.raises(KeyboardInterrupt):
            prove(handler, **bounds)
        assert prove(at_least_once).headline == "Broken"


def test_in_the_child_it_is_the_handlers_own():
    def interrupted(node):
        raise KeyboardInterrupt

    with pytest.raises(CourseError, match="KeyboardInterrupt"):
        prove_safely(interrupted)


SEARCHING = """
import os
from exactly_once.lockfree import hourly_means
from exactly_once.sandbox import pool, prove_safely
print(pool.call(os.getppid), flush=True)
prove_safely(
    hourly_means, nodes=3, items=8, crashes=1, seconds=300, progress=lambda states: print(states, flush=True)
)
"""


def test_a_search_ends_with_the_notebook_that_asked_for_it():
    kernel = subprocess.Popen([sys.executable, "-c", SEARCHING], stdout=subprocess.PIPE, text=True)
    try:
        child = psutil.Process(int(kernel.stdout.readline()))
        assert int(kernel.stdout.readline()) > 0, "the search is under way"
        assert child.is_running()
    finally:
        kernel.kill()
        kernel.wait()
        kernel.stdout.close()
    deadline = time.monotonic() + 60
    while is_running(child):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def pushes_nothing_from_now_on(node):
    type(node.output).push = lambda self, value: None
    len.__self__.len = None
    signal.signal(signal.SIGALRM, signal.SIG_IGN)


@pytest.mark.slow
def test_what_one_handler_breaks_is_whole_for_the_next():
    def pushes(node):
        node.output.push(1)

    with contextlib.suppress(CourseError):
        prove_safely(pushes_nothing_from_now_on, items=1)
    proof = prove_safely(pushes, items=1)
    assert (proof.ok, len(proof.counterexample.schedule)) == (False, 2), "it pushes, dies, and pushes again"
    with pytest.raises(CourseError, match="5 seconds without a step"):
        prove_safely(turns_round, items=1)


def test_an_invariant_that_fails_gets_a_sentence():
    with pytest.raises(CourseError, match=r"invariant failed on the output \[\]: IndexError"):
        prove(at_least_once, items=1, invariant=lambda view: view.outputs[0] > 0)
    with pytest.raises(CourseError, match="limit of time is 'x'"):
        prove_safely(at_least_once, items=1, seconds="x")


def leaves_its_greenlet(node):
    greenlet.getcurrent().parent.switch("step")


class NoText(Exception):
    __str__ = None


def raises_without_a_text(node):
    raise NoText


def test_odd_ways_to_end_get_a_sentence():
    with pytest.raises(CourseError, match="left its incarnation by itself"):
        prove(leaves_its_greenlet, items=1)
    with pytest.raises(CourseError, match="NoText"):
        prove(raises_without_a_text, items=1)


def test_of_a_decorated_handler_its_decorator_is_asked():
    def decorated(wraps):
        return functools.wraps(wraps)(lambda node: wraps(node, node.store("db")))

    def in_steps(node, db):
        yield db.write("row", 1)

    assert prove(decorated(lambda node, db: [*in_steps(node, db)] and None), items=1).ok
    with pytest.raises(CourseError, match="'in_steps' is a generator or a coroutine: calling it runs nothing"):
        prove(decorated(in_steps), items=1)
