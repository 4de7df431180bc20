"""The course as pages for a browser without a kernel."""


def slug(heading: str) -> str:
    """Return the anchor of a heading as JupyterLab makes it, for which the links are written: a dash for each space."""
    return heading.replace(" ", "-")
