import contextlib

from exactly_once.errors import OutcomeUnknown

REASON = "one call is enough"  # right when the first request is lost


def answer(increment):
    with contextlib.suppress(OutcomeUnknown):
        increment()
    increment()
