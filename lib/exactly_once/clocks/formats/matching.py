"""Regular expressions that came with a file, at work where they can do no harm: in a process of their own.

Some expressions need a time that doubles with each character, and Python cannot interrupt one that is under way.
"""

import json
import subprocess
import sys

from ...errors import BadInput
from .clock_lines import shortened

SECONDS = 10.0
MEMORY_BYTES = 2 * 1024**3
CHILD = """
import json, re, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), resource.getrlimit(resource.RLIMIT_AS)[1]))
except (ImportError, ValueError, OSError):  # a system without this limit has that of time
    pass
asked = json.load(sys.stdin)
pattern = re.compile(asked["pattern"], asked["flags"])
names = pattern.groupindex
found = []
for text in asked["texts"]:
    matches = pattern.finditer(text) if asked["every"] else filter(None, [pattern.search(text)])
    found.append([[match.start(), {name: match.span(name) for name in names}] for match in matches])
json.dump(found, sys.stdout)
"""


def matches(compiled, texts, what, every=True):
    """Return for each text the matches of an expression: (where it begins, {group: (from, to)}), from −1 for none.

    `every` says whether all or the first one. Raises `BadInput`, calling the expression `what`, for one that takes
    more than `SECONDS` seconds, or the memory of the process.
    """
    asked = {"pattern": compiled.pattern, "flags": compiled.flags, "texts": texts, "every": every}
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-W", "ignore", "-c", CHILD, str(MEMORY_BYTES)],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            encoding="ascii",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise BadInput(_too_much(compiled, what, f"{SECONDS:g} seconds")) from None
    if done.returncode:
        raise BadInput(_too_much(compiled, what, f"{MEMORY_BYTES / 2**30:g} GB of memory"))
    return json.loads(done.stdout)


def _too_much(compiled, what, limit):
    return (
        f"The {what} {shortened(compiled.pattern)} needs more than {limit} for this log. Write one that matches "
        "a line in one way only: without a repetition inside a repetition, such as (a+)+."
    )
