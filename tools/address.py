"""Write the addresses of the published course into README.md and docs/binder.md: `tools/address.py`.

They follow from one setting, `repository` in `[tool.exactly-once]` of pyproject.toml, such as "owner/name". As long
as that is empty, README.md has no badges, and docs/binder.md shows names to put in.
"""

import re
import tomllib

from exactly_once.paths import ROOT

BLOCK = re.compile(r"(<!-- addresses -->\n).*?(<!-- end of addresses -->)", re.DOTALL)
DEMO = "lab/tree/my-work/workshop/demo.ipynb"


def badges(repository: str) -> str:
    """Return the badges of a repository, as Markdown: the tests, the book, and Binder."""
    owner, _, name = repository.partition("/")
    at = f"https://github.com/{repository}/actions/workflows/check.yml"
    book = f"https://{owner.lower()}.github.io/{name}/"
    return f"[![tests]({at}/badge.svg)]({at}) [the book]({book}) {binder(repository)}"


def binder(repository: str) -> str:
    """Return Binder's badge of a repository, as Markdown; it opens the demo."""
    return f"[![Binder](https://mybinder.org/badge_logo.svg)](https://mybinder.org/v2/gh/{repository}/HEAD?urlpath={DEMO})"


def written(repository: str) -> dict[str, str]:
    """Return {file: its text with the addresses of a repository}; "" is none."""
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/binder.md")}
    inside = {
        "README.md": f"{badges(repository)}\n" if repository else "",
        "docs/binder.md": f"```\n{binder(repository or 'OWNER/REPOSITORY')}\n```\n",
    }
    return {
        name: BLOCK.sub(lambda found, name=name: f"{found[1]}{inside[name]}{found[2]}", text)
        for name, text in texts.items()
    }


def setting() -> str:
    """Return the setting."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return settings["tool"]["exactly-once"]["repository"]


if __name__ == "__main__":
    for file, words in written(setting()).items():
        (ROOT / file).write_text(words, encoding="utf-8")
