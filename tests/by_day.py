"""Which tests `make test` runs, and which `make test-all`; `make test-night` runs what both leave out.

`DAY` and `CI` say for the beginnings of test ids how many cases of each test function run; the longest beginning that
fits a function decides. The cases are spread evenly over those that there are, always the same, the first among them.
Of the answers to each exercise and gap the first two wrong ones run by day, in CI the first two right ones as well,
and of the notebooks the first one and those nearest to what was changed run by day.
"""

import ast
import functools
import math
import re
import subprocess

from exactly_once.doors import DOORS
from exactly_once.paths import ROOT
from tests.notebooks.reading import code, read

ALL, NONE = math.inf, 0
DAY = {
    "tests/": ALL,
    # In the browser: each widget in one theme by axe; a click that brings a verdict; an exercise and a gap by keys.
    "tests/browser/": NONE,
    "tests/browser/test_base.py::test_axe": 1,
    "tests/browser/test_console_page.py::test_click_b_read_the_verdict": ALL,
    "tests/browser/test_exercise.py::test_by_keyboard": ALL,
    "tests/browser/test_kit.py::test_it_is_answered_by_keys": ALL,
    "tests/browser/test_page.py": ALL,
    # On one cluster: runs, kills, replays. What takes no cluster runs as elsewhere.
    "tests/spark/": NONE,
    "tests/spark/foreign/test_lacks.py::test_a_master_that_is_not_there": ALL,
    "tests/spark/replay/test_replay.py::test_other_misfortunes": ALL,
    "tests/spark/replay/test_replay.py::test_two_nodes": ALL,
    "tests/spark/run/test_conformance.py::test_cases_are_met": ALL,
    "tests/spark/run/test_fault_table.py": ALL,
    "tests/spark/run/test_kafka.py::test_a_worker_killed": 1,
    "tests/spark/run/test_live.py": ALL,
    "tests/spark/run/test_live.py::test_a_handler_that_gets_stuck": NONE,
    "tests/spark/run/test_nodes.py::test_a_producer_and_a_consumer": ALL,
    "tests/spark/run/test_servers.py::test_a_worker_killed": 1,
    "tests/spark/run/test_tasks.py": ALL,
    "tests/spark/run/test_tasks.py::test_a_dozen_killed_executors": 1,
    "tests/spark/run/test_tasks.py::test_all_orders": NONE,
    "tests/spark/run/test_twins_at_points.py::test_what_is_armed": ALL,
    "tests/spark/streaming/test_checkpoint.py": ALL,
    "tests/spark/test_refusals.py": ALL,
    "tests/spark/streaming/test_judged.py": ALL,
    "tests/spark/streaming/test_judged.py::test_the_same_kills": NONE,
    "tests/spark/test_brokers.py": 1,
    "tests/spark/test_delivery.py": ALL,
    # Each of these starts brokers of its own, or waits for one to come back.
    "tests/servers/kafka/test_broker.py::test_three_nodes": NONE,
    "tests/servers/kafka/test_broker.py::test_killed_and_started": 1,
    "tests/servers/kafka/test_cases.py::test_the_broker_answers": 12,
    "tests/servers/kafka/test_faults.py": 1,
    "tests/servers/kafka/test_trials.py": 1,
    "tests/servers/kafka/test_faults.py::test_a_marker_for_a_partition": NONE,
    "tests/test_command_line.py::test_on_the_cluster": 1,
    "tests/test_command_line.py::test_a_pure_function_on_the_cluster": NONE,
    # Every exercise and gap: solved and unsolved, and two wrong answers (see `by_day`).
    "tests/course/exercises/test_answers.py::test_two_wrong_answers": NONE,
    "tests/course/exercises/test_notebooks.py::test_the_learners_copy_runs": 1,
    "tests/course/kit/test_chapters.py": NONE,
    "tests/course/kit/test_with_servers.py::test_without_servers": 1,  # another one starts a cluster
    "tests/course/setup/test_doctor.py::test_the_cluster": NONE,
    "tests/course/setup/test_hub.py::test_an_idle_kernel": NONE,
    "tests/course/setup/test_hub.py::test_three_clusters": NONE,
    "tests/course/setup/test_lab.py": NONE,
    "tests/course/setup/test_seat.py::test_a_real_seat": NONE,
    "tests/course/setup/test_wheel.py::test_the_page_is_true_of_the_wheel": NONE,
    "tests/course/setup/test_wheel.py::test_the_wheel_has": NONE,
    "tests/course/test_reset.py::test_the_cluster": NONE,
    "tests/notebooks/test_workshop.py::test_a_lab_runs": NONE,
    # The explorer: each handler of the library, traps at the smallest bounds. Some by brute force.
    "tests/explore/test_blocking.py::test_the_look": NONE,
    "tests/explore/test_command_line.py::test_a_report": NONE,
    "tests/explore/test_command_line.py::test_the_templates": NONE,
    "tests/explore/test_late.py": 4,
    "tests/explore/test_late.py::test_late_requests_overtake": NONE,
    "tests/explore/test_places.py::test_merging_loses_nothing": 12,
    "tests/explore/test_places.py::test_merging_loses_nothing_with_two_nodes": NONE,
    "tests/explore/test_play.py": 3,
    "tests/explore/test_shortcuts.py::TestRandomPrograms": 2,
    "tests/explore/test_soundness.py::test_traps_by_brute_force": NONE,
    "tests/explore/test_soundness.py::test_traps_with_one_fault": 8,
    "tests/explore/test_soundness.py::test_what_a_handler_does": 4,
    # What proves, or kills again and again, for long.
    "tests/claims/test_claims.py::test_every_claim": NONE,
    "tests/claims/test_claims.py::test_names": NONE,
    "tests/handlers/test_into_another_system.py::test_proved": 4,
    "tests/lockfree/test_nondeterminism.py::test_it_stands": 1,
    "tests/lockfree/test_processes.py": 1,
    "tests/lockfree/test_stateless.py::test_two": 1,
    "tests/lockfree/test_stateless.py::test_without_one": NONE,
    "tests/log/transactions/test_killed.py": NONE,
    "tests/sandbox/test_plain.py::test_an_answer_that_is_forged": 1,
    "tests/sandbox/test_pure.py::test_pure_functions_are_proved": 1,
    "tests/sandbox/test_pure.py::test_the_cost": 1,
    "tests/servers/test_sessions.py::test_a_case": 6,
    "tests/show/test_report.py::test_the_page": NONE,
    "tests/stores/test_served.py::test_clients_that": 1,
    "tests/test_wrong_values.py": 100,
}
CI = {
    "tests/": ALL,
    "tests/browser/test_base.py::test_axe": 1,
    "tests/course/exercises/test_notebooks.py::test_the_learners_copy_runs": 4,
    "tests/course/kit/test_chapters.py": 6,
    "tests/explore/test_blocking.py::test_merging_loses_no_outcome": 20,
    "tests/explore/test_places.py::test_merging_loses_nothing": 40,
    "tests/explore/test_places.py::test_merging_loses_nothing_with_two_nodes": 6,
    "tests/explore/test_soundness.py::test_traps_by_brute_force": 6,
    "tests/lockfree/test_processes.py": 2,
    "tests/servers/kafka/test_cases.py::test_the_broker_answers": 12,
    "tests/servers/test_sessions.py::test_a_case": 12,
    "tests/stores/test_served.py::test_clients_that": 4,
}
ANSWER = re.compile(
    r"^tests/course/.*::test_an_answer_is_judged_as_it_should_be\[(?P<answers>.+?-(?:right|wrong))[-_]"
)
ANSWERS = 2  # wrong ones of each exercise and gap by day; in CI as many right ones, too
NOTEBOOK = re.compile(r"^tests/notebooks/test_run\.py::test_a_notebook_runs\w*\[(?P<name>.+)\]")
FIRST, CHANGED = "00-start-here", 2  # the notebook that always runs, and the most that run because of a change


