"""Make the pictures of the chapters: `python tools/draw.py`. Needs Chromium (extra `dev`).

Each is a file of SVG in tools/pictures/, and is shown as a PNG from notebooks/images/, since pages that show notebooks
without running them have not always shown files of SVG. The PNG has the checksum of the SVG that it was made from.
"""

import hashlib
import io
import re
import sys
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

ROOT = Path(__file__).resolve().parent.parent
DRAWINGS = sorted((ROOT / "tools" / "pictures").glob("*.svg"))
FOLDER = ROOT / "notebooks" / "images"
KEY = "drawing"


def checksum(drawing: Path) -> str:
    """Return the checksum of a drawing."""
    return hashlib.sha256(drawing.read_bytes()).hexdigest()


def noted(picture: Path) -> str:
    """Return the checksum that stands in a file of PNG, or ""."""
    with Image.open(picture) as image:
        image.load()  # the text may stand at the end
        return image.info.get(KEY, "")


def main() -> None:
    """Write each picture whose drawing has changed, twice as large as it is shown."""
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, str(ROOT / "tests" / "browser"))
    from jupyter import chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(device_scale_factor=2)
        for drawing in DRAWINGS:
            file, svg = FOLDER / f"{drawing.stem}.png", drawing.read_text(encoding="utf-8")
            if file.exists() and noted(file) == checksum(drawing):
                continue
            width, height = map(int, re.findall(r'(?:width|height)="(\d+)"', svg)[:2])
            page.set_viewport_size({"width": width, "height": height})
            page.set_content(f'<body style="margin:0">{svg}</body>')
            info = PngInfo()
            info.add_text(KEY, checksum(drawing))
            shot = page.locator("svg").screenshot(omit_background=True)
            Image.open(io.BytesIO(shot)).save(file, pnginfo=info, optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
