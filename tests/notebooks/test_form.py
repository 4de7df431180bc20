"""The form of the notebooks and pages: sections, minutes, lengths of cells and prose, links, glossary, credits."""

import ast
import itertools
import re
from statistics import median

import pytest
import yaml

from exactly_once.paths import ROOT

from .reading import (
    CHAPTERS,
    NOTEBOOKS,
    PAGES,
    TERM,
    anchors,
    boxes,
    broken_links,
    code,
    prose,
    read,
    rows_of,
    sections,
    text_of,
    words_to_read,
)

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
every_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
PARTS = ("Predict", "Break", "Explain", "Fix", "Prove", "For real", "Summary", "Exercises", "Further reading")
GLOSSARY = ROOT / "notebooks" / "glossary.md"
MINUTES = re.compile(r"\((?:about )?(\d+) minutes?(?:,[^)]*)?\)")


def test_the_notebooks_are_there():
    assert [path.stem for path in NOTEBOOKS][:1] == ["00-start-here"]
    assert "04-crash-points" in [path.stem for path in CHAPTERS]


@every_notebook
def test_kernel_and_language_are_named_without_a_version(path):
    assert read(path).metadata == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }


@every_notebook
def test_code_cells_are_short_and_stand_in_prose(path):
    notebook = read(path)
    lines = [len(source.splitlines()) for source in code(notebook)]
    assert median(lines) <= 5
    assert max(lines) <= 25
    # What a cell shows at 1280 pixels.
    assert max(len(line) for source in code(notebook) for line in source.splitlines()) <= 92
    kinds = "".join(cell.cell_type[0] for cell in notebook.cells)
    assert "cccc" not in kinds
    assert kinds.count("mc") >= 0.9 * kinds.count("c")
    for source in code(notebook):
        ast.parse(source)


@every_chapter
def test_a_chapter_has_the_length_of_a_chapter(path):
    """How long a chapter may be at most is a matter of minutes, not of words: see `test_minutes`."""
    assert len(words_to_read(read(path))) >= 1500


@every_chapter
def test_a_chapter_goes_its_way_in_order(path):
    headings = [re.sub(r"^\d+ · ", "", heading) for heading in sections(read(path))]
    found = [
        next((number for number, heading in enumerate(headings) if heading.startswith(part)), None) for part in PARTS
    ]
    assert None not in found, dict(zip(PARTS, found, strict=True))
    assert found == sorted(found)


@every_chapter
def test_a_chapter_leads_to_its_exercises(path):
    (words,) = [text for heading, text in sections(read(path)).items() if heading.startswith("Exercises")]
    assert f"](../exercises/{path.name})" in words


@every_notebook
def test_first_the_set_up_and_last_the_reset_and_the_end_of_the_cluster(path):
    notebook = read(path)
    first, *_, reset, last = code(notebook)
    assert first == f'from exactly_once.course import chapter\n\nchapter("{path.stem}")'
    assert reset.splitlines()[-1] == f'reset_button("{path.stem}")'
    assert last.splitlines()[-2:] == ["stop_cluster()", "shut_down_button()"]
    assert next(iter(sections(notebook))).startswith("Set-up")


@every_notebook
def test_the_minutes_of_the_sections_add_up(path):
    notebook = read(path)
    total = int(MINUTES.search(notebook.cells[0].source).group(1))
    main = [heading for heading in sections(notebook) if not heading.startswith("Further on")]
    parts = [int(MINUTES.search(heading).group(1)) for heading in main if MINUTES.search(heading)]
    assert len(parts) >= 5
    assert abs(sum(parts) - total) <= 5, (parts, total)


@every_notebook
def test_what_is_promised_is_answered_in_the_end(path):
    notebook = read(path)
    promised = re.findall(r"^\d+\. ", notebook.cells[0].source, re.MULTILINE)
    (answers,) = [
        text for heading, text in sections(notebook).items() if heading.startswith(("Summary", "What you can do now"))
    ]
    assert 3 <= len(promised) <= 6
    assert re.findall(r"^\d+\. ", answers, re.MULTILINE) == promised


@every_notebook
def test_there_is_something_to_predict(path):
    assert prose(read(path)).count("**Predict") >= (1 if path.stem.startswith("00") else 4)


DECIDED = re.compile(r"\b(predict|gap|adversary|playground|debugger)\(|(_lab|_viewer|_console)\(")


@every_chapter
def test_each_predict_takes_an_answer(path):
    notebook = read(path)
    for cell, following in itertools.pairwise(notebook.cells):
        if cell.cell_type == "markdown" and "**Predict" in cell.source:
            assert re.search(r"\bpredict\(|_console\(|_lab\(|_viewer\(|playground\(", following.source), cell.source
    assert sum("predict(" in source for source in code(notebook)) >= 4


@every_chapter
def test_there_are_never_more_than_five_cells_without_something_to_decide(path):
    notebook = read(path)
    kinds = ["decide" if DECIDED.search(source) else "watch" for source in code(notebook)[1:-2]]
    stretches = [len(list(group)) for kind, group in itertools.groupby(kinds) if kind == "watch"]
    assert max(stretches) <= 5, stretches


QUESTION = re.compile(r'^(\w+) = predict\(\s*"(\d\d-[a-z0-9-]+)"', re.MULTILINE)
FOLD = re.compile(r'<details class="eo-after-([^"]*)">')


