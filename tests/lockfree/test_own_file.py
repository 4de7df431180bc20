"""A learner's own file through the command line, `prove FILE:FUNCTION --lock-free`: its report on nodes that wait."""

import importlib.util
import json

import pytest

from exactly_once.__main__ import main
from exactly_once.explore import replay

FILE = '''"""Each hour's mean into a queue: waiting for nobody, and behind a spinlock."""

from fractions import Fraction

from exactly_once.lockfree import Queue, stateless


def mean(items):
    return sum(item.value for item in items) / Fraction(len(items))


def lock_free(node):
    stateless(mean)(node)


def behind_a_lock(node):
    while True:
        version, holder = node.registers.read("lock")
        if holder != "held" and node.registers.cas("lock", version, "held"):
            break
    lock_free(node)
    node.registers.cas("lock", version + 1, "free")


def pushes_again(node):
    Queue(node.registers, "output").push(1)
'''


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    return path


def said(capsys, *arguments):
    status = main(["prove", *map(str, arguments), "--nodes", "2", "--items", "1"])
    told = capsys.readouterr()
    assert (status, told.err) == (0, "")
    return told.out


def test_one_that_waits_for_nobody_is_lock_free(mine, capsys):
    told = said(capsys, f"{mine}:lock_free", "--lock-free", "--crashes", "1", "--lost-replies", "1")
    assert told.startswith("Proved: no violation within these bounds.")
    assert "Lock-free: No node ever waits for another" in told


def test_a_spinlock_is_deadlock_free_until_lock_free_is_asked_for(mine, capsys):
    told = said(capsys, f"{mine}:behind_a_lock", "--crashes", "0")
    assert told.startswith("Proved")
    assert "Deadlock-free, but not lock-free" in told
    told = said(capsys, f"{mine}:behind_a_lock", "--crashes", "0", "--lock-free")
    assert told.startswith("Broken")
    assert "since lock_free=True asks that no node ever has to wait for another" in told
    assert "Node 2: read lock: held." in told


def test_lock_free_is_not_enough_to_be_right(mine, capsys):
    told = json.loads(said(capsys, f"{mine}:pushes_again", "--crashes", "1", "--lock-free", "--json"))
    assert not told["ok"]
    assert "more than" in told["counterexample"]["sentence"]
    assert replay(told["counterexample"]["token"], loaded(mine).pushes_again).run.outcome.outputs == ("1", "1")


def loaded(path):
    """Return the file as a module, whose functions have their source."""
    specification = importlib.util.spec_from_file_location("mine", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
