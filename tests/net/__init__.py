"""What has to stay as it is while code moves: recorded texts of answers, proofs, screens and cells.

`make test-night PART=net` compares. What is changed on purpose is recorded anew in the same commit, which names it:
`NET=record pytest -p no:xdist tests/net/test_answers.py`.
"""

import json
import os
import re
from pathlib import Path

from exactly_once.paths import ROOT

FOLDER = Path(__file__).parent
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
TIME = re.compile(r"(?<=· )[\d.,]+ m?s(?= ·)")


def compare(part, found):
    """Assert that `found`, {name: text}, is what the file `part` has, name for name; with NET=record, write it."""
    file = FOLDER / f"{part}.json"
    found = {name: tidy(text) for name, text in found.items()}
    if os.environ.get("NET") == "record":
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(found, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    assert found == kept(part)


def kept(part):
    """Return the recorded {name: text} of a part."""
    return json.loads((FOLDER / f"{part}.json").read_text(encoding="utf-8"))


def tidy(text):
    """Leave out what differs from run to run and from folder to folder: addresses, times, the course's place."""
    return TIME.sub("<time>", ADDRESS.sub("0x", text)).replace(str(ROOT), "<course>")
