"""List the sentences of docstrings and comments that most readers read twice. It warns, and fails nothing.

A sentence is listed if it has two of *what, that, which, who, whoever, whatever* without a noun before them, as in
"Return what comes of what is sent".
"""

import ast
import io
import re
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADLESS = {"what", "whatever", "whoever", "whichever"}
RELATIVE = {"that", "which", "who"}
# Before a relative clause none of these is a noun; after a verb such as "says", "that" is a conjunction.
NO_NOUN = set("of to in with by from for at on than as all those and or but it this these one ones is are".split())
SENTENCE = re.compile(r"(?<=[.!?;])\s+")


def texts(path):
    """Yield (line, text) of each docstring and each comment of a file."""
    source = path.read_text()
    for node in ast.walk(ast.parse(source)):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if documented and (text := ast.get_docstring(node)):
            yield node.body[0].lineno, text
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def headless(sentence):
    """Return how many clauses of a sentence have no noun before them."""
    words = re.findall(r"[\w'`.]+|[,:(—]", sentence.lower())
    found = 0
    for before, word in zip(["", *words], words, strict=False):
        found += word in HEADLESS or (word in RELATIVE and before in NO_NOUN)
    return found


def main(names):
    """Print the sentences of the files, or of all the code."""
    paths = [Path(name) for name in names] or sorted(ROOT.glob("lib/**/*.py")) + sorted(ROOT.glob("tests/**/*.py"))
    found = 0
    for path in paths:
        for line, text in texts(path):
            for sentence in SENTENCE.split(" ".join(text.split())):
                if headless(sentence) >= 2:
                    found += 1
                    print(f"{path.resolve().relative_to(ROOT)}:{line}: {sentence}")
    print(f"{found} sentences to look at.")


if __name__ == "__main__":
    main(sys.argv[1:])
