"""The abstract transactional store as a part of a store, so that a handler can be proved over it in place of the
protocol.
"""

import json
from typing import Any, NamedTuple

from ...stores.codec import Value, decode, describe, encode
from ...stores.operations import Acted, Kind, Operation, register, register_kind
from .abstract import DONE, FENCED, Store, commit, init, may_load

KIND, PART = "transactions", "transactions"


class Content(NamedTuple):
    """The stored content: the abstract store, the number of the next owner, and whether the store fences."""

    store: Store
    next: int = 1
    fences: bool = True


def _opened(content: Any) -> Content:
    if content is None:
        return Content(Store())
    committed, owner, following, fences = json.loads(content)
    return Content(Store(tuple(committed), owner), following, fences)


def _text(found: Content) -> str:
    return json.dumps([found.store.committed, found.store.owner, found.next, found.fences], separators=(",", ":"))


def _begin(content: Any, fences: bool) -> Acted:
    return _text(_opened(content)._replace(fences=fences)), None, None


def _init(content: Any) -> Acted:
    found = _opened(content)
    store, _ = init(found.store, found.next)
    return _text(found._replace(store=store, next=found.next + 1)), found.next, found.next


def _may_load(content: Any, who: int) -> Acted:
    found = may_load(_opened(content).store, who)
    return content, [None if one is None else decode(one) for one in found], None


def _said(found: Any) -> str:
    return "what may be old" if found[1:] else "none" if found[0] is None else "the last transaction"


def _commit(content: Any, who: int, transaction: Value) -> Acted:
    found = _opened(content)
    store = found.store if found.fences else found.store._replace(owner=who)
    after, answer = commit(store, who, encode(transaction))
    noted = transaction if after != store else None
    return (_text(found._replace(store=after)) if answer == DONE else content), answer, noted


def _seen(content: Any) -> list[Value]:
    """Return the committed transactions, in order."""
    return [decode(one) for one in _opened(content).store.committed]


register_kind(KIND, Kind(None, _seen))
for _operation in (
    Operation("begin_transactions", KIND, ("fences",), "make the store", _begin),
    Operation("let_in", KIND, (), "let somebody in, and fence all before", _init, answered=describe),
    Operation("may_load", KIND, ("who",), "return the transactions of which one is loaded", _may_load, reads=True,
              answered=_said),
    Operation("commit_whole", KIND, ("who", "transaction"), "commit a transaction at one moment", _commit,
              answered=lambda answer: "refused: fenced" if answer == FENCED else answer,
              noted_text=lambda noted: "nothing" if noted is None else "committed"),
):  # fmt: skip
    register(_operation)
