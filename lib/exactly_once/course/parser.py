"""Command lines: one parser for all commands of the course. It needs nothing but Python itself."""

import argparse
from typing import NoReturn

from ..errors import LONGEST


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one sentence, without the usage before it."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and how to get help, and leave with status 2."""
        message = message if len(message) <= LONGEST else f"{message[:160]} … {message[-160:]}"
        self.exit(2, f"{self.prog}: {message}. Try: {self.prog} --help\n")
