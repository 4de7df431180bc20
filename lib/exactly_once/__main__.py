"""The command line, `python -m exactly_once COMMAND`.

`doctor` checks the environment. `crash` runs one crash and judges it, of one of the course's handlers or of your own,
`cost` counts what such a handler asks of its stores, `prove` explores every schedule of a handler.
`reset` brings a chapter's notebook back, `demo` opens a page for a projector.
For a class, `workshop` builds the labs, `hand-in` writes a learner's file, and `class` makes the tables of a folder
of them.
"""

import argparse
import importlib
import json
import math
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .costs.counted import counted, predicted, seconds_in
from .course.parser import Parser
from .errors import BadInput, CourseError, missing, needed, number_in, printable
from .explore.case import WORDS, Bounds
from .faults import KILLS, POINTS, FaultPlan
from .handlers import STRATEGIES, handler_for
from .paths import IN_COURSE
from .pipeline import Job
from .sandbox.crash_safely import HandlerInFile, programs_on
from .sandbox.prove_safely import prove_file
from .sandbox.templates import handler_template
from .simulate import simulate
from .verdict import judge

ELSEWHERE = {  # commands of `course`, which read their own arguments: their modules, and what they do
    "doctor": ("setup.doctor", "check Java, memory, cores and the cluster"),
    "reset": ("reset", "bring a chapter's notebook back as it came; yours is kept"),
    "demo": ("demo", "open the page for a projector: console, scrubber and adversary, without code"),
    "workshop": ("workshop", "build the notebooks for class"),
    "hand-in": ("classroom.hand_in", "write the file that a learner hands in"),
    "class": ("classroom.tables", "make two tables of a folder of such files: seats, first answers"),
}


STATUS = (
    "The exit status is 0 when there is an answer, whichever it is (--json has it as data), 1 when there is none, as "
    "of a handler that fails, is not deterministic, or does not come to an end, or where nobody has said which of "
    "several ends are right, and 2 for input that makes no sense."
)


