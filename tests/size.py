"""How many lines the library has, and its tests. `python -m tests.size` writes both numbers, at the end of an issue.

Counted is every line of every text file in git, but prose, data, and what a test only compares with or what others
wrote.
"""

import json
import subprocess
from pathlib import Path

from exactly_once.paths import ROOT

SIZE = Path(__file__).with_name("size.json")
WHERE = {"library": ("lib", "solutions", "tools", "binder"), "tests": ("tests", "benchmarks")}
PROSE = (".md", ".png", ".gif", ".csv", ".ipynb", ".svg")
FILES = ("replies.toml", "cases.json", "found.json")
FOLDERS = ("data", "locks", "approved", "axe")


def git(*arguments):
    """Return what git prints. Raises `CalledProcessError` where this is no clone."""
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def counted():
    """Return the lines that there are, by name."""
    found = {}
    for name, folders in WHERE.items():
        files = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders).split("\0")
        found[name] = sum(map(lines, {ROOT / file for file in files if file}))
    return found


def lines(path):
    """Return the lines of a file that count."""
    parts = path.relative_to(ROOT).parts
    apart = path.suffix in PROSE or path.name in FILES or set(parts) & set(FOLDERS)
    return 0 if apart or path.is_symlink() or not path.is_file() else path.read_bytes().count(b"\n")


def smallest():
    """Return the smallest numbers that stood in the file in any commit of this branch, by name."""
    commits = git(
        "log", "--full-history", "--first-parent", "--diff-filter=AM", "--format=%H", "--", str(SIZE)
    ).split()
    stood = [json.loads(git("show", f"{commit}:tests/{SIZE.name}")) for commit in commits]
    return {name: min(each[name] for each in [json.loads(SIZE.read_text()), *stood]) for name in WHERE}


if __name__ == "__main__":
    SIZE.write_text(json.dumps({name: -(-found // 500) * 500 for name, found in counted().items()}) + "\n")
    print(SIZE.read_text(), end="")
