"""Until chapters 09, 10 and 11 have their rooms: the accounts are in `chapters.ch08.bank`."""

from ...chapters.ch08.bank import Accounts, accounts

__all__ = ["Accounts", "accounts"]