class Template(argparse.Action):
    """An option that prints what `const` returns and ends the command, as --help does."""

    def __init__(self, option_strings: Sequence[str], dest: str, const: Callable[[], str], help: str) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, const=const, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(self.const(), end="", flush=True)
        parser.exit()


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status, as in `STATUS`."""
    parser = Parser(prog="python -m exactly_once", description=__doc__, epilog=STATUS)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)
    for command, (_, what) in ELSEWHERE.items():
        commands.add_parser(command, help=what, add_help=False)
    _crash_arguments(commands.add_parser("crash", help="crash a handler at a point and print the verdict"))
    what = "count what a handler asks of its stores, and how many records a second that makes"
    _cost_arguments(commands.add_parser("cost", help=what, epilog=STATUS))
    what = "explore every schedule of a handler in a file"
    _prove_arguments(commands.add_parser("prove", help=what, epilog=STATUS))
    argv = sys.argv[1:] if argv is None else list(argv)
    try:
        if argv[:1] and argv[0] in ELSEWHERE:
            if argv[0] != "doctor" and not IN_COURSE:
                raise CourseError(
                    f"`{argv[0]}` works on the course's notebooks, and this package was installed without them. "
                    f"Clone the course, call `make lab` there, then .venv/bin/exactly-once {argv[0]}."
                )
            return importlib.import_module(f"exactly_once.course.{ELSEWHERE[argv[0]][0]}").main(argv[1:])
        options = parser.parse_args(argv)
        run = {"crash": _crash, "cost": _cost, "prove": _prove}
        return run[options.command](options)
    except BrokenPipeError:  # whoever read the output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ModuleNotFoundError as why:
        if (told := missing(why.name)) is None:
            raise
        print(f"exactly_once: {told}", file=sys.stderr)
        return 1
    except CourseError as why:
        print(printable(f"exactly_once: {why}"), file=sys.stderr)
        return 2 if isinstance(why, ValueError) else 1


def _crash_arguments(parser: argparse.ArgumentParser) -> None:
    _handler_argument(parser, nargs="?")
    parser.add_argument(
        "--at", required=True, metavar="POINT",
        help=f"the crash point: {', '.join(POINTS)}; your own handler passes it by node.crash_point",
    )  # fmt: skip
    parser.add_argument(
        "--item", type=int, default=None, help="the hour at which to crash (default: the first that gets there)"
    )
    parser.add_argument("--world", choices=("simulated", "spark"), default="simulated")
    parser.add_argument(
        "--stores", metavar="URLS", help="with --world spark: postgresql:, etcd: or kafka: for a server that is "
        "started for it, kafka:,postgresql: for the database on another one, or URLs of servers (default: files)",
    )  # fmt: skip
    _strategy_argument(parser)
    parser.add_argument(
        "--order", help="the order of the writes, such as output,counter,state,positions; it overrides --strategy"
    )
    parser.add_argument(
        "--kill", default="worker", metavar="WHAT", help=f"{' or '.join(KILLS)}: what the crash kills"
    )
    parser.add_argument("--lives", help="which lives die there, such as 1,2 (default: the first that gets there)")
    parser.add_argument(
        "--node", type=int, metavar="N", help="which node dies there, from 1 on (default: the first that gets there)"
    )
    parser.add_argument(
        "--nodes", type=int, metavar="N", help="how many nodes run it at once (default: as many as it needs)"
    )
    parser.add_argument("--items", type=int, help=f"how many hours of input (default: {Job.items})")
    _window_arguments(parser)
    parser.add_argument(
        "--take-over", action="store_true", help="take the machine's cluster from a notebook that has it"
    )
    _own_argument(parser)
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")


def _strategy_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--strategy", metavar="NAME", help=f"in place of a file: {', '.join(STRATEGIES)} (default: at_least_once)"
    )


def _window_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--window", type=int, metavar="HOURS", help=f"the window's length (default: {Job.duration})")
    parser.add_argument(
        "--threshold", type=int, help=f"numbers in the window above which to count (default: {Job.threshold})"
    )


def _cost_arguments(parser: argparse.ArgumentParser) -> None:
    _handler_argument(parser, nargs="?")
    _strategy_argument(parser)
    _window_arguments(parser)
    parser.add_argument(
        "--latency", default="5ms", metavar="TIME",
        help="how long a store takes for one operation, such as 0.2ms, 500us or 1s (default: 5ms)",
    )  # fmt: skip
    parser.add_argument("--rate", type=float, metavar="N", help="how many records a second there are to be")
    parser.add_argument(
        "--nodes", type=int, metavar="N", help="how many nodes run it at once (default: as many as it needs)"
    )
    parser.add_argument("--json", action="store_true", help="print what was counted and predicted as JSON")
    parser.set_defaults(items=None, order=None, own=None)


def _prove_arguments(parser: argparse.ArgumentParser) -> None:
    _handler_argument(parser)
    parser.add_argument(
        "--nodes", type=int, default=1, metavar="N", help="how many nodes run it at once (default: 1)"
    )
    parser.add_argument("--items", type=int, default=3, metavar="N", help="how many inputs there are (default: 3)")
    for kind, what in WORDS.items():
        name, default = kind.replace("_", "-"), getattr(Bounds, kind)
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N", help=f"{what} (default: {default})")
    parser.add_argument(
        "--lock-free", action="store_true", help="a node that waits for another breaks the handler, too"
    )
    _own_argument(parser)
    parser.add_argument("--state-limit", type=int, default=1_000_000, metavar="N", help="stop after so many states")
    parser.add_argument("--seconds", type=float, default=120.0, help="stop after so many seconds (default: 120)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def _own_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--own", action="append", type=_pair, metavar="STORE:PART", help="a cell, row, number or log that the "
        "handler keeps for itself, as db:lease or engine:register.turn: no effect, and not compared; may be repeated",
    )  # fmt: skip


def _pair(text: str) -> tuple[str, str]:
    store, _, part = text.partition(":")
    if not part:
        raise argparse.ArgumentTypeError(f"{text!r} names no part; give a store and a part, such as db:lease")
    return store, part


def _handler_argument(parser: argparse.ArgumentParser, nargs: str | None = None) -> None:
    """Add the file with a handler."""
    what = "the file and the function of one argument, the node"
    parser.add_argument("handler", metavar="PATH.py:FUNCTION", nargs=nargs, help=what)
    parser.add_argument(
        "--template",
        action=Template,
        const=handler_template,
        help="print a file with a handler to begin with, and stop",
    )


def _prove(options: argparse.Namespace) -> int:
    other = ("command", "handler", "json", "own")
    bounds = {name: value for name, value in vars(options).items() if name not in other}
    proof = prove_file(options.handler, own=options.own or (), **bounds)
    _say(json.dumps(proof.json(), indent=2) if options.json else proof)
    return 0 if proof.ends == 1 else 1


def _say(answer: object) -> None:
    """Print an answer. What a learner's code wrote stands in it, and tells the terminal nothing."""
    print(printable(str(answer)), flush=True)


