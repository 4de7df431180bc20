"""The form of the notebooks and pages: sections, minutes, lengths of cells and prose, links, glossary, credits."""

import ast
import re
import tomllib
from statistics import median

import pytest

from exactly_once.paths import ROOT

from .minutes import of_chapter, of_sections, questions, sittings
from .reading import (
    CHAPTERS,
    NOTEBOOKS,
    PAGES,
    TERM,
    anchors,
    boxes,
    broken_links,
    code,
    read,
    rows_of,
    sections,
    text_of,
)

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
every_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
PARTS = ("Predict", "Break", "Explain", "Fix", "Prove", "For real", "Summary", "Exercises", "Further reading")
GLOSSARY = ROOT / "notebooks" / "glossary.md"
MINUTES = re.compile(r"\((?:about )?(\d+) minutes?(?:,[^)]*)?\)")
LONGEST, USUAL, EACH_OF_TWO = 115, 95, 75  # minutes of a main line, and of each sitting of a long one


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
def test_the_minutes_are_those_of_the_model_and_a_chapter_takes_one_sitting_or_two(path):
    notebook = read(path)
    total = int(MINUTES.search(notebook.cells[0].source)[1])
    assert total == pytest.approx(of_chapter(notebook).minutes, rel=0.1)
    main = {name: part for name, part in of_sections(notebook).items() if not name.startswith("Further on")}
    said = {heading: int(found[1]) for heading in main if (found := MINUTES.search(heading))}
    assert sum(said.values()) == pytest.approx(total, abs=5)
    for heading, minutes in said.items():
        assert minutes == pytest.approx(main[heading].minutes, rel=0.15, abs=1.5), heading
    assert total <= LONGEST
    found = sittings(notebook)
    assert len(found) == (1 if total <= USUAL else 2)
    assert max(found) <= (USUAL if len(found) == 1 else EACH_OF_TWO)


@every_notebook
def test_what_is_promised_is_answered_in_the_end(path):
    notebook = read(path)
    promised = re.findall(r"^\d+\. ", notebook.cells[0].source, re.MULTILINE)
    (answers,) = [
        text for heading, text in sections(notebook).items() if heading.startswith(("Summary", "What you can do now"))
    ]
    assert re.findall(r"^\d+\. ", answers, re.MULTILINE) == promised


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


@pytest.mark.parametrize("path", [*NOTEBOOKS, *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    assert broken_links(path) == []


def test_terms_lead_to_their_own_place_in_the_glossary_which_is_in_order():
    words = anchors(GLOSSARY)[1:]
    assert words == sorted(set(words))
    for path in NOTEBOOKS:
        assert {anchor for _, anchor in TERM.findall(text_of(path))} <= set(words)


def test_each_sentence_for_a_wrong_prediction_has_its_question_and_its_choice():
    asked = questions()
    for path in (ROOT / "lib" / "exactly_once" / "chapters").glob("*/replies.toml"):
        for name, found in tomllib.loads(path.read_text()).items():
            for key, value in found.items():
                row, sentences = (key, value) if isinstance(value, dict) else ("", {key: value})
                choices = asked[name].rows.get(row) if asked[name].rows else None
                assert not choices or set(sentences) <= {*map(str, choices)}, (name, row)
                assert all(sentence.endswith((".", "?")) for sentence in sentences.values())
