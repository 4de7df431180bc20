"""Write `exercises/` from `solutions/`, or with `hand-out` give the learner copies of all notebooks."""

import sys

from ...errors import CourseError
from .. import copies
from ..parser import Parser
from . import markers


def main(argv=None):
    """Generate or hand out from the command line. Returns the exit status."""
    parser = Parser(prog="python -m exactly_once.course.exercises", description=__doc__)
    parser.add_argument("what", nargs="?", default="generate", choices=("generate", "hand-out"))
    if parser.parse_args(argv).what == "hand-out":
        print("\n".join([*copies.hand_out(), "Your copies are in my-work/: notebooks and exercises."]))
    else:
        changed = markers.generate()
        print(f"Written: {', '.join(changed)}." if changed else "The exercises are as the solutions want them.")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CourseError as why:
        sys.exit(f"exactly_once: {why}")
