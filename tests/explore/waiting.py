"""One lock made of cas, and handlers that wait for it and touch modules and objects on the way.

What they touch keeps nothing for them: members of enumerations, texts of JSON, patterns, copies, and counters that
nobody reads.
"""

import copy
import enum
import json
import re

from exactly_once.lockfree import progress

FREE = re.compile("free.*")


class Held(enum.Enum):
    """Whether the lock is held."""

    FREE = "free"
    MINE = "mine"


class Number(enum.IntEnum):
    """The same in numbers."""

    FREE = 0
    MINE = 1


def works(node, version, free=""):
    """Do what one node does at a time, and free the lock."""
    node.output.push("in")
    node.output.push("out")
    node.registers.cas("lock", version + 1, free)


def plainly(node):
    while True:
        version, held = node.registers.read("lock")
        if not held and node.registers.cas("lock", version, "mine"):
            break
    works(node, version)


def with_an_enumeration(node):
    state = Held.FREE
    while state is not Held.MINE:
        version, held = node.registers.read("lock")
        if Held(held or "free") is Held.FREE and node.registers.cas("lock", version, Held.MINE.value):
            state = Held.MINE
    works(node, version, Held.FREE.value)


def with_numbers(node):
    state = Number.FREE
    while state != Number.MINE:
        version, held = node.registers.read("lock")
        match Number(held or 0):
            case Number.FREE if node.registers.cas("lock", version, int(Number.MINE)):
                state = Number.MINE
    works(node, version, Number.FREE.value)


def with_json(node):
    while True:
        version, held = node.registers.read("lock")
        if not json.loads(held or "{}").get("held") and node.registers.cas("lock", version, json.dumps({"held": 1})):
            break
    works(node, version, json.dumps({}))


def with_patterns(node):
    while True:
        version, held = node.registers.read("lock")
        found = FREE.match(held or "free")
        if found and re.match("f(r)", held or "free") and node.registers.cas("lock", version, "mine"):
            break
    works(node, version, "free again")


def with_copies(node):
    free = {"held": False}
    while True:
        version, held = node.registers.read("lock")
        mine = copy.deepcopy(held or free)
        if not mine["held"]:
            mine["held"] = True
            if node.registers.cas("lock", version, mine):
                break
    works(node, version, copy.copy(free))


class Client:
    """Counts how often it looked, for nobody."""

    def __init__(self, node):
        self.node, self.tries = node, 0

    def lock(self):
        """Take the lock."""
        while True:
            self.tries += 1
            version, held = self.node.registers.read("lock")
            if not held and self.node.registers.cas("lock", version, "mine"):
                return version


def with_an_attribute_that_counts(node):
    works(node, Client(node).lock())


def by_its_module(node):
    progress.reserving(node)


def by_its_name(node, reserving=progress.reserving):
    reserving(node)
