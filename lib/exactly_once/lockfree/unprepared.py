"""The general form without PREPARING: it computes, writes, and then saves its positions, as most handlers do.

Outputs are pushed wherever their queues have room, and then the machine moves on, in one step. An incarnation that
dies, or a twin that comes, between the two pushes them again.
"""

from collections.abc import Callable
from typing import Any

from ..node import Node
from ..node.node import Handler
from ..node.program import renamed, runs_as
from ..node.world import QUEUES
from .general import HANDLING, PREPARING, Form, Function, compute, drive, general
from .queue import Queue


def unprepared(function: Function, **settings: Any) -> Handler:
    """Return the handler that `general` makes of a function and settings, without its PREPARING."""
    right: Any = general(function, **settings)
    machine = right.runs_as["machine"]
    form = Form(settings.get("first"), right.runs_as["feeds"], right.__name__, machine, settings.get("batch", 1))

    @runs_as(**right.runs_as)
    def handler(node: Node) -> None:
        drive(node, function, form, push_and_go_on)

    return renamed(handler, f"{right.__name__}, unprepared")


def push_and_go_on(node: Node, function: Callable, form: Form) -> bool:
    """Handle the machine's next input: push its outputs, then move the machine on. Returns True at the end."""
    (store, part), registers = form.machine, node.store
    version, stage = registers(store).read(part)
    _, state, positions = stage or form.beginning(node)
    if not node.running(positions):
        return True
    kind, state, positions, *rest = compute(node, function, form, state, positions)
    for queue, message in rest[0] if kind == PREPARING else ():
        Queue(node.store(QUEUES), queue).push(message)
    registers(store).cas(part, version, [HANDLING, state, positions])
    return False
