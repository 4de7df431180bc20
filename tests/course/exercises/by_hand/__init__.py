"""Answers that no change of the solved cell can say: other ideas, hostile ones, and those that do not end.

`ch04.py` has those of chapter 04, in cells that define `answer`. The heading of a wrong one has a part of the reply:

    # %% 04d effects at the end → one crash may cost one item, no more
    def answer(node):
        ...

A cell without a title has what the answers to its item that follow have in common. `right.toml` has changes of the
solved cell that leave it right.
"""

import tomllib
from pathlib import Path
from typing import NamedTuple


class Answer(NamedTuple):
    """An answer to the item `name`, with its text, and the `reason` in the reply to it, which a right one has not."""

    name: str
    title: str
    text: str
    reason: str


def answers():
    """Yield all answers."""
    for path in sorted(Path(__file__).parent.glob("ch*.py")):
        common = {}
        for cell in path.read_text().split("# %% ")[1:]:
            heading, _, text = cell.strip().partition("\n")
            (name, _, title), (_, _, reason) = heading.partition(" "), heading.partition(" → ")
            if title:
                yield Answer(name, title.partition(" → ")[0], f"{common.get(name, '')}{text}\n", reason)
            else:
                common[name] = f"{text}\n\n\n"


ANSWERS = list(answers())
RIGHT = tomllib.loads(Path(__file__).with_name("right.toml").read_text())  # {item: changes}
WRONG = [one for one in ANSWERS if one.reason]
