"""Whatever a handler raises is told at a length that can be read; a step from another thread is never forgiven."""

import contextlib
import os
import signal
import threading

import pytest

from exactly_once import FaultPlan, Job, prove, simulate
from exactly_once.errors import CourseError, HandlerStuck
from exactly_once.paths import ROOT
from exactly_once.verdict import IdealFailed, judge
from tests.sandbox import sandboxed

HUGE = 10_000_000


class Mute(Exception):
    """An error whose text cannot be had."""

    def __str__(self):
        raise KeyError("no text")

    __repr__ = __str__


def huge(node):
    raise ValueError("x" * HUGE)


def mute(node):
    raise Mute


def many_lines(node):
    raise ValueError("the first line\nTraceback\n  the third")


def deep(node):
    def ping():
        pong()

    def pong():
        ping()

    ping()


def by_thread(node):
    """Take a step in another thread, and make nothing of its being refused."""

    def work():
        with contextlib.suppress(CourseError):
            node.output.push(1)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    node.output.push(2)


@pytest.mark.parametrize(
    ("handler", "said"),
    [
        (huge, f"ValueError: {'x' * 988} … (10,000,012 characters in all)"),
        (mute, "Mute, whose text cannot be had: KeyError"),
        (many_lines, "ValueError: the first line"),
        (deep, "RecursionError: maximum recursion depth exceeded"),
        (by_thread, "another thread; a handler takes its steps in its own."),
    ],
    ids=["huge", "mute", "many lines", "deep", "by a thread"],
)
def test_an_error_is_one_sentence_everywhere(handler, said):
    for verdict in (judge(simulate(handler), handler), sandboxed(handler)):
        assert said in verdict.sentence
        assert len(verdict.sentence) < 1_200
        assert len(verdict.run.error.replace(str(ROOT), "")) < 6_000
        assert not verdict.exactly_once
    with pytest.raises(IdealFailed) as failed:
        prove(handler, items=1)
    assert said in str(failed.value)
    assert len(str(failed.value).replace(str(ROOT), "")) < 6_000
    found = prove(handler, items=1, invariant=lambda view: True).counterexample
    assert (found.kind, said in found.sentence) == ("raised", True)
    last = [event for event in found.trace if event.verb == "raised"][-1]
    assert len(last.text) < 1_200
    assert "\n" not in last.text


def test_a_refused_thread_is_remembered_after_a_death_too():
    run = simulate(by_thread, FaultPlan.crash("A"), Job(items=1))
    assert "another thread" in run.error
    assert [event.verb for event in run.trace if event.process == "incarnation 1"][-1] == "raised"


def holds_itself(node):
    value = []
    value.append(value)
    node.output.push(value)


def holds_itself_in_a_register(node):
    value = {}
    value["value"] = value
    node.registers.cas("register", 0, value)


@pytest.mark.parametrize("handler", [holds_itself, holds_itself_in_a_register])
def test_a_value_that_holds_itself_is_refused_in_a_sentence(handler):
    said = "A store cannot keep a value that is nested this deeply, or that holds itself"
    assert said in simulate(handler, job=Job(items=1)).error
    with pytest.raises(IdealFailed, match=said):
        prove(handler, items=1)


@pytest.mark.parametrize("bounds", [{}, {"invariant": lambda view: True}])
def test_a_choice_of_very_many_is_within_the_limit_of_time(bounds):
    def chooses(node):
        node.output.push(node.choose(range(100_000)))

    proof = prove(chooses, items=1, crashes=0, seconds=0.5, **bounds)
    assert (proof.headline, proof.exhausted) == ("Not proved", False)
    assert "the 0.5 seconds were over" in proof.stopped
    assert proof.seconds < 30, "a hundred thousand incarnations take minutes"


def test_work_on_a_huge_value_is_not_called_a_loop_of_the_handlers():
    def saves(node):
        node.state.save([0.5] * 20_000_000)

    with pytest.raises(HandlerStuck, match="the course's own work on what it had asked for"):
        sandboxed(saves, job=Job(items=1), seconds=2)


@pytest.mark.not_by_day
def test_a_process_that_is_put_to_sleep_is_ended():
    def sleeps(node):
        os.kill(os.getpid(), signal.SIGSTOP)

    with pytest.raises(HandlerStuck, match="stopped after 1 seconds"):
        sandboxed(sleeps, job=Job(items=1), seconds=1)
