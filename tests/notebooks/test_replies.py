"""The sentences for wrong predictions: each belongs to a question of its chapter, and is one. See `test_run`."""

import pytest

from exactly_once.exercises.replies import replies

from .reading import CHAPTERS, questions, read

every_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


@every_chapter
def test_each_sentence_has_its_question(path):
    assert set(replies(path.stem[:2])) <= questions(read(path))


@every_chapter
def test_the_best_questions_of_a_chapter_speak_to_the_choice(path):
    found = replies(path.stem[:2])
    assert len(found) >= 5
    for question in found.values():
        for value in question.values():
            for sentence in value.values() if isinstance(value, dict) else [value]:
                assert len(sentence.split()) >= 6
                assert sentence.endswith((".", "?"))
