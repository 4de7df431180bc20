"""The exercises of chapter 04: what crashes leave, and handlers that leave less."""

from . import least_damage, plan, predict, rules

TASKS = {
    "04a": predict.TASK,
    "04b": least_damage.TASK,
    "04c": rules.KEYED,
    "04d": rules.LOSING,
    "04e": plan.TASK,
}
