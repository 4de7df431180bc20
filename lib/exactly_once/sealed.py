"""Tokens: short texts that can be pasted, with a check at their end that every slip of the keyboard changes."""

LONGEST = 100_000  # characters of a token
_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_PRIME = 1_048_573  # the largest below 32**4, what four characters can say


def sealed(head: str) -> str:
    """Return a token: `head`, a text that begins with the name of its format, and a check behind a dash."""
    return f"{head}-{_check(head)}"


def unsealed(token: str) -> str | None:
    """Return the head of a token, or None for a text that is too long, or whose check does not fit."""
    head, _, check = token.rpartition("-")
    return head if len(token) <= LONGEST and check.upper() == _check(head) else None


def shown(token: object) -> str:
    """Return a token as an error quotes it."""
    text = str(token)
    return repr(text if len(text) <= 60 else text[:57] + "…")


def _check(head: str) -> str:
    """Return four characters that change with every single mistyped character of the head, and with every two
    swapped.

    The head's characters are the digits of a number, taken modulo a prime: one digit more or less by anything below
    the prime never leaves the remainder as it was.
    """
    number = 0
    for character in head:
        number = (number * 1_009 + ord(character)) % _PRIME
    digits = []
    for _ in range(4):
        number, digit = divmod(number, 32)
        digits.append(_ALPHABET[digit])
    return "".join(digits)
