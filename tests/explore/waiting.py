"""One lock made of cas, and handlers that wait for it and touch modules and objects on the way.

What they touch keeps nothing for them: texts of JSON, and copies.
"""

import copy
import json

from exactly_once.lockfree import progress


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


def with_json(node):
    while True:
        version, held = node.registers.read("lock")
        if not json.loads(held or "{}").get("held") and node.registers.cas("lock", version, json.dumps({"held": 1})):
            break
    works(node, version, json.dumps({}))


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


def by_its_module(node):
    progress.reserving(node)


def by_its_name(node, reserving=progress.reserving):
    reserving(node)
