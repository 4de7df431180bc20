"""`with_servers(function)`: call a function with the real servers that its arguments name, if they can be had.

seen = with_servers(broker_dies)  # def broker_dies(kafka): …
question.reveal(it_did=seen)
"""

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from ...errors import CourseError, Missing, missing
from ...servers.by_url import STARTED
from ...show.base.picture import marked

CLIENTS = {"kafka": "confluent_kafka", "postgresql": "psycopg"}  # the package of a server's client
GOES_ON = "The chapter goes on without it."


class Lacking:
    """What stands for a result where a server is missing: its sentence. All that is asked of it is lacking, too."""

    def __init__(self, why: Exception) -> None:
        self.sentence = f"{why} {GOES_ON}"

    def __getattr__(self, name: str) -> "Lacking":
        if name.startswith("_"):  # Python's and IPython's own questions
            raise AttributeError(name)
        return self

    def __call__(self, *_: object, **__: object) -> "Lacking":
        return self

    def __getitem__(self, _: object) -> "Lacking":
        return self

    def __bool__(self) -> bool:
        return False

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __repr__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        return f"<p>{marked(self.sentence)}</p>"


def with_servers(function: Callable[..., Any]) -> Any:
    """Call a function with the running servers that its arguments name: kafka, postgresql, etcd.

    Returns its result; where a server is missing, a `Lacking`, which says what is missing, and how to get it.
    """
    found = {}
    try:
        for name in inspect.signature(function).parameters:
            if name in STARTED:
                found[name] = _server(name)
    except (CourseError, Missing) as why:
        return Lacking(why)
    return function(**found)


def _server(name: str) -> Any:
    """Return the server of this process. Raises `CourseError` or `Missing` where it cannot be had."""
    try:
        if name in CLIENTS:
            import_module(CLIENTS[name])
    except ModuleNotFoundError as why:
        raise missing(why.name) or why from None
    return STARTED[name].shared()
