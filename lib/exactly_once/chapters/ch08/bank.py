"""Accounts in stores that exist before a run begins, for exercises of several chapters."""

from dataclasses import dataclass

from ...errors import BadInput
from ...node.source import Reader, Source
from ...stores.codec import decode, encode


def accounts(opened):
    """Return a source with accounts that exist before a run begins, each as (store, account, value of its cell)."""
    return Accounts(tuple((store, account, encode(value)) for store, account, value in opened))


@dataclass(frozen=True)
class Accounts(Source):
    """Accounts that exist before a run begins, as (store, account, text of a value). There is no input to read."""

    opened: tuple

    def start(self):
        """Return no positions: there is no stream."""
        return {}

    def size(self):
        """Return 0: there is nothing to read."""
        return 0

    def load_inputs(self, stores):
        """Open the accounts."""
        for store, account, text in self.opened:
            stores[store].prepare(account, "write", decode(text))

    def reader(self, life):
        """Return a new reader."""
        return _NothingToRead(life, self)


class _NothingToRead(Reader):
    """Ends at once."""

    def running(self, positions):
        """Tell that there is nothing to read."""
        return False

    def read(self, positions):
        """Refuse. Raises `BadInput`."""
        raise BadInput("There is nothing to read here: what is to be done, the function is told.")
