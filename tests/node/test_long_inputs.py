"""What is pasted by a slip, cut, or made to harm: refused at once, in a sentence that can be read."""

import pytest

from exactly_once.__main__ import main


def test_a_file_without_an_end(capsys):
    assert main(["clocks", "/dev/zero"]) == 2
    assert "/dev/zero has over" in capsys.readouterr().err


@pytest.mark.slow
def test_an_expression_that_never_ends_is_stopped(tmp_path, capsys):
    (tmp_path / "log").write_text('p {"p":1}\n' + "a" * 60 + "\n")
    expression = r"(?<host>(a+)+)! (?<clock>{.*})\n(?<event>.*)"
    assert main(["clocks", str(tmp_path / "log"), "--expression", expression]) == 2
    assert "needs more than 10 seconds for this log" in capsys.readouterr().err
