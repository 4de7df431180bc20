"""Tell whether lines are the learner's own: a call of the library's version does not fill a gap."""

import functools
import types


def borrowed(answer, refused):
    """Return the name of the first of the functions `refused` that an answer is or uses, or None.

    It looks through partial functions, methods, classes, and the learner's own helpers that the answer calls.
    """
    seen, waiting = set(), [answer]
    names = {function.__name__: function for function in refused}
    while waiting:
        thing = waiting.pop()
        for function in refused:
            if thing is function:
                return function.__name__
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, functools.partial):
            waiting += [thing.func, *thing.args, *thing.keywords.values()]
        elif isinstance(thing, types.MethodType):
            waiting.append(thing.__func__)
        elif isinstance(thing, (list, tuple)):
            waiting += thing
        elif isinstance(thing, dict):
            waiting += thing.values()
        elif isinstance(thing, type) and not _is_librarys(thing):
            waiting += vars(thing).values()
        elif isinstance(thing, (staticmethod, classmethod)):
            waiting.append(thing.__func__)
        elif isinstance(thing, types.FunctionType) and not _is_librarys(thing):
            used = _names(thing.__code__)
            found = globals_used(thing)
            borrowed_names = sorted(used & names.keys() - found.keys())
            if borrowed_names:  # imported in the function itself, or an attribute of a module
                return borrowed_names[0]
            waiting += [*found.values(), *_closed_over(thing), getattr(thing, "__wrapped__", None)]
            waiting += [*(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values()]
    return None


def globals_used(thing):
    """Return the global names that a function, or a class by its methods, uses, with what they stand for."""
    functions = (
        [each for each in vars(thing).values() if isinstance(each, types.FunctionType)]
        if isinstance(thing, type)
        else [thing]
    )
    return {
        name: each.__globals__[name]
        for each in functions
        for name in _names(each.__code__)
        if name in each.__globals__
    }


def _is_librarys(thing):
    return str(getattr(thing, "__module__", "")).startswith("exactly_once.")


def _names(code):
    """Return the names that a piece of code uses, with those of the functions that it defines."""
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def _closed_over(function):
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not assigned yet
            continue
