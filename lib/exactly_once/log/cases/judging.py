"""Compare the results of a case's steps with the expected ones."""

from dataclasses import dataclass, replace

from ...errors import BadInput
from ..errors import LogError
from .reading import ANY, PROTOCOLS

FIELD_OF = {  # what an expectation with a name of its own is compared with
    "partition_in": "partition",
    "same_partition_as_step": "partition",
    "pid_same_as": "pid",
    "pid_differs_from": "pid",
    "epoch_greater_than": "epoch",
}
INPUT = "INVALID_REQUEST"  # what Kafka calls a request that makes no sense


@dataclass(frozen=True)
class Finding:
    """How a case went: "passed", "failed" or "skipped", and why."""

    case: str
    outcome: str
    reason: str = ""

    def __str__(self):
        return f"{self.outcome.upper():7} {self.case}{': ' if self.reason else ''}{self.reason}"


def why_not(case, driver):
    """Return why a driver cannot run a case, or None: only a missing ability counts."""
    missing = [ability for ability in case["requires"] if ability not in driver.ABILITIES]
    if missing:
        return f"it requires {', '.join(missing)}, which this log does not have"
    return None


def protocols(case):
    """Return the transaction protocols that a case is for: "1", "2" or both."""
    return PROTOCOLS[:-1] if case["tv"] == ANY else (case["tv"],)


def run_with_each_protocol(case, make):
    """Run one case with each protocol that it is for. Returns a `Finding`: the first failure, if there is one."""
    for protocol in protocols(case):
        found = run_case(case, lambda one, protocol=protocol: make(one, protocol=protocol))
        if found.outcome != "passed":
            return replace(found, reason=f"transaction protocol {protocol}, {found.reason}")
    return found


def run_case(case, make):
    """Run one case on a driver of its own, which `make(case)` makes. Returns a `Finding`."""
    expected = {}
    for entry in case["expect"]:
        expected.setdefault(entry["step"], {}).update(entry)
    driver, answers = make(case), []
    try:
        for number, step in enumerate(case["given"]):
            names = dict(driver.names)  # what an answer is compared with, though it may take the same name
            seen = _answer(driver, step)
            answers.append(seen)
            if step.get("ack_lost"):
                continue
            try:
                complaint = _complaint(expected.get(number, {}), seen, answers, names, driver)
            except BadInput as why:  # the expectation itself makes no sense
                complaint = str(why)
            if complaint:
                return Finding(case["id"], "failed", f"step {number}, {step['op']}: {complaint}")
    finally:
        driver.close()
    return Finding(case["id"], "passed")


def _answer(driver, step):
    try:
        return driver.do(step)
    except LogError as why:
        return {"error": why.kafka, "because": str(why)}
    except BadInput as why:
        return {"error": INPUT, "because": str(why)}


def _complaint(expected, seen, answers, names, driver):
    """Describe the error in a step's answer, or return None."""
    if "error" in expected:
        wanted = expected["error"] if isinstance(expected["error"], list) else [expected["error"]]
        if seen.get("error") in wanted:
            return None
        return f"expected {' or '.join(map(str, wanted))}, seen {_shown(seen)}"
    if "error" in seen:
        wanted = {name: value for name, value in expected.items() if name != "step"} or "success"
        return f"expected {wanted}, seen {_shown(seen)}"
    for name, value in expected.items():
        field = FIELD_OF.get(name, name)
        if name != "step" and (field not in seen or not _holds(name, value, seen, answers, names, driver)):
            return f"expected {name} {value!r}, seen {_shown({field: seen[field]} if field in seen else seen)}"
    return None


def _holds(name, value, seen, answers, names, driver):
    if name == "partition_in":
        return seen["partition"] in value
    if name == "same_partition_as_step":
        return seen["partition"] == answers[value].get("partition")
    if name in ("pid_same_as", "pid_differs_from"):
        return (seen["pid"] == _named(names, value)[0]) == (name == "pid_same_as")
    if name == "epoch_greater_than":
        return seen["epoch"] > (_named(names, value)[1] if isinstance(value, str) else value)
    if name == "aborted":
        return sorted(seen[name]) == sorted([driver.producer_named(producer), first] for producer, first in value)
    return name in seen and seen[name] == value and type(seen[name]) is type(value)


def _named(names, name):
    if name.removeprefix("$") not in names:
        raise BadInput(f"{name!r} stands for no producer; the names so far are {', '.join(names) or 'none'}.")
    return names[name.removeprefix("$")]


def _shown(seen):
    if "error" in seen:
        return f"{seen['error']} ({seen['because']})"
    return ", ".join(f"{name} {value!r}" for name, value in seen.items()) or "success"
