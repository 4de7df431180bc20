"""Living one incarnation: the handler is called once, and how it ended is told in one word."""

import contextlib
import inspect
import os
import traceback
from typing import Literal, TypeAlias

from ..errors import BadInput, OutcomeUnknown, by_cell, cut, in_one_line, printable
from ..log.errors import LogError
from .life import InputsEnded, Life, TooManySteps
from .node import Handler, Node
from .world import World

Ending: TypeAlias = Literal["ended", "gave up", "raised"]

PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep
MOST_FRAMES = 40  # of a traceback: more are of a recursion without end


def live(world: World, handler: Handler) -> tuple[Ending, str | None]:
    """Call `handler` for one new incarnation in `world`. Returns (ending, text).

    "ended": its inputs have ended or it was stopped. "gave up": it let `OutcomeUnknown` pass, or a `LogError` that is
    fatal, and the next incarnation takes over. "raised": it failed by itself, or called `sys.exit`; the text is its
    own traceback. An incarnation that is killed does not return.
    """
    life, failure = Life(world, handler), None
    try:
        with contextlib.suppress(InputsEnded):
            handler(Node(life))
        if life.refusal is None:
            life.close_output()
    except InputsEnded:  # the run was stopped
        pass
    except TooManySteps:
        raise
    except world.signals:
        raise
    except BaseException as why:  # noqa: BLE001 - every exception of a learner's code is shown to the learner
        failure = why
    # A step from another thread is never right, even if the refusal there was caught.
    failure = life.refusal or failure
    if isinstance(failure, OutcomeUnknown) or (isinstance(failure, LogError) and failure.fatal):
        text = in_one_line(failure).removeprefix("OutcomeUnknown: ")
        life.give_up(f"gave up: {text}")
        return "gave up", text
    if failure is not None:
        life.finish("raised", in_one_line(failure))
        return "raised", own_traceback(failure)
    life.finish("ends", "stopped" if world.stopped() else "inputs ended")
    return "ended", None


def checked_handler(handler: Handler) -> Handler:
    """Return `handler` if it is a function of one argument. Raises `BadInput` for anything else."""
    if not callable(handler):
        raise BadInput(f"The handler is {handler!r}; give a function of one argument, the node.")
    body = inspect.unwrap(getattr(handler, "func", handler))
    for function in (body, getattr(body, "__call__", None)):  # noqa: B004 - an object's method, not whether there is one
        if any(
            kind(function)
            for kind in (inspect.isgeneratorfunction, inspect.iscoroutinefunction, inspect.isasyncgenfunction)
        ):
            raise BadInput(
                f"The handler {getattr(body, '__name__', handler)!r} is a generator or a coroutine: calling it "
                "runs nothing. Write it as a plain function, without `yield` and `async`."
            )
    try:
        inspect.signature(handler).bind(None)
    except TypeError as why:
        raise BadInput(
            f"The handler {getattr(handler, '__name__', handler)!r} cannot be called with one argument, "
            f"the node: {why}. A pure function of a state and inputs is made a handler by `general`; on the command "
            "line add --pure."
        ) from None
    except ValueError:
        pass  # a callable without a signature: calling it will tell
    return handler


def own_traceback(why: BaseException) -> str:
    """Return the traceback of an error with the handler's own frames; with ours, without those around it, if it is
    ours."""
    frames = traceback.extract_tb(why.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(PACKAGE)] or [
        frame for frame in frames if frame.filename != __file__
    ]
    shown = traceback.StackSummary.from_list(own or frames).format()
    if len(shown) > MOST_FRAMES:
        half = MOST_FRAMES // 2
        shown[half:-half] = [f"  … {len(shown) - 2 * half} more frames …\n"]
    try:
        str(why)
        last = "".join(traceback.format_exception_only(why))
    except BaseException:  # noqa: BLE001 - the error is of a class of the learner's own
        last = in_one_line(why)
    last = cut(printable(last.rstrip("\n")))
    return f"Traceback (most recent call last):\n{by_cell(''.join(shown))}{last}\n"
