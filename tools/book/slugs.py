"""The anchor of a heading, as JupyterLab makes it: the notebooks' links are written for that."""


def slug(heading: str) -> str:
    """Return the anchor of a heading: a dash for each space."""
    return heading.replace(" ", "-")
