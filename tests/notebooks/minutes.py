"""How long each chapter takes, by the model of `exactly_once.course.workshop.minutes`.

`python -m tests.notebooks.minutes [NN …]` prints it.
"""

import sys

from exactly_once.course.workshop.minutes import Counted, counted, main_line, of_chapter, of_sections, sittings

from .reading import NOTEBOOKS, read

__all__ = ["Counted", "counted", "main_line", "of_chapter", "of_sections", "sittings"]

if __name__ == "__main__":
    for path in NOTEBOOKS:
        if not sys.argv[1:] or path.stem[:2] in sys.argv[1:]:
            notebook = read(path)
            whole = of_chapter(notebook)
            print(
                f"{path.stem}: {whole.minutes:.0f} minutes, sittings {[round(each) for each in sittings(notebook)]}"
            )
            for heading, part in {**of_sections(notebook), "the main line": whole}.items():
                print(f"  {part.minutes:5.1f}  {heading[:44]:44}  {part}")