@every_notebook
def test_each_question_is_asked_once_and_answered_below_by_what_a_cell_computes(path):
    sources = code(read(path))
    asked = [(number, *found) for number, source in enumerate(sources) for found in QUESTION.findall(source)]
    names = [name for _, _, name in asked]
    assert sum(len(re.findall(r'\bpredict\(\s*"', source)) for source in sources) == len(asked)
    assert len(set(names)) == len(names)
    assert all(name.startswith(path.stem[:3]) for name in names)
    for number, variable, _ in asked:
        assert sources[number].splitlines()[-1] == variable
        given = [value for source in sources[number + 1 :] for value in truths(source, variable)]
        assert given, f"nothing says what came of {variable}"
        for value in given:
            assert any(isinstance(part, ast.Name) for part in ast.walk(value)), "it is computed, and not typed in"


def truths(source, variable):
    """Return what a cell gives a question's `reveal` as `it_did`, as syntax trees."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    told = [call for call in calls if ast.unparse(call.func) == f"{variable}.reveal"]
    return [keyword.value for call in told for keyword in call.keywords if keyword.arg == "it_did"]


@every_notebook
def test_prose_that_gives_an_answer_away_is_folded_below_its_question(path):
    asked = set()
    for cell in read(path).cells:
        if cell.cell_type == "code":
            asked |= {name for _, name in QUESTION.findall(cell.source)}
            continue
        assert set(FOLD.findall(cell.source)) <= asked
        assert cell.source.count("<details") == len(re.findall(r"<summary>.+</summary>\n\n", cell.source))
        assert cell.source.count("<details") == cell.source.count("\n\n</details>")


@every_notebook
def test_a_box_names_setting_default_version_and_page(path):
    notebook = read(path)
    cards, practice = boxes(notebook, "Card "), boxes(notebook, "In ")
    assert len(cards) + len(practice) == len(boxes(notebook)), "a box is In Kafka, In practice, or the card"
    for box in practice:
        title, head, *rows = box.splitlines()[0], *rows_of(box)
        assert re.fullmatch(r"> \*\*In (Kafka|practice) · .+\*\*", title)
        assert head == ["setting", "default", "since", "page"]
        assert rows
        for setting, default, since, page in rows:
            assert re.fullmatch(r"`[a-z][\w.-]+`", setting), setting
            assert default
            assert re.search(r"\d+\.\d+", since), since
            link = re.fullmatch(r"\[[^\]]+\]\((https://[^)]+)\)", page)
            assert link, page
            assert "Kafka" not in title or link[1].startswith("https://kafka.apache.org/"), page


@every_notebook
def test_a_chapter_has_one_card_at_its_end(path):
    notebook = read(path)
    cards = boxes(notebook, "Card ")
    assert len(cards) <= 1
    for card in cards:
        assert card.startswith(f"> **Card {path.stem[:2]} · ")
        assert card in sections(notebook)[next(name for name in sections(notebook) if name.startswith("Summary"))]
        assert len(rows_of(card)) >= 4


def test_chapter_04_uses_every_part_of_the_kit():
    notebook = read(ROOT / "notebooks" / "04-crash-points.ipynb")
    cells = "\n".join(code(notebook))
    kinds = ["rows" if "rows=" in source else "chips" for source in code(notebook) if "predict(" in source]
    assert {"rows", "chips"} == set(kinds)
    assert ": int," in cells
    assert ".or_library()" in cells
    assert boxes(notebook, "In Kafka")
    assert boxes(notebook, "Card 04")


@pytest.mark.parametrize("path", [*NOTEBOOKS, *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    assert broken_links(path) == []


def test_a_broken_link_would_be_seen(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.notebooks.reading.ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("# one\n[a](page.md#one) [b](page.md#two) [c](nowhere.md) [d](/etc/passwd) ![e](picture.png)")
    assert broken_links(page) == ["page.md#two", "nowhere.md", "/etc/passwd", "picture.png"]


@every_notebook
def test_terms_lead_to_their_own_place_in_the_glossary(path):
    terms = TERM.findall(text_of(path))
    assert len({anchor for _, anchor in terms}) >= 5
    assert {anchor for _, anchor in terms} <= set(anchors(GLOSSARY))


def test_the_glossary_is_in_order_and_says_each_thing_once():
    words = anchors(GLOSSARY)[1:]
    assert words == sorted(set(words))
    assert len(words) >= 30
    entries = re.split(r"^### .+$", GLOSSARY.read_text(), flags=re.MULTILINE)[1:]
    assert min(len(entry.split()) for entry in entries) >= 8


def test_the_three_articles_are_credited_as_far_as_they_are_known():
    text = " ".join((ROOT / "notebooks" / "sources.md").read_text().split())
    for words in (
        "Yannick Decourtray",
        "Les horloges de Lamport et le pattern de l'Idempotent Producer (Kafka)",
        "Margo, 2018",
        "Kafka design, message delivery semantics",
        "not named in",
        "by lock-free half-transactions",
        "missing in",
    ):
        assert words in text


def test_the_citation_file_says_what_it_must():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= cited.keys()
    assert cited["license"] == "Apache-2.0"
    assert len(cited["references"]) == 3


def test_chapters_that_are_not_there_are_said_to_come():
    there = {path.stem[:2] for path in NOTEBOOKS}
    rows = re.findall(
        r"^\| (\d\d) [^|]+\|[^|]+\| ([^|]+) \|$", text_of(ROOT / "notebooks" / "00-start-here.ipynb"), re.M
    )
    assert [number for number, _ in rows] == [f"{number:02d}" for number in range(15)]
    assert {number for number, state in rows if state != "to come"} == there
    rows = re.findall(r"^\| (\[?)(\d\d) ([^|]+)\|[^|]+\|$", text_of(ROOT / "README.md"), re.M)
    assert [number for _, number, _ in rows] == [f"{number:02d}" for number in range(15)]
    assert {number for link, number, name in rows if link and f"(notebooks/{number}-" in name} == there
    assert {number for _, number, name in rows if not name.strip().endswith(", to come")} == there
