"""Writes the pictures of the chapters: `python -m tools.pictures`. Needs Chromium (extra `dev`).

They are files of PNG, since pages that show notebooks without running them have not always shown files of SVG.
"""

from .files import write

if __name__ == "__main__":
    write()
