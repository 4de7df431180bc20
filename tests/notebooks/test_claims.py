"""What the chapters say of Kafka: a test holds the course's log to each statement, or a page of a version says so.

A sentence that names Kafka, one of its clients or a KIP is a claim, and stands in `CLAIMS` (`claims_NN.py`) by some
words of its own; so do other rules that a chapter takes from Kafka. What was found to be wrong stands in `REMOVED`,
and stays out of all notebooks.
"""

import ast
import re

import pytest

from exactly_once.paths import ROOT

from . import claims_02, claims_03, claims_05, claims_06, claims_07
from .reading import NOTEBOOKS, boxes, prose, read, rows_of

TESTS = ROOT / "tests"
NAMED = re.compile(r"Kafka|librdkafka|KIP-\d|Java client|Java producer|Java, ")
VERSION = re.compile(r"/\d\d/|/v\d+\.\d+\.\d+/|KIP-\d+")  # in a link: of a page of Kafka's, a file, or a proposal
APART = ("Further reading",)  # sections that name sources

CHECKED = (claims_02, claims_03, claims_05, claims_06, claims_07)
# {chapter: {words of its prose: what they rest on}}
CLAIMS = {chapter: found for module in CHECKED for chapter, found in module.CLAIMS.items()}
REMOVED = {words: why for module in CHECKED for words, why in module.REMOVED.items()}
# Chapters whose boxes' sentences stand in `CLAIMS`, too. In the others the rows of the boxes name their pages.
WITH_BOXES = {chapter: module for module in (claims_03, claims_06, claims_07) for chapter in module.CLAIMS}
with_boxes = pytest.mark.parametrize("chapter", WITH_BOXES)


def notebook_named(chapter):
    return read(ROOT / "notebooks" / f"{chapter}.ipynb")


def paragraphs(chapter):
    """Return the paragraphs of a chapter's prose, without tables, titles of boxes, and addresses of links."""
    notebook = notebook_named(chapter)
    text = prose(notebook)
    for box in boxes(notebook) if chapter not in WITH_BOXES else ():
        text = text.replace(box, "")
    for name in APART:
        text = re.sub(rf"^## {name}.*?(?=^## |\Z)", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^> \*\*.*\*\*$|^> \|.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^> ?", "", text, flags=re.MULTILINE)
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)
    return [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text)]


def sentences(chapter):
    """Return the sentences of a chapter's prose."""
    return [
        sentence
        for paragraph in paragraphs(chapter)
        for sentence in re.split(r"(?<=[.!?:])\)? (?=[(*A-Z])", paragraph)
    ]


@pytest.mark.parametrize(
    ("chapter", "words"), [(chapter, words) for chapter, found in CLAIMS.items() for words in found]
)
def test_a_claim_stands_in_its_chapter_and_rests_on_a_test_or_a_page(chapter, words):
    assert any(words in paragraph for paragraph in paragraphs(chapter)), "the chapter no longer says so"
    assert CLAIMS[chapter][words]
    for ground in CLAIMS[chapter][words]:
        if ground.startswith("https://"):
            assert VERSION.search(ground), "a page has a version"
            assert ground in prose(notebook_named(chapter)), "the chapter cites the page"
        else:
            file, _, name = ground.partition("::")
            there = {node.name for node in ast.parse((TESTS / file).read_text()).body if hasattr(node, "name")}
            assert name in there, ground


@pytest.mark.parametrize("chapter", CLAIMS)
def test_a_sentence_that_names_kafka_is_a_claim(chapter):
    found = [sentence for sentence in sentences(chapter) if NAMED.search(sentence)]
    assert [sentence for sentence in found if not any(words in sentence for words in CLAIMS[chapter])] == []


@with_boxes
def test_the_boxes_say_what_was_read(chapter):
    rows = [row for box in boxes(notebook_named(chapter), "In Kafka") for row in rows_of(box)[1:]]
    assert {row[0].strip("`"): (row[1], row[2]) for row in rows} == WITH_BOXES[chapter].SETTINGS


@with_boxes
def test_the_card_says_what_was_read(chapter):
    (card,) = boxes(notebook_named(chapter), "Card ")
    rows = {row[0].strip("`"): (row[1], row[2]) for row in rows_of(card)[1:]}
    card_as_read = WITH_BOXES[chapter].CARD
    assert {name: rows[name] for name in card_as_read} == card_as_read
    assert all("](#" in row[3] for row in rows_of(card)[1:]), "every line leads to where it is shown"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_was_found_to_be_wrong_stays_out(path):
    text = " ".join(prose(read(path)).split())
    assert [(words, why) for words, why in REMOVED.items() if re.search(words, text)] == []


@pytest.mark.parametrize(
    "old",
    [
        "Kafka's clients use *murmur2*, and every client has to compute the same number.",
        "There is no third thing that it could look like. No further message helps.",
    ],
)
def test_a_claim_that_came_back_would_be_found(old):
    assert len([words for words in REMOVED if re.search(words, old)]) == 2
