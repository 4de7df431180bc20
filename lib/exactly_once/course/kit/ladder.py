"""`ladder()`: every strategy under every kind of fault, kept from chapter to chapter in `my-work/`."""

import json

from ...paths import replaced
from ...widgets.ladder.widget import ladder as ladder_of
from .. import my_work

FILE = "ladder.json"


def ladder(strategies=None):
    """Return the ladder with the cells proved so far in any chapter; the ladder keeps new proofs.

    `strategies` are the rows, names of `exactly_once.handlers.STRATEGIES`; by default all. Raises `BadInput` for an
    unknown strategy, `CourseError` when `my-work/` cannot be read.
    """
    return ladder_of(strategies, my_work.read_json(my_work.folder() / FILE), _keep)


def _keep(proved):
    """Add the new proofs to the file. Proofs that another notebook has added meanwhile stay."""
    with my_work.locked(FILE):
        path = my_work.folder() / FILE
        text = json.dumps(my_work.read_json(path) | proved, indent=1, sort_keys=True, ensure_ascii=False)
        replaced(path, text + "\n")
