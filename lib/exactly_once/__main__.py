"""The command line, `python -m exactly_once COMMAND`.

`doctor` checks the environment, `crash` runs one crash and judges it, `prove` explores every schedule of a handler,
`clocks` stamps the events in a file, `cases` runs a file of cases against the log, `reset` brings a chapter's
notebook back.
"""

import json
import os
import sys

from .clocks.formats.files import read_histories
from .clocks.report import report_text
from .course.parser import Parser
from .errors import BadInput, CourseError, number_in
from .explore.bounds import WORDS, Bounds
from .faults import KILLS, POINTS, FaultPlan
from .handlers import STRATEGIES, handler_for
from .pipeline import Job
from .sandbox.prove_safely import prove_file
from .simulate import simulate
from .verdict import judge


def main(argv=None):
    """Run one command.

    Returns the exit status: 0 when a verdict was reached or all is well, 1 for trouble, 2 for bad input.
    """
    parser = Parser(prog="python -m exactly_once", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)
    commands.add_parser("doctor", help="check Java, memory, cores and the cluster", add_help=False)
    commands.add_parser("reset", help="bring a chapter's notebook back as it came; yours is kept", add_help=False)
    _crash_arguments(commands.add_parser("crash", help="crash the stream handler at a point and print the verdict"))
    _prove_arguments(commands.add_parser("prove", help="explore every schedule of a handler in a file"))
    _clocks_arguments(commands.add_parser("clocks", help="stamp the events in a file and count the concurrent pairs"))
    cases = commands.add_parser("cases", help="run a file of cases for a Kafka-like broker against the log")
    cases.add_argument("file", metavar="FILE", help="a JSON list of cases")
    argv = sys.argv[1:] if argv is None else list(argv)
    try:
        if argv[:1] in (["doctor"], ["reset"]):
            from .course import reset
            from .course.setup import doctor

            return {"doctor": doctor, "reset": reset}[argv[0]].main(argv[1:])
        options = parser.parse_args(argv)
        return {"crash": _crash, "prove": _prove, "clocks": _clocks, "cases": _cases}[options.command](options)
    except BrokenPipeError:  # whoever read the output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except CourseError as why:
        print(f"exactly_once: {why}", file=sys.stderr)
        return 2 if isinstance(why, ValueError) else 1


def _crash_arguments(parser):
    parser.add_argument("--at", required=True, metavar="POINT", help=f"the crash point: {', '.join(POINTS)}")
    parser.add_argument(
        "--item", type=int, default=None, help="the hour at which to crash (default: the first that gets there)"
    )
    parser.add_argument("--world", choices=("simulated", "spark"), default="simulated")
    parser.add_argument("--strategy", metavar="NAME", help=f"{', '.join(STRATEGIES)} (default: at_least_once)")
    parser.add_argument(
        "--order", help="the order of the writes, such as output,counter,state,positions; it outdoes the strategy"
    )
    parser.add_argument(
        "--kill", default="worker", metavar="WHAT", help=f"{' or '.join(KILLS)}: what the crash kills"
    )
    parser.add_argument("--lives", help="which lives die there, such as 1,2 (default: the first that gets there)")
    parser.add_argument(
        "--node", type=int, metavar="N", help="which node dies there, from 1 on (default: the first that gets there)"
    )
    parser.add_argument("--items", type=int, default=6, help="how many hours of input (default: 6)")
    parser.add_argument("--window", type=int, default=24, metavar="HOURS", help="the window's length (default: 24)")
    parser.add_argument(
        "--threshold", type=int, default=4, help="numbers in the window above which to count (default: 4)"
    )
    parser.add_argument(
        "--take-over", action="store_true", help="take the machine's cluster from a notebook that has it"
    )
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")


def _prove_arguments(parser):
    parser.add_argument(
        "handler", metavar="PATH.py:FUNCTION", help="the file and the function of one argument, the node"
    )
    for name, default, what in (
        ("nodes", 1, "how many nodes run it at once"),
        ("items", 3, "how many hours of input"),
        *((kind.replace("_", "-"), getattr(Bounds, kind), what) for kind, what in WORDS.items()),
    ):
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N", help=f"{what} (default: {default})")
    parser.add_argument(
        "--lock-free", action="store_true", help="a node that waits for another breaks the handler, too"
    )
    parser.add_argument("--state-limit", type=int, default=1_000_000, metavar="N", help="stop after so many states")
    parser.add_argument("--seconds", type=float, default=120.0, help="stop after so many seconds (default: 120)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def _clocks_arguments(parser):
    parser.add_argument("file", metavar="FILE", help="JSON lines or a ShiViz log; - for standard input")
    parser.add_argument("--expression", help="the regular expression that reads a ShiViz log without a head")
    parser.add_argument("--delimiter", help="the regular expression that separates its executions")


def _clocks(options):
    print(report_text(read_histories(options.file, options.expression, options.delimiter)), flush=True)
    return 0


def _prove(options):
    bounds = {name: value for name, value in vars(options).items() if name not in ("command", "handler", "json")}
    proof = prove_file(options.handler, **bounds)
    print(json.dumps(proof.json(), indent=2) if options.json else proof, flush=True)
    return 0


def _cases(options):
    from .log.cases.command import main as run

    return run(options.file)


def _crash(options):
    handler = handler_for(options.strategy, options.order)
    plan = FaultPlan.crash(options.at, options.item, options.kill, _lives(options.lives), options.node)
    job = Job(options.items, options.window, options.threshold)
    if options.world == "spark":
        from .spark import cluster, stop_cluster
        from .spark.run.tasks import run_on_cluster

        try:
            run = run_on_cluster(handler, plan, job, cluster(take_over=options.take_over))
        finally:
            stop_cluster()
    else:
        run = simulate(handler, plan, job)
    verdict = judge(run, handler)
    print(json.dumps(verdict.json(), indent=2) if options.json else verdict.sentence, flush=True)
    return 0


def _lives(text):
    if text is None:
        return None
    lives = tuple(map(number_in, text.split(",")))
    if None in lives:
        raise BadInput(f"--lives is {text!r}; give whole numbers with commas between, such as 1,2.")
    return lives


if __name__ == "__main__":
    sys.exit(main())
