"""The exercises and gaps of the course, chapter by chapter: `ch04` has the checks of chapter 04, and its replies.

`ch04/checks*.py` declare `ITEMS`, {name: item}; each item is of one of the kinds in `exactly_once.exercises.kinds`.
`ch04/mistakes.toml` has a table for each, and there a sentence for each mistake: `"sentence" = ["old", "new"]` is a
change of the solved cell, and may go on with more pairs.
`ch04/replies.toml` has a sentence for each plausible wrong prediction: in the notebook it would give the answer away.
There `["04-letters"]` is the table of a question that one click answers, `["04-letters"."A"]` the table of one row;
each maps choices to sentences. `exactly_once.course` shows the items, counts tries and gives hints. `items` finds
them: a chapter is imported when one of its items is asked for.
"""
