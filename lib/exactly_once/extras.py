"""The packages that only a part of the library needs, and the line of pip that brings them.

`prove`, `crash`, `report` and `clocks` need none of them: see `dependencies` in `pyproject.toml`.
"""

from importlib.util import find_spec

EXTRAS = {  # as in pyproject.toml: who needs these modules, and the modules
    "lab": (
        "The notebooks, their widgets and their pictures need",
        "anywidget ipykernel IPython ipywidgets jupyter_core jupyter_server jupyterlab nbformat".split()
        + "pandas tornado traitlets zmq".split(),
    ),
    "spark": ("The Spark cluster needs", "numpy pandas py4j pyarrow pyspark".split()),
    "servers": ("The clients of real servers need", ["confluent_kafka", "psycopg"]),
}


class Missing(ModuleNotFoundError):
    """A package is not installed that a part of the library needs; the message has the line that installs it."""


def line_for(extra: str) -> str:
    """Return the line of pip that installs an extra beside what is installed."""
    return f"pip install 'exactly-once[{extra}]'"


def missing(module: str | None, extra: str | None = None) -> Missing | None:
    """Return the error to raise in place of one that names this module; None for a module of no extra.

    `extra` says which one it is for, where two have the module.
    """
    name = (module or "").partition(".")[0]
    for known, (who, modules) in EXTRAS.items():
        if name in modules and extra in (None, known):
            return Missing(f"{who} {name}, which is not installed here. Install it: {line_for(known)}", name=name)
    return None


def here(extra: str) -> bool:
    """Tell whether all modules of an extra are installed."""
    return all(find_spec(module) for module in EXTRAS[extra][1])


def needed(extra: str, *modules: str) -> None:
    """Raise `Missing` for the first of these modules of an extra that is not installed. Imports none of them."""
    for module in modules:
        if find_spec(module) is None:
            raise missing(module, extra) or ModuleNotFoundError(module)
