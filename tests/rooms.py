"""How many lines each room of the library has, and all tests. `python -m tests.rooms` writes today's as the most."""

import collections
import json
import subprocess
from pathlib import Path

from exactly_once.paths import ROOT

MOST = Path(__file__).with_name("rooms.json")
PATTERNS = ("lib/*.py", "lib/*.js", "lib/*.css", "tests/*.py")


def lines(names):
    """Return the lines of files by room: a folder or a module of the library, or "tests"."""
    found = collections.Counter()
    for name in names:
        parts = Path(name).parts
        room = "tests" if parts[0] == "tests" else parts[2].removesuffix(".py")
        found[room] += (ROOT / name).read_text().count("\n")
    return dict(sorted(found.items()))


if __name__ == "__main__":
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *PATTERNS]
    names = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    MOST.write_text(json.dumps(lines([name for name in names if (ROOT / name).is_file()]), indent=1) + "\n")
    print(MOST.read_text())