def _refuse(options: argparse.Namespace, names: Iterable[str], why: str) -> None:
    """Raise `BadInput` for the first of these options that is given."""
    for name in names:
        if getattr(options, name) is not None:
            raise BadInput(f"--{name} {why}")


def _crash(options: argparse.Namespace) -> int:
    plan = FaultPlan.crash(options.at, options.item, options.kill, _lives(options.lives), options.node)
    own = _own(options)
    handler: Any = None if own else handler_for(options.strategy, options.order)
    if options.world != "spark":
        _refuse(options, ("stores",), "is for the cluster; add --world spark.")
    if options.world == "spark":
        needed("spark", "pyspark")
        from .servers.by_url import SQLITE
        from .spark import cluster, stop_cluster
        from .spark.run.tasks import run_on_cluster

        programs = own.programs() if own else programs_on(handler, _job(options), options.nodes)
        try:
            slots = 2 * math.ceil(len(programs) / 2)
            cluster(slots=slots, take_over=options.take_over)
            run = run_on_cluster(programs, plan, stores=options.stores or SQLITE)
        finally:
            stop_cluster()
        found = own.judged(run) if own else judge(run, handler).json()
    elif own:
        found = own.simulated(plan)
    else:
        found = judge(simulate(programs_on(handler, _job(options), options.nodes), plan), handler).json()
    _say(json.dumps(found, indent=2) if options.json else found["sentence"])
    return 0


def _cost(options: argparse.Namespace) -> int:
    latency = seconds_in(options.latency)
    own = _own(options)
    if own:
        found = own.counted()
    else:
        handler, job = handler_for(options.strategy), _job(options)
        programs_on(handler, job, options.nodes)  # which looks at the number of nodes
        found = counted(handler, job, options.nodes)
    prediction = predicted(found, latency)
    needs = [] if options.rate is None else [prediction.needs(options.rate)]
    if options.json:
        more = {} if options.rate is None else {"partitions": prediction.partitions(options.rate)}
        _say(json.dumps(prediction.json() | {"latency": latency} | more, indent=2))
    else:
        _say("\n".join([*found.sentences(), f"At {options.latency} an operation: {prediction}", *needs]))
    return 0


def _own(options: argparse.Namespace) -> HandlerInFile | None:
    """Return the handler in a file that is to be crashed, or None for one of the course's."""
    if options.handler is None:
        _refuse(options, ("own",), "is for a handler of your own; give PATH.py:FUNCTION.")
        return None
    _refuse(options, ("strategy", "order"), "chooses a handler of the course's; leave it out, or the file.")
    return HandlerInFile(options.handler, _job(options), options.nodes, options.own or ())


def _job(options: argparse.Namespace) -> Job:
    given = {"items": options.items, "duration": options.window, "threshold": options.threshold}
    return Job(**{name: value for name, value in given.items() if value is not None})


def _lives(text: str | None) -> tuple[Any, ...] | None:
    if text is None:
        return None
    lives = tuple(map(number_in, text.split(",")))
    if None in lives:
        raise BadInput(f"--lives is {text!r}; give whole numbers with commas between, such as 1,2.")
    return lives


if __name__ == "__main__":
    sys.exit(main())
