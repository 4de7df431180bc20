"""The exercises' tasks: for each what to show, how to check, and hints from a nudge to nearly the solution.

A file holds one exercise, or two that share their rules; `TASKS` lists all by name.
"""

from . import least_damage, plan, predict, rules

TASKS = {
    "04a": predict.TASK,
    "04b": least_damage.TASK,
    "04c": rules.KEYED,
    "04d": rules.LOSING,
    "04e": plan.TASK,
}
