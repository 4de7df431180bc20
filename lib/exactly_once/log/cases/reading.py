"""A file of cases, read and checked: a JSON list of scripts with what is expected of them."""

import json
from pathlib import Path

from ...errors import BadInput
from ...paths import file_named

OPERATIONS = {
    "init_producer": "",
    "add_partitions": "transactional_id pid epoch partitions",
    "append": "pid epoch first_seq values partition txn",
    "add_offsets": "transactional_id pid epoch group",
    "commit_offsets": "group offsets",
    "end_txn": "transactional_id pid epoch result",
    "fetch": "partition isolation",
    "fetch_offsets": "group partition",
    "describe_txn": "transactional_id",
    "restart": "mode",
    "advance_time": "ms",
    "markers": "mode",
    "write_marker": "pid epoch coordinator_epoch result partition",
    "replicate": "partition upto",
    "failover": "partition keep_upto",
    "isr": "partition size",
    "replica_append": "pid epoch first_seq values partition base_offset txn",
    "delete_records": "partition before",
    "preset_txn": "transactional_id as epoch last_epoch state",
    "partition_for": "num_partitions",
}
RESULTS = set(
    "offset duplicate records values end aborted error partition hash partition_in same_partition_as_step epoch "
    "pid_same_as pid_differs_from epoch_greater_than state".split()
)
PROTOCOLS = ("1", "2", "any")


def read_cases(path):
    """Return the cases of a file, as a list of dictionaries.

    Raises `BadInput`, with the file, the case and the field, for a file that holds no cases.
    """
    path = file_named("The file of cases", path)
    try:
        cases = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as why:
        raise BadInput(f"The file of cases {path} cannot be read ({why.strerror}); give the name of a file.") from None
    except ValueError as why:
        raise BadInput(f"The file of cases {path} is no JSON: {why}.") from None
    if not isinstance(cases, list) or not cases:
        raise BadInput(f"The file of cases {path} holds no list of cases; see the cases in tests/log for their form.")
    for number, case in enumerate(cases):
        _check(f"{path}, case {number + 1}", case)
    names = [case["id"] for case in cases]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadInput(f"{path} has more than one case {', '.join(twice)}; ids are unique.")
    return cases


def _check(where, case):
    _require(isinstance(case, dict), where, "is no object")
    _require(isinstance(case.get("id"), str) and case["id"], where, "has no id, which is text")
    where = f"{where} ({case['id']})"
    requires, setup = case.setdefault("requires", []), case.setdefault("setup", {})
    _require(isinstance(requires, list) and all(isinstance(one, str) for one in requires), where, "requires no list")
    _require(isinstance(setup, dict), where, "has a setup that is no object")
    protocol = case.setdefault("tv", "any")
    _require(protocol in PROTOCOLS, where, f"has the tv {protocol!r}; it can be {', '.join(PROTOCOLS)}")
    for field in ("given", "expect"):
        listed = isinstance(case.get(field), list) and all(isinstance(one, dict) for one in case[field])
        _require(listed, where, f"has no list of objects {field!r}")
    for number, step in enumerate(case["given"]):
        operation = step.get("op")
        known = isinstance(operation, str) and operation in OPERATIONS
        _require(known, where, f"has the operation {operation!r} in step {number}; there are {', '.join(OPERATIONS)}")
        for field in OPERATIONS[operation].split():
            _require(field in step, where, f"lacks {field!r} in step {number}, {operation}")
    for expected in case["expect"]:
        step = expected.get("step")
        right = isinstance(step, int) and not isinstance(step, bool) and 0 <= step < len(case["given"])
        _require(right, where, f"expects something of step {step!r}; its steps are 0 to {len(case['given']) - 1}")
        unknown = sorted(set(expected) - RESULTS - {"step"})
        _require(not unknown, where, f"expects {', '.join(unknown)} of step {step}, which no operation tells")


def _require(holds, where, what):
    if not holds:
        raise BadInput(f"{where} {what}.")
