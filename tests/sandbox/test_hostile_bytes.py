"""A handler that writes where its process answers spoils its own result only, and is told so in a sentence."""

import contextlib
import os

import pytest

from exactly_once.handlers import at_least_once
from exactly_once.sandbox.pool import HandlerStuck, sandboxed


@pytest.mark.parametrize(
    "what", [b"x", b"hello, world", b"\0\0\0\1x", b"\0\0\0\0", b"\xff\xff\xff\xff" * 4, b"\0" * 70_000]
)
def test_bytes_in_the_pipe_of_the_child_get_a_sentence(what):
    def handler(node):
        for number in range(3, 4096):  # the pipe has the number that it had in the parent
            with contextlib.suppress(OSError):
                os.write(number, what)
        node.output.push(1)

    with pytest.raises(HandlerStuck, match="wrote to a file that it had not opened"):
        sandboxed(handler)
    assert sandboxed(at_least_once).exactly_once, "the next call works"


def test_a_pipe_that_is_closed_gets_a_sentence():
    def handler(node):
        os.closerange(3, 4096)

    with pytest.raises(HandlerStuck, match="ended"):
        sandboxed(handler)
    assert sandboxed(at_least_once).exactly_once
