"""What a visitor meets first: the README, its picture, and the pages in `docs/`. Their words, links and commands."""

import re
import shlex
import subprocess
import sys

import pytest

from exactly_once.paths import ROOT

from .reading import FRONT

README = (ROOT / "README.md").read_text()
TERMINAL = (ROOT / "docs" / "from-a-terminal.md").read_text()
MADE = (ROOT / "docs" / "how-it-is-made.md").read_text()
LIBRARY = ROOT / "lib" / "exactly_once"


def targets():
    """Return the targets of the Makefile that `make help` lists."""
    return set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_the_readme_begins_with_a_sentence_the_command_the_book_a_picture_and_three_doors():
    marks = [
        "A course on", "```\nmake lab\n```", "](docs/book.md)", "<picture>", "```\nmake test\n```", "**Learn:**",
        "**Teach:**", "**Use it on your own handler:**", "## What you need", "## The chapters", "## Commands",
        "(LICENSE)",
    ]  # fmt: skip
    places = [README.index(mark) for mark in marks]
    assert places == sorted(places)
    assert places[marks.index("**Learn:**")] < 2000
    doors = README[README.index("## Three doors") : README.index("## What you do here")]
    for page in ("#the-chapters", "docs/in-a-class.md", "notebooks/teaching.md", "docs/your-own-handler.md"):
        assert f"]({page})" in doors


def test_each_page_says_first_for_whom_it_is_and_stands_in_the_index():
    listed = set(re.findall(r"\]\(([a-z-]+\.md)\)", (ROOT / "docs" / "README.md").read_text()))
    for path in FRONT[2:]:
        title, blank, first, *_ = path.read_text().splitlines()
        assert title.startswith("# ")
        assert blank == ""
        assert first.startswith("For ")
        assert path.name in {*listed, "README.md"}


def test_each_make_that_a_page_names_is_there():
    for path in FRONT:
        named = set(re.findall(r"(?:^|`|seat7 |\" )make ([a-z][a-z-]*)", path.read_text(), re.MULTILINE))
        assert named <= targets()


def test_the_terminals_page_has_each_make_and_each_command():
    assert targets() - {"help"} == set(re.findall(r"^\| `make ([a-z-]+)", TERMINAL, re.MULTILINE))
    said = subprocess.run(
        [sys.executable, "-m", "exactly_once", "--help"], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    there = set(re.search(r"\{([a-z,-]+)\}", said)[1].split(","))
    assert there == set(re.findall(r"^\| `([a-z-]+)` \|", TERMINAL, re.MULTILINE))


def run(tmp_path, which):
    """Run the lines of the terminal's page for which `which(line)` holds, in a new folder; return the replies."""
    (lines,) = (
        block for block in re.findall(r"```\n(.*?)```", TERMINAL, re.DOTALL) if "exactly-once doctor" in block
    )
    course = f"{shlex.quote(sys.executable)} -P -m exactly_once"
    said = {}
    for line in filter(which, lines.splitlines()):
        done = subprocess.run(
            line.replace(".venv/bin/exactly-once", course), shell=True, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, (line, done.stderr)
        said[line.partition(" ")[2]] = done.stdout
    return said


def needs_a_cluster(line):
    return "doctor" in line or "--world spark" in line


def test_the_examples_of_the_terminal_work_as_they_stand(tmp_path):
    # Those with a file of one's own are run in tests/explore/test_command_line.py.
    said = run(tmp_path, lambda line: not needs_a_cluster(line) and " my_" not in line)
    assert "Not exactly once" in said["crash --at B --item 3"]
    assert said["crash --at D --item 3 --strategy transactional"].strip()


@pytest.mark.slow
@pytest.mark.cluster
def test_the_examples_with_a_cluster_work_as_they_stand(tmp_path):
    said = run(tmp_path, needs_a_cluster)
    assert len(said) == 2


def test_the_page_for_readers_of_the_code_names_each_layer():
    table = MADE[: MADE.index("What the notebooks import")]
    named = set(re.findall(r"`([a-z]+)`", "\n".join(re.findall(r"^\| (`[^|]+)\|", table, re.MULTILINE))))
    there = {path.name for path in LIBRARY.iterdir() if (path / "__init__.py").exists()}
    assert there <= named


def test_without_a_network_the_same_packages_are_collected_as_are_installed():
    page = (ROOT / "docs" / "in-a-class.md").read_text()
    (collected,) = re.findall(r"pip download .*'\.\[([a-z,]+)\]'", page)
    (installed,) = re.findall(r"^lab\) what='\.\[([a-z,]+)\]'", (ROOT / "tools" / "environment.sh").read_text(), re.M)
    assert set(collected.split(",")) == {*installed.split(","), "java"}
