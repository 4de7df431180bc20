"""What a test imports: a name of a door, or of a seam. `python -m tests.seams` takes from the table what is gone.

A seam is a module that another room of the library uses and whose public names change with care, so that the rest of
a room may be moved without its tests. What no door and no seam reaches is tested through its caller. `beyond.json`
holds what tests import besides, and the number of attributes of the library that they patch: both only shrink. Of a
seam tests import at most `MOST` names; `log.log_errors` is one name to them, with the refusals of Kafka.
"""

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from exactly_once import doors
from exactly_once.paths import ROOT

BEYOND = Path(__file__).with_name("beyond.json")
APART = ("course/exercises", "course/kit", "widgets", "browser")  # whose tests go with what they test
LIBRARY = "exactly_once"
MOST = 12
TERMINAL = f"{LIBRARY}.__main__", "main"  # the command line
DOORS = [door.removeprefix(LIBRARY).removeprefix(".") for door in doors.DOORS]  # each as a whole
SEAMS = {  # below `exactly_once`: who uses it
    "errors": "every room raises its errors; and packages that are not installed",
    "paths": "every room that has files",
    "solutions": "course, chapters, exercises: the texts and solved cells of exercises and gaps",
    "clocks": "node, trace, handlers, show, widgets: clocks and histories",
    "owned": "sandbox, spark, course: folders and processes that belong to one process",
    "faults": "simulate, spark, explore, widgets: the plan of a run, and tokens with a checksum",
    "trace": "node writes it; verdict, show, widgets read it",
    "stores": "node, explore, spark, servers: what can be asked of a store, in this process and another",
    "stores.isolation": "handlers, show, claims: the levels of SQL and what each forbids",
    "node": "handlers, simulate, spark: what a handler is given, and a program of it",
    "log": "node, handlers, spark: topics, batches as bytes, a disk of files, requests that get lost",
    "log.log_errors": "handlers, show",
    "log.kafka.kafka_log": "spark, servers, show: the log's form over Kafka",
    "log.transactions.rules": "handlers, exercises: versions of the protocol",
    "handlers.logs.both_sides": "spark, chapters: a producer and a consumer, with faults on both sides",
    "handlers.logs.database_consumer": "explore, claims, chapters: consumers with a database",
    "handlers.logs.prediction": "spark, chapters: what faults leave in a log",
    "handlers.transaction_protocol.parts": "show: what the protocol's servers hold",
    "handlers": "claims, exercises: the handlers that chapters name",
    "verdict": "spark, show, widgets: what a run is judged by",
    "verdict.linearizable": "chapters: an order that explains the answers to concurrent calls",
    "simulate": "explore, claims: the decisions of a schedule, and a run step by step",
    "simulate.places": "explore, widgets: where a fault may strike",
    "explore": "sandbox, claims, exercises, widgets: all schedules within bounds",
    "explore.model.shortcuts": "claims: on what the search relies",
    "exercises.model_checker": "exercises: the search without shortcuts",
    "adversary": "widgets: a run whose scheduler is a person",
    "sandbox.pool": "exercises, widgets: processes that run a learner's code",
    "sandbox.prove_safely": "exercises, widgets, the command line",
    "chapters.ch13.trials.proxy": "spark: a proxy before a broker, which loses answers",
    "java.finder": "spark, servers, course: a Java",
    "servers.kinds": "spark, course: the servers that there are",
    "servers.kafka": "spark, log: a broker as a process",
    "servers": "costs, spark, course, chapters: a store by its address, ports and processes",
    "spark.cluster.processes": "course, show: the cluster's processes",
    "spark": "widgets, course: many runs at once, and runs that are struck by hand",
    "course.workshop": "the command line, benchmarks: the notebooks for class",
    "course.setup.lab": "`make lab`, the demo and a hub: JupyterLab's settings, folders and port",
    "course": "the command line and the notebooks: what is the learner's, and the set-up of a chapter",
}


def tests() -> Iterator[tuple[str, ast.Module]]:
    """Yield (name, syntax tree) of each file of the tests that keeps to doors and seams."""
    folder = ROOT / "tests"
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        if not name.startswith(tuple(f"{apart}/" for apart in APART)):
            yield name, ast.parse(path.read_text())


def imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield (module, name) of what a file imports from the library; the name is "" for a module as a whole."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == LIBRARY:
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.partition(".")[0] == LIBRARY)


def beyond(module: str, name: str) -> str | None:
    """Return what a test may not import, as the table names it, or None for a name of a door or a seam."""
    here = module.removeprefix(LIBRARY).removeprefix(".")
    below = f"{here}.{name}".strip(".")
    if name.startswith("_"):
        return below
    if name in doors.DOORS.get(module, ()) or below in ("", "doors", *DOORS) or (module, name) == TERMINAL:
        return None
    file = ROOT / "lib" / f"{module}.{name}".replace(".", "/")  # not by what is imported already, which differs
    if not name or file.is_dir() or file.with_suffix(".py").is_file():
        here = below  # a module as a whole
    return None if here in SEAMS else here


def used() -> dict[str, set[str]]:
    """Return {seam: the names of it, but for those of a door, that tests import}."""
    names: dict[str, set[str]] = {seam: set() for seam in SEAMS}
    for module, name in (pair for _, tree in tests() for pair in imported(tree)):
        here = module.removeprefix(LIBRARY).removeprefix(".")
        if here in names and f"{here}.{name}" not in SEAMS and name not in doors.DOORS.get(module, ()):
            names[here].add(name)
    return names


def patched(tree: ast.Module) -> int:
    """Return how often a file sets an attribute of the library: by `setattr` of pytest's monkeypatch."""
    foreign = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if (getattr(node, "module", None) or alias.name).partition(".")[0] not in (LIBRARY, "tests")
    }
    calls = [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("setattr")
    ]
    targets = [ast.unparse(call.args[0]).strip("'\"") for call in calls if ast.unparse(call.func) != "setattr"]
    return sum(
        target.partition(".")[0] not in foreign | sys.stdlib_module_names | {"psutil", "IPython", "ipykernel"}
        and target.rpartition(".")[2] not in sys.stdlib_module_names
        for target in targets
    )


def found() -> dict[str, list[str] | int]:
    """Return what there is beyond doors and seams, in the form of the table."""
    files = list(tests())
    imports = {one for _, tree in files for pair in imported(tree) if (one := beyond(*pair))}
    return {"imports": sorted(imports), "patched": sum(patched(tree) for _, tree in files)}


if __name__ == "__main__":
    now, listed = found(), json.loads(BEYOND.read_text())
    left = {
        "imports": sorted({*now["imports"]} & {*listed["imports"]}),
        "patched": min(now["patched"], listed["patched"]),
    }
    BEYOND.write_text(json.dumps(left, indent=0) + "\n")
    print(f"{len(left['imports'])} modules and {left['patched']} patches are left.")
