"""`python -m exactly_once prove` for a function in a file."""

import json
import re
import shlex
from pathlib import Path

import pytest

from exactly_once.__main__ import main
from exactly_once.explore import replay
from exactly_once.paths import ROOT
from tests.sandbox import pure_functions

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
    assert main([*prove, "--own", "db:x", "--pure"]) == 2
    assert "--own is for a handler;" in capsys.readouterr().err
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


@pytest.mark.parametrize("command", ["prove", "report"])
def test_help_says_what_the_exit_status_means(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert "exit status is 0" in capsys.readouterr().out


def pure(*arguments):
    return ["prove", f"{pure_functions.__file__}:{arguments[0]}", "--pure", *arguments[1:]]


@pytest.mark.slow
def test_a_pure_function_is_proved_in_the_lock_free_machine(capsys):
    arguments = ("--first", "[]", "--inputs", "in", "--outputs", "out", "--values", "[[5, 5]]")
    assert main(pure("deduplicate", *arguments, "--json")) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is True
    assert told["lock_free"] is True
    assert (told["bounds"]["nodes"], told["bounds"]["items"], told["warnings"]) == (2, 2, [])


@pytest.mark.not_by_day
def test_without_outputs(capsys):
    assert main(pure("sink", "--first", "0", "--inputs", "a", "--outputs", "-", "--nodes", "3")) == 0
    assert "Proved: no violation within these bounds, but nothing is written" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        (pure("rolls_dice"), 1, "is not pure"),
        (pure("divides_by_zero"), 1, "ZeroDivisionError"),
        (pure("returns_its_state"), 1, "return (state, outputs)"),
        (pure("takes_one"), 1, "takes 1 positional argument"),
        (pure("never_ends"), 1, "loop that never leaves"),
        (pure("nowhere"), 2, "no function 'nowhere'"),
        (pure("sink", "--first", "{"), 2, "--first is '{', which is no JSON"),
        (pure("sink", "--inputs", "a", "--values", "3"), 2, "a list of values for each queue"),
        (pure("sink", "--inputs", "a", "--values", "[[1], [2]]"), 2, "a list for each of a"),
        (pure("sink", "--values", "[[1]]"), 2, "name these in inputs"),
        (pure("sink", "--inputs", "a,a"), 2, "each queue once"),
        (pure("sink", "--outputs", "a,"), 2, "names of queues"),
        (["prove", "mine.py:f", "--first", "0"], 2, "add --pure"),
        (["report"], 2, "give PATH.py:FUNCTION"),
        (["report", "mine.py:f", "--nodes", "two"], 2, "--nodes is 'two'"),
        (["report", "mine.py:f", "--out", "/nowhere/x.html"], 2, "no folder '/nowhere'"),
        (["report", "mine.py:f", "--out", "/"], 2, "that is a folder"),
        (["report", "nowhere.py:f"], 2, "no file 'nowhere.py'"),
    ],
)
@pytest.mark.some(day=5)
def test_what_is_wrong_with_a_pure_function_is_one_sentence(arguments, status, complaint, capsys):
    assert main(arguments) == status
    said = capsys.readouterr()
    assert said.out == ""
    assert complaint in said.err
    assert said.err.count("\n") == 1


@pytest.mark.slow
def test_a_report_goes_to_a_file(tmp_path, capsys):
    where = tmp_path / "page.html"
    arguments = "--first 0 --inputs a --outputs - --nodes 2 --items 1 --seconds 1800".split()
    function = f"{pure_functions.__file__}:sink"
    assert main(["report", function, *arguments, "--out", str(where)]) == 0
    said, page = capsys.readouterr().out, where.read_text()
    assert said.endswith(f"The page is in {where}.\n")
    assert "Inputs a second, by the stores' latency: 3,333 at 0.1 ms, 333 at 1 ms, 67 at 5 ms, 6.7 at 50 ms." in said
    assert "Design review: sink" in page
    assert "one machine, 0.1 ms" in page
    assert "<td>3,333</td><td>333</td><td>67</td><td>6.7</td>" in page
    assert main(["report", function, *arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is True
    assert told["without_preparing"] is None
    assert [cost["nodes"] for cost in told["costs"]] == [1, 2]


def printed(capsys, *arguments):
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    assert left.value.code == 0
    return capsys.readouterr().out


def on_page(command):
    """Return the arguments of the line in the page of the terminal that begins with these words."""
    page = (ROOT / "docs" / "from-a-terminal.md").read_text()
    (line,) = re.findall(rf"^.*exactly-once ({command} my_[^>\n]*)$", page, re.MULTILINE)
    return shlex.split(line)


@pytest.mark.slow
def test_the_templates_are_files_to_begin_with(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_functions.py").write_text(functions := printed(capsys, "report", "--template"))
    (tmp_path / "my_handlers.py").write_text(handlers := printed(capsys, "prove", "--template"))
    assert handlers == printed(capsys, "crash", "--template")
    assert " ".join(on_page("report")[:2]) in functions
    assert main(on_page("prove --pure")) == 0
    assert capsys.readouterr().out.startswith("Proved")
    assert main(on_page("report")) == 0
    assert capsys.readouterr().out.startswith("✓")
    assert main(on_page("prove")) == 0
    assert "Not exactly once" in capsys.readouterr().out
    assert main(on_page("crash")) == 0
    assert "more than once" in capsys.readouterr().out
    assert main(on_page("cost")) == 0
    assert "needs 50 partitions" in capsys.readouterr().out


def test_a_function_that_is_not_there_is_told_with_those_that_are(tmp_path, capsys):
    (tmp_path / "mine.py").write_text("import json\nfrom pathlib import Path\n\n\ndef join(state, inputs): ...\n")
    assert main(["report", f"{tmp_path / 'mine.py'}:function"]) == 2
    assert capsys.readouterr().err.endswith("mine.py has no function 'function'; it has join.\n")


@pytest.mark.not_by_day
def test_a_report_without_a_proof_has_status_1_and_no_promises(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text('def fails(state, inputs):\n    """{" ".join(["word"] * 40)}"""\n    raise KeyError\n')
    assert main(["report", "mine.py:fails"]) == 1
    assert "Nothing is proved" in capsys.readouterr().out
    page = Path("fails-report.html").read_text()
    assert "What it needs of the stores" not in page
    assert "than the table says" not in page


@pytest.mark.not_by_day
def test_a_report_that_had_no_time_says_so(tmp_path, capsys):
    (tmp_path / "mine.py").write_text("def last(state, inputs):\n    return inputs[0].hour, []\n")
    assert (
        main(["report", f"{tmp_path / 'mine.py'}:last", "--seconds", "0.001", "--out", str(tmp_path / "x.html")]) == 0
    )
    assert "the time ended before every schedule was explored" in capsys.readouterr().out


WILD = "\x1b[2J\x1b]0;owned\x07 \x9b31m\u202e\x00"
TELLS = f"""
WILD = {WILD!r}
def raises(node):
    raise ValueError(WILD)
def pushes(node):
    node.output.push(WILD)
    node.positions.save(node.positions.load())
def fails(state, inputs):
    raise ValueError(WILD)
def answers(state, inputs):
    return WILD
def sends(state, inputs):
    return state, [WILD]
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["prove", "raises"],
        ["prove", "pushes"],
        ["prove", "fails", "--pure", "--first", "0", "--inputs", "a"],
        ["prove", "answers", "--pure", "--first", "0", "--inputs", "a"],
        ["prove", "sends", "--pure", "--first", "0", "--inputs", "a", "--lost-replies", "1", "--json"],
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
