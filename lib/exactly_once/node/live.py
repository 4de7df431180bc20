"""Living one life: the handler is called once, and how it ended is told in one word."""

import contextlib
import inspect
import traceback

from ..errors import BadInput, OutcomeUnknown
from .life import InputsEnded, Life, TooManySteps
from .node import Node


def live(world, handler):
    """Call `handler` for one new life in `world`. Returns (ending, text).

    "ended": its inputs have ended or it was stopped. "gave up": it let `OutcomeUnknown` pass, and the next life takes
    over. "raised": it failed by itself, or called `sys.exit`; the text is its own traceback. A life that is killed
    does not return.
    """
    life = Life(world, handler)
    try:
        with contextlib.suppress(InputsEnded):
            handler(Node(life))
        life.close_output()
    except InputsEnded:  # the run was stopped
        pass
    except OutcomeUnknown as why:
        life.give_up(f"gave up: {why}")
        return "gave up", str(why)
    except (*world.signals, TooManySteps):
        raise
    except BaseException as why:  # noqa: BLE001 - whatever a learner's code raises is shown to the learner
        life.finish("raised", _in_one_line(why))
        return "raised", own_traceback(why)
    life.finish("ends", "stopped" if world.stopped() else "inputs ended")
    return "ended", None


def checked_handler(handler):
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
            f"the node: {why}."
        ) from None
    except ValueError:
        pass  # a callable without a signature: calling it will tell
    return handler


def own_traceback(why):
    """Return the traceback of an error from the handler's own frames on, without ours around them."""
    frames = traceback.extract_tb(why.__traceback__)
    shown = traceback.StackSummary.from_list(frames[1:] or frames)
    try:
        last = "".join(traceback.format_exception_only(why))
    except Exception:  # noqa: BLE001 - the error is of a class of the learner's own
        last = f"{_in_one_line(why)}\n"
    return "Traceback (most recent call last):\n" + "".join(shown.format()) + last


def _in_one_line(why):
    """Return the class and the text of an error, whose class may fail to give one."""
    try:
        return f"{type(why).__name__}: {why}"
    except Exception as failure:  # noqa: BLE001 - the error is of a class of the learner's own
        return f"{type(why).__name__}, whose text cannot be had: {type(failure).__name__}"
