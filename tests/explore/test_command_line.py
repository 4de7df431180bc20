"""`python -m exactly_once prove` for a function in a file."""

import json
import re
import shlex

import pytest

from exactly_once.__main__ import main
from exactly_once.explore import replay
from exactly_once.paths import ROOT

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


KEPT = """
def tries(node):
    node.registers.cas(f"here.{node.number}", 0, True)
    node.crash_point("A")
    node.store("db").add("attempts", 1)
    node.store("db").write("job", "done")
"""


def test_what_a_handler_keeps_for_itself_is_named_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "mine.py"
    path.write_text(KEPT)
    prove, crash = ["prove", f"{path}:tries", "--items", "1"], ["crash", f"{path}:tries", "--at", "A", "--nodes", "2"]
    for command, before, after in (
        (prove, "say own=(('db', 'attempts'),).", "Proved"),
        (crash, "db attempts holds 2 and should hold 1. If that cell is the handler's own", "Exactly once"),
    ):
        assert main(command) == 0
        assert before in capsys.readouterr().out
        assert main([*command, "--own", "db:attempts", "--own", "db:lease"]) == 0
        told = capsys.readouterr().out
        assert after in told
        assert "attempts in the store db, which the handler keeps for itself" in told
    assert "the register here.2, which names a node" in told
    with pytest.raises(SystemExit, match="2"):
        main([*prove, "--own", "attempts"])
    assert "give a store and a part" in capsys.readouterr().err


@pytest.mark.parametrize("raised", ["KeyboardInterrupt", "SystemExit(3)"])
def test_a_file_that_ends_the_process_where_it_is_read(tmp_path, capsys, raised):
    path = tmp_path / "broken.py"
    path.write_text(f"pass\nraise {raised}\n")
    assert main(["prove", f"{path}:handler"]) == 2
    assert raised.partition("(")[0] in (said := capsys.readouterr().err)
    assert "(line 2)" in said


def test_an_error_of_the_librarys_is_shown_with_the_handlers_own_lines_alone(tmp_path, capsys):
    path = tmp_path / "wrong.py"
    path.write_text("def handler(node):\n    node.output.push({1})\n")
    assert main(["prove", f"{path}:handler"]) == 1
    assert (said := capsys.readouterr().err).count('File "') == 1
    assert "Turn it into one of them: a set by sorted()" in said


def test_a_value_that_is_written_is_said_once(tmp_path, capsys):
    path = tmp_path / "wrong.py"
    path.write_text("def handler(node):\n    node.database.write('index', 7)\n    node.output.push(1)\n")
    assert main(["prove", f"{path}:handler", "--items", "1"]) == 0
    assert "write index: 7; push 1" in capsys.readouterr().out


def test_an_object_that_is_a_handler_is_named_by_its_class(tmp_path, capsys):
    path = tmp_path / "wrong.py"
    path.write_text("class Mine:\n    def __call__(self, node):\n        pass\n\n\nmine = Mine()\n")
    assert main(["prove", f"{path}:mine"]) == 0
    assert "Handler: Mine." in capsys.readouterr().out


def test_help_says_what_the_exit_status_means(capsys):
    with pytest.raises(SystemExit):
        main(["prove", "--help"])
    assert "exit status is 0" in capsys.readouterr().out


def printed(capsys, *arguments):
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    assert left.value.code == 0
    return capsys.readouterr().out


def on_page(command):
    """Return the arguments of the line in the page of the terminal that begins so."""
    page = (ROOT / "docs" / "from-a-terminal.md").read_text()
    (line,) = re.findall(rf"^.*exactly-once ({command}[^>\n]*)$", page, re.MULTILINE)
    return shlex.split(line)


@pytest.mark.slow
def test_the_templates_are_files_to_begin_with(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_handlers.py").write_text(handlers := printed(capsys, "prove", "--template"))
    assert handlers == printed(capsys, "crash", "--template")
    assert main(on_page("prove my_handlers.py:joined")) == 0
    assert capsys.readouterr().out.startswith("Proved")
    assert main(on_page("prove my_handlers.py:at_least_once")) == 0
    assert "Not exactly once" in capsys.readouterr().out
    assert main(on_page("crash my_")) == 0
    assert "more than once" in capsys.readouterr().out
    assert main(on_page("cost my_")) == 0
    assert "needs 50 partitions" in capsys.readouterr().out


PRICE, FORGOTTEN = "price if newest is None else newest", "[order 3, nothing yet] and should be [order 3, 20]"
MEMORY = 'join.latest = getattr(join, "latest", None) if newest is None else newest'


@pytest.mark.parametrize(
    ("nodes", "old", "new", "status", "words"),
    [
        (2, "", "", 0, ("Proved", "Lock-free: No node ever waits for another")),
        (1, PRICE, MEMORY, 0, ("Broken", FORGOTTEN)),
        (1, "[[order, price]]", "[[hash(order), price]]", 1, ("not deterministic", "another hash seed")),
    ],
)
def test_a_pure_function_in_the_lock_free_machine(tmp_path, capsys, nodes, old, new, status, words):
    template = printed(capsys, "prove", "--template")
    (tmp_path / "mine.py").write_text(template.replace(old, new) if old else template)
    assert main(["prove", f"{tmp_path / 'mine.py'}:joined", "--nodes", str(nodes)]) == status
    told = "".join(capsys.readouterr())
    assert all(one in told for one in words), told


def test_a_handler_that_general_has_made_is_among_the_names_that_a_file_has(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(printed(capsys, "prove", "--template"))
    assert main(["prove", f"{tmp_path / 'mine.py'}:joind"]) == 2
    assert "no function 'joind'; it has charge_orders, join, joined, at_least_once" in capsys.readouterr().err


WILD = "\x1b[2J\x1b]0;owned\x07 \x9b31m\u202e\x00"
TELLS = f"""
WILD = {WILD!r}
def raises(node):
    raise ValueError(WILD)
def pushes(node):
    node.output.push(WILD)
    node.positions.save(node.positions.load())
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["prove", "raises"],
        ["prove", "pushes"],
        ["prove", "pushes", "--lost-replies", "1", "--json"],
        ["crash", "pushes", "--at", "B"],
        ["crash", "raises", "--at", "B"],
    ],
)
def test_nothing_of_a_learners_tells_the_terminal_what_to_do(arguments, tmp_path, capsys):
    (tmp_path / "mine.py").write_text(TELLS)
    main([arguments[0], f"{tmp_path / 'mine.py'}:{arguments[1]}", *arguments[2:]])
    told = capsys.readouterr()
    assert not set(told.out + told.err) & set(WILD) - set("[2J]0;owned 31m")
    assert "\\x1b[2J" in told.out + told.err or "--json" in arguments or arguments[1] == "pushes"