def by_day(tests):
    """Return those of the ids of tests that run by day. The tests of a function are in the order of their cases."""
    left = {test for test in tests if (found := NOTEBOOK.match(test)) and found["name"] not in notebooks_by_day()}
    left |= {test for test in tests if (found := ANSWER.match(test)) and found["answers"].endswith("-right")}
    return chosen([test for test in tests if test not in left], DAY)


def in_ci(tests):
    """Return those of the ids of tests that run in CI, by day or not. They are in the order of their cases."""
    return chosen(tests, CI)


def chosen(tests, rules):
    """Return the first answers to each exercise and gap, and as many cases of each other function as `rules` say."""
    cases, answers = {}, {}
    for test in tests:
        if found := ANSWER.match(test):
            answers.setdefault(found["answers"], []).append(test)
        else:
            cases.setdefault(test.partition("[")[0], []).append(test)
    few = [spread(found, rules[max(filter(one.startswith, rules), key=len)]) for one, found in cases.items()]
    return set().union(*few, *(found[:ANSWERS] for found in answers.values()))


def spread(cases, number):
    """Return `number` of the cases, or all if there are fewer, evenly spread, the first among them."""
    return cases if len(cases) <= number else [cases[each * len(cases) // number] for each in range(number)]


def notebooks_by_day():
    """Return the names of the notebooks that run by day."""
    return (FIRST, *nearest_notebooks())


@functools.cache
def nearest_notebooks():
    """Return the names of the notebooks nearest to the changes, at most `CHANGED`."""
    changed = changed_files()
    modules = {module_of(name) for name in changed if name.startswith("lib/") and name.endswith(".py")}
    far = distances(modules) if modules else {}
    ranked = []
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        if f"notebooks/{path.name}" in changed:
            ranked.append((-1, path.stem))
        else:
            ranked += sorted((far[module], path.stem) for module in imported(path) & set(far))[:1]
    return [name for _, name in sorted(ranked) if name != FIRST][:CHANGED]


def changed_files():
    """Return the names of the files that differ from the last commit that is on main too; outside of a clone none."""

    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True).stdout

    base = git("merge-base", "HEAD", "main").strip() or "HEAD"
    return set(git("diff", "--name-only", "--no-renames", base, "--", "lib", "notebooks").splitlines())


def module_of(name):
    """Return the module in a file such as `lib/exactly_once/log/__init__.py`."""
    return name.removeprefix("lib/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def distances(modules):
    """Return how many imports lie between each module and the nearest of `modules`, for those that import any."""
    import grimp  # import-linter's, read only when something was changed

    graph = grimp.build_graph("exactly_once", cache_dir=None)
    found = dict.fromkeys(modules & graph.modules, 0)
    frontier = list(found)
    while frontier:
        module = frontier.pop(0)
        for above in graph.find_modules_that_directly_import(module) - set(found):
            found[above] = found[module] + 1
            frontier.append(above)
    return found


def imported(path):
    """Return the modules of the course that a notebook uses: those behind the names that it imports."""
    found = set()
    for source in code(read(path)):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("exactly_once"):
                behind = DOORS.get(node.module, {})
                found |= {behind[name.name].module if name.name in behind else node.module for name in node.names}
            elif isinstance(node, ast.Import):
                found |= {name.name for name in node.names}
    return found
