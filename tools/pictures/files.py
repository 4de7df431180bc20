"""The files of the pictures: PNG, with the checksum of the drawing that each was made from."""

import hashlib
import struct
import zlib
from pathlib import Path

from . import OTHERS, SCENES, svg
from .marks import HEIGHT, WIDTH

FOLDER = Path(__file__).parents[2] / "notebooks" / "images"
KEY = b"drawing\0"


def checksum(name: str) -> str:
    """Return the checksum of a drawing."""
    return hashlib.sha256(svg(name).encode()).hexdigest()


def noted(picture: bytes) -> str:
    """Return the checksum that stands in a file of PNG, or ""."""
    _, found, rest = picture.partition(b"tEXt" + KEY)
    return rest[:64].decode() if found else ""


def write() -> None:
    """Write each picture that has changed into notebooks/images/, twice as large as it is shown. Needs Chromium."""
    from playwright.sync_api import sync_playwright

    from tests.browser.jupyter import chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=2)
        for name in (*SCENES, *OTHERS):
            file = FOLDER / f"{name}.png"
            if file.exists() and noted(file.read_bytes()) == checksum(name):
                continue
            page.set_content(f'<body style="margin:0">{svg(name)}</body>')
            picture = page.locator("svg").screenshot(omit_background=True)
            file.write_bytes(_with_checksum(picture, checksum(name)))
        browser.close()


def _with_checksum(picture: bytes, said: str) -> bytes:
    """Put a chunk of text before the last chunk of a PNG. After the PNG specification, section 11.3.3.2."""
    text = b"tEXt" + KEY + said.encode()
    chunk = struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text))
    return picture[:-12] + chunk + picture[-12:]
