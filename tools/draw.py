"""Make the pictures of the chapters: `python tools/draw.py`. Needs Chromium (extra `dev`).

Each is a file of SVG in tools/pictures/, and is shown as a PNG from notebooks/images/, since pages that show notebooks
without running them have not always shown files of SVG. The PNG has the checksum of the SVG that it was made from.
"""

import hashlib
import re
import struct
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DRAWINGS = sorted((ROOT / "tools" / "pictures").glob("*.svg"))
FOLDER = ROOT / "notebooks" / "images"
KEY = b"drawing\0"


def checksum(drawing: Path) -> str:
    """Return the checksum of a drawing."""
    return hashlib.sha256(drawing.read_bytes()).hexdigest()


def noted(picture: bytes) -> str:
    """Return the checksum that stands in a file of PNG, or ""."""
    _, found, rest = picture.partition(b"tEXt" + KEY)
    return rest[:64].decode() if found else ""


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
            if file.exists() and noted(file.read_bytes()) == checksum(drawing):
                continue
            width, height = map(int, re.findall(r'(?:width|height)="(\d+)"', svg)[:2])
            page.set_viewport_size({"width": width, "height": height})
            page.set_content(f'<body style="margin:0">{svg}</body>')
            file.write_bytes(_with_checksum(page.locator("svg").screenshot(omit_background=True), checksum(drawing)))
        browser.close()


def _with_checksum(picture: bytes, said: str) -> bytes:
    """Put a chunk of text before the last chunk of a PNG. After the PNG specification, section 11.3.3.2."""
    text = b"tEXt" + KEY + said.encode()
    chunk = struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text))
    return picture[:-12] + chunk + picture[-12:]


if __name__ == "__main__":
    main()
