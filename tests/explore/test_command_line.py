"""`python -m exactly_once prove` for a function in a file."""

import json

import pytest

from exactly_once.__main__ import main
from exactly_once.explore import replay

SOURCE = """
def once(node):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        node.output.push(items[0].hour)
        node.positions.save(positions)
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    return path


def test_it_proves(file, capsys):
    assert main(["prove", f"{file}:once", "--items", "2", "--crashes", "0"]) == 0
    assert capsys.readouterr().out.startswith("Proved: no violation within these bounds. Handler: once")


def test_it_gives_json_with_a_token_that_replays(file, capsys):
    assert main(["prove", f"{file}:once", "--items", "2", "--crashes", "1", "--nodes", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is False
    assert "more than once" in told["counterexample"]["sentence"]
    made = {"__name__": "mine"}
    exec(compile(SOURCE, str(file), "exec"), made)
    assert replay(told["counterexample"]["token"], made["once"]).run.outcome.outputs == ("1", "1", "2")


@pytest.mark.parametrize(
    ("where", "complaint"),
    [("nowhere.py:once", "no file"), ("mine.py", "PATH.py:FUNCTION"), ("{file}:twice", "no function 'twice'")],
)
def test_it_says_what_is_wrong_with_its_input(file, where, complaint, capsys):
    assert main(["prove", where.format(file=file)]) == 2
    assert complaint in capsys.readouterr().err


def test_a_file_that_is_no_python(tmp_path, capsys):
    path = tmp_path / "broken.py"
    path.write_text("def handler(:")
    assert main(["prove", f"{path}:handler"]) == 2
    assert "cannot be read as Python" in capsys.readouterr().err
