"""Stores chosen by URL: the course starts a server for `postgresql:`, `etcd:` or `kafka:`; longer URLs name others.

A run's stores are chosen by a text such as "postgresql:" for all of them, or "etcd:,postgresql:" with the database's
last. `sqlite:` is a file in the run's folder.
"""

import importlib
import re
import secrets
from collections.abc import Iterator

from ..errors import BadInput, missing
from ..stores.interface import Store
from . import kinds
from .kafka import Kafka
from .process import Server

SQLITE = "sqlite:"
STARTED: dict[str, type[Server]] = {"postgresql": kinds.PostgreSQL, "etcd": kinds.Etcd, "kafka": Kafka}
FORMS = (
    "sqlite:, postgresql:, etcd:, kafka:, postgresql://user@host/database, etcd://user@host:port or "
    "kafka://user@host:port"
)
OPENERS = {  # the module and its function that opens a store: imported when it is asked for, one from above
    "postgresql": ("exactly_once.servers.postgresql", "PostgreSQLStore"),
    "etcd": ("exactly_once.servers.etcd", "EtcdStore"),
    "kafka": ("exactly_once.log.kafka.stores", "opened"),
}
PARTED = re.compile(r",(?=[a-z]+:(?://|,|$))")  # the members of an etcd cluster are parted by commas, too


def chosen(text: str) -> list[str]:
    """Return the URLs of the engine's store and of the database's that a text chooses; servers are started for it.

    Raises `BadInput` for another form, and `CourseError` when a server cannot be had.
    """
    if not isinstance(text, str):
        raise BadInput(f"The stores are {text!r}; give a text: {FORMS}.")
    urls = [*_urls(text)]
    return [urls[0], urls[-1]]


def _urls(text: str) -> Iterator[str]:
    parts = PARTED.split(text)
    if len(parts) > 2:
        raise BadInput(f"The stores are {text!r}; give one URL for all, or the engine's and the database's.")
    for part in parts:
        scheme, _, rest = part.partition(":")
        if part == SQLITE or (rest and scheme in STARTED):
            yield part
        elif part.removesuffix(":") in STARTED:
            yield STARTED[scheme].shared().url
        else:
            raise BadInput(f"A store's URL is {part!r}; give {FORMS}.")


def new_name() -> str:
    """Return a name for a run's stores on a server that others use as well."""
    return f"run_{secrets.token_hex(6)}"


def opened(url: str, name: str, where: str) -> Store:
    """Return the store called `name` on a server; `where` names its schema, its keys or its topic there.

    Raises `Missing` where the server's client is not installed.
    """
    module, opener = OPENERS[url.partition(":")[0]]
    try:
        return getattr(importlib.import_module(module), opener)(url, name, where)
    except ModuleNotFoundError as why:
        raise missing(why.name) or why from None
