"""Recorders: the contract of both, and the further contract of the file recorder under kills at any moment."""

import multiprocessing
import os
import signal

import pytest

from exactly_once import CourseError
from exactly_once.clocks import LamportClock
from exactly_once.trace import Event, FileRecorder, Recorder, Trace

FORK_FREE = multiprocessing.get_context("spawn")


@pytest.fixture(params=["memory", "files"])
def recorder(request, tmp_path):
    if request.param == "memory":
        yield Recorder()
    else:
        recorder = FileRecorder(tmp_path)
        yield recorder
        recorder.close()


def event(life, stamp, verb="push", **more):
    return Event(f"incarnation {life}", more.pop("kind", "local"), stamp, verb, verb, life, **more)


def test_a_fault_fires_once(recorder):
    assert [recorder.fire("0"), recorder.fire("0"), recorder.fire("0.2"), recorder.fire("0.2")] == [True, False] * 2
    assert sorted(recorder.fired_keys()) == ["0", "0.2"]


def test_the_heir_receives_the_death(recorder):
    recorder.begin(LamportClock())
    recorder.record(event(1, 8, "dies", kind="send", message="takeover 1>2"))
    clock = LamportClock()
    recorder.begin(clock)
    assert [one.verb for one in recorder.events_of(1)] == ["start", "dies"], (
        "a death that was recorded is not told twice"
    )
    (start,) = recorder.events_of(2)
    assert (start.kind, start.message, start.stamp, clock.time) == ("receive", "takeover 1>2", 9, 9)


def test_the_heir_writes_the_obituary_of_a_life_killed_from_outside(recorder):
    recorder.begin(LamportClock())
    recorder.record(event(1, 8, item=3, step=4))
    recorder.begin(LamportClock())
    death = recorder.events_of(1)[-1]
    assert (death.verb, death.text, death.kind, death.stamp, death.item) == (
        "dies",
        "killed from outside",
        "send",
        9,
        3,
    )
    (start,) = recorder.events_of(2)
    assert (start.message, start.stamp) == (death.message, 10)
    assert [one.life for one in Trace(recorder.events()).deaths()] == [1]


def test_a_life_without_a_word_does_not_break_the_chain(tmp_path):
    first = FileRecorder(tmp_path)
    first.begin(LamportClock(20))
    (tmp_path / "life-2.jsonl").touch()  # life 2 was counted, and killed before its first event
    clock = LamportClock()
    assert FileRecorder(tmp_path).begin(clock) == 3
    assert clock.time == 23, "incarnation 3 comes after the death (22) of incarnation 1, which started at 21"
    assert [one.text for one in Trace(first.events()).deaths()] == ["killed from outside"]


@pytest.mark.parametrize("half", [b'{"process": "incarnation 1", "ki', b"{", b"\xc3"])
def test_a_half_written_last_line_is_ignored_and_loses_nothing_that_follows(tmp_path, half):
    recorder = FileRecorder(tmp_path)
    recorder.begin(LamportClock())
    recorder.record(event(1, 8))
    with (tmp_path / "life-1.jsonl").open("ab") as file:
        file.write(half)
    assert [one.verb for one in FileRecorder(tmp_path).events_of(1)] == ["start", "push"]
    successor = FileRecorder(tmp_path)
    successor.begin(LamportClock())
    assert [one.verb for one in successor.events_of(1)] == ["start", "push", "dies"]
    assert len(successor.events()) == 4


def _claim(folder, gate, answers):
    recorder = FileRecorder(folder)
    gate.wait()
    answers.put(
        ([recorder.begin(LamportClock()) for _ in range(50)], [n for n in range(50) if recorder.fire(str(n))])
    )


@pytest.mark.not_by_day
def test_two_processes_never_claim_the_same_life_or_fault(tmp_path):
    gate, answers = FORK_FREE.Barrier(2), FORK_FREE.Queue()
    workers = [FORK_FREE.Process(target=_claim, args=(tmp_path, gate, answers)) for _ in range(2)]
    for worker in workers:
        worker.start()
    (lives_a, faults_a), (lives_b, faults_b) = answers.get(timeout=60), answers.get(timeout=60)
    for worker in workers:
        worker.join()
    assert sorted(lives_a + lives_b) == list(range(1, 101))
    assert sorted(faults_a + faults_b) == list(range(50))


def _write_for_ever(folder):
    recorder = FileRecorder(folder)
    clock = LamportClock()
    life = recorder.begin(clock)
    while True:
        recorder.record(event(life, clock.local(), detail={"long": "x" * 500}))


def test_a_writer_killed_at_any_moment_leaves_whole_lines(tmp_path):
    for life in range(1, 6):
        writer = FORK_FREE.Process(target=_write_for_ever, args=(tmp_path,))
        writer.start()
        path = tmp_path / f"life-{life}.jsonl"
        while not path.exists() or path.stat().st_size < 20_000 * life:
            assert writer.is_alive()
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
    reader = FileRecorder(tmp_path)
    stamps = [[one.stamp for one in reader.events_of(life)] for life in range(1, 6)]
    assert all(of_life == list(range(of_life[0], of_life[0] + len(of_life))) for of_life in stamps)
    assert [len(Trace(reader.events()).deaths()), len(Trace(reader.events()).lives())] == [4, 5]


def test_an_event_that_was_not_written_whole_is_not_passed_over(tmp_path, monkeypatch):
    recorder = FileRecorder(tmp_path)
    recorder.begin(LamportClock())
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, line: real(handle, line[:10]))  # what a full disk does
    with pytest.raises(CourseError, match=r"No space left.*Free some space"):
        recorder.record(event(1, 2))
    monkeypatch.undo()
    assert [one.verb for one in FileRecorder(tmp_path).events_of(1)] == ["start"]
