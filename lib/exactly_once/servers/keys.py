"""The keys of an etcd cluster as etcd's own clients see them, each with its three numbers."""

import json
from typing import Any, Literal, NamedTuple

from ..errors import one_of
from ..stores.codec import Value
from .etcd import PREFIX, Client, packed, unpacked

Target = Literal["VERSION", "CREATE", "MOD"]
FIELDS: dict[Target, str] = {"VERSION": "version", "CREATE": "create_revision", "MOD": "mod_revision"}


class Key(NamedTuple):
    """What etcd says of a key that is there. Source: mvccpb/kv.proto.

    `version` counts the changes since it was made; the revisions of its making and of its last change are numbers of
    the whole cluster's changes.
    """

    value: Value
    version: int
    create_revision: int
    mod_revision: int


class EtcdKeys:
    """The keys below "exactly-once/" of the cluster at a URL, as for `servers.etcd.Client`. Raises as that does."""

    def __init__(self, url: str) -> None:
        self.client = Client(url)

    def get(self, name: str) -> Key | None:
        """Return a key, or None where it is not there."""
        found = self.client.ask("kv/range", True, key=_key(name)).get("kvs", [])
        if not found:
            return None
        return Key(json.loads(unpacked(found[0]["value"])), *(int(found[0][field]) for field in FIELDS.values()))

    def put(self, name: str, value: Value) -> None:
        """Write a key, whatever is there."""
        self.client.ask("kv/put", key=_key(name), value=packed(json.dumps(value)))

    def delete(self, name: str) -> None:
        """Delete a key, if it is there."""
        self.client.ask("kv/deleterange", key=_key(name))

    def put_if(self, name: str, value: Value, target: Target, number: int) -> bool:
        """Write a key if its number `target` is this one, 0 for a key that is not there; return whether it was."""
        field = FIELDS[one_of("target", target, FIELDS)]
        guard: dict[str, Any] = {"key": _key(name), "target": target, "result": "EQUAL", field: str(number)}
        put = {"request_put": {"key": _key(name), "value": packed(json.dumps(value))}}
        return bool(self.client.ask("kv/txn", compare=[guard], success=[put]).get("succeeded"))

    def close(self) -> None:
        """Close the connection; the next request makes a new one."""
        self.client.close()


def _key(name: str) -> str:
    return packed(f"{PREFIX}{name}")
