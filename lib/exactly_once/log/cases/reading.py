"""Read and check a file of cases: a JSON list of scripts with their expected results."""

import json
from pathlib import Path

from ...errors import BadInput, is_whole
from ...paths import content, file_named

OURS = Path(__file__).with_name("cases.json")  # the course's own
MOST_BYTES = 16 * 2**20
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
ANY = "any"
PROTOCOLS = ("1", "2", ANY)
SETUP = set(
    "partitions replication replicas min_isr transaction_max_timeout_ms producer_id_expiration_ms "
    "transactional_id_expiration_ms".split()
)
KINDS = {  # of fields and results, by name; bool is no int here
    int: "ms size upto keep_upto before from base_offset num_partitions coordinator_epoch explicit rules last_epoch "
    "timeout_ms hash end same_partition_as_step replicas min_isr",
    str: "partition isolation mode result key_hex transactional_id group as pid_same_as pid_differs_from state "
    "replication",
    list: "values records aborted partition_in partitions",
    bool: "txn duplicate ack_lost retry require_stable",
    dict: "offsets",
    (int, str): "epoch_greater_than",
    (int, str, type(None)): "pid epoch first_seq",
    (str, list): "error",
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names.split()}
SAID = {
    int: "a whole number",
    str: "text",
    list: "a list",
    bool: "true or false",
    dict: "an object",
    type(None): "null",
}


def read_cases(path):
    """Return the cases of a file, as a list of dictionaries.

    Raises `BadInput`, with the file, the case and the field, for a file that holds no cases.
    """
    path = file_named("The file of cases", path)
    try:
        cases = json.loads(content(path, MOST_BYTES).decode())
    except OSError as why:
        raise BadInput(
            f"The file of cases {path} cannot be read ({why.strerror}); give the name of a file."
        ) from None
    except BadInput:
        raise
    except (ValueError, RecursionError) as why:
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
    _require(set(setup) <= SETUP, where, f"has {', '.join(sorted(set(setup) - SETUP))} in its setup")
    _check_kinds(f"{where}, setup", setup)
    protocol = case.setdefault("tv", "any")
    _require(protocol in PROTOCOLS, where, f"has the tv {protocol!r}; it can be {', '.join(PROTOCOLS)}")
    for field in ("given", "expect"):
        listed = isinstance(case.get(field), list) and all(isinstance(one, dict) for one in case[field])
        _require(listed, where, f"has no list of objects {field!r}")
    for number, step in enumerate(case["given"]):
        operation = step.get("op")
        known = isinstance(operation, str) and operation in OPERATIONS
        _require(known, where, f"has the operation {operation!r} in step {number}; there are {', '.join(OPERATIONS)}")
        needed = OPERATIONS[operation].split()
        for field in needed:
            _require(field in step, where, f"lacks {field!r} in step {number}, {operation}")
        given = {name: value for name, value in step.items() if value is not None or name in needed}
        _check_kinds(f"{where}, step {number}, {operation}", given)
    for expected in case["expect"]:
        step = expected.get("step")
        right = is_whole(step) and 0 <= step < len(case["given"])
        _require(right, where, f"expects something of step {step!r}; its steps are 0 to {len(case['given']) - 1}")
        unknown = sorted(set(expected) - RESULTS - {"step"})
        _require(not unknown, where, f"expects {', '.join(unknown)} of step {step}, which no operation tells")
        results = {
            name: value for name, value in expected.items() if name != "partition"
        }  # a number here, a name there
        _check_kinds(f"{where}, what is expected of step {step}", results)
        later = expected.get("same_partition_as_step", 0)
        _require(0 <= later <= step, where, f"compares step {step} with step {later}, which is not before it")


def _check_kinds(where, fields):
    for name, value in fields.items():
        kinds = KIND_OF.get(name, object)
        kinds = kinds if isinstance(kinds, tuple) else (kinds,)
        right = isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds or object in kinds)
        _require(
            right, where, f"has {name} {value!r}; it is {' or '.join(SAID[kind] for kind in kinds if kind in SAID)}"
        )


def _require(holds, where, what):
    if not holds:
        raise BadInput(f"{where} {what}.")
