"""`python -m exactly_once.course.exercises` writes `exercises/` from `solutions/`.

With `hand-out` it gives the learner copies of all notebooks, with `reset 04d` it brings one exercise back.
"""

import argparse
import sys

from ...errors import CourseError
from .. import copies
from . import handout, markers


def main(argv=None):
    """Generate, hand out or reset from the command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m exactly_once.course.exercises", description="The exercises.")
    parser.add_argument("what", nargs="?", default="generate", choices=("generate", "hand-out", "reset"))
    parser.add_argument("exercise", nargs="?", help="for reset: the exercise, such as 04d")
    asked = parser.parse_args(argv)
    if asked.what == "generate":
        changed = markers.generate()
        print(f"Written: {', '.join(changed)}." if changed else "The exercises are as the solutions want them.")
    elif asked.what == "hand-out":
        print("\n".join([*copies.hand_out(), "Your copies are in my-work/: notebooks and exercises."]))
    elif asked.exercise:
        print(handout.reset(asked.exercise))
    else:
        parser.error("reset needs the name of an exercise, such as 04d")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CourseError as why:
        sys.exit(f"exactly_once: {why}")
