"""Cases for a Kafka-like broker: small scripts in JSON, each with what the broker answers.

A case has an `id`, the abilities that it `requires` of a driver, the protocol `tv` that it is for, a `setup`, the
steps `given`, and what is to be `expect`ed of them.
"""

import json
from pathlib import Path
from typing import NamedTuple

from exactly_once.errors import BadInput
from exactly_once.log import LogError

OURS = Path(__file__).with_name("cases.json")
OTHERS = "EXACTLY_ONCE_CASES"  # names a file of further cases
ANY = "any"
PROTOCOLS = ("1", "2")
FIELD_OF = {  # what an expectation with a name of its own is compared with
    "partition_in": "partition",
    "same_partition_as_step": "partition",
    "pid_same_as": "pid",
    "pid_differs_from": "pid",
    "epoch_greater_than": "epoch",
}
INPUT = "INVALID_REQUEST"  # what Kafka calls a request that makes no sense


class Finding(NamedTuple):
    """How a case went: "passed", "failed" or "skipped", and why."""

    case: str
    outcome: str
    reason: str = ""


def read_cases(path):
    """Return the cases of a file, with what is left out in them."""
    cases = json.loads(Path(path).read_text())
    assert len({case["id"] for case in cases}) == len(cases) > 0
    return [{"requires": [], "setup": {}, "tv": ANY} | case for case in cases]


def why_not(case, driver):
    """Return why a driver cannot run a case, or None: only a missing ability counts."""
    missing = set(case["requires"]) - driver.ABILITIES
    return f"it requires {', '.join(sorted(missing))}" if missing else None


def protocols(case):
    """Return the transaction protocols that a case is for: "1", "2" or both."""
    return PROTOCOLS if case["tv"] == ANY else (case["tv"],)


def run_cases(cases, make):
    """Return a `Finding` for each case and protocol; `make(case, protocol)` makes a driver of its own."""
    found = []
    for case in cases:
        for protocol in protocols(case):
            driver = make(case, protocol)
            reason = why_not(case, driver)
            found.append(Finding(case["id"], "skipped", reason) if reason else run_case(case, driver))
            driver.close()
    return found


def run_case(case, driver):
    """Run a case on a driver. Returns a `Finding`."""
    expected = {}
    for entry in case["expect"]:
        expected.setdefault(entry["step"], {}).update(entry)
    answers = []
    for number, step in enumerate(case["given"]):
        names = dict(driver.names)  # what an answer is compared with, though it may take the same name
        seen = _answer(driver, step)
        answers.append(seen)
        wanted = {name: value for name, value in expected.get(number, {}).items() if name != "step"}
        complaint = None if step.get("ack_lost") else _complaint(wanted, seen, answers, names, driver)
        if complaint:
            return Finding(case["id"], "failed", f"step {number}, {step['op']}: {complaint}")
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
        return None if seen.get("error") in wanted else f"expected {wanted}, seen {_shown(seen)}"
    if "error" in seen:
        return f"expected {expected or 'success'}, seen {_shown(seen)}"
    for name, value in expected.items():
        field = FIELD_OF.get(name, name)
        if field not in seen or not _holds(name, value, seen, answers, names, driver):
            return f"expected {name} {value!r}, seen {_shown({field: seen[field]} if field in seen else seen)}"
    return None


def _holds(name, value, seen, answers, names, driver):
    if name == "partition_in":
        return seen["partition"] in value
    if name == "same_partition_as_step":
        return seen["partition"] == answers[value]["partition"]
    if name in ("pid_same_as", "pid_differs_from"):
        return (seen["pid"] == names[value.removeprefix("$")][0]) == (name == "pid_same_as")
    if name == "epoch_greater_than":
        return seen["epoch"] > (names[value.removeprefix("$")][1] if isinstance(value, str) else value)
    if name == "aborted":
        return sorted(seen[name]) == sorted([driver.producer(whose), first] for whose, first in value)
    return seen[name] == value and type(seen[name]) is type(value)


def _shown(seen):
    if "error" in seen:
        return f"{seen['error']} ({seen['because']})"
    return ", ".join(f"{name} {value!r}" for name, value in seen.items()) or "success"
