"""What the lock-free handler costs: its store operations, and its records a second beside chapter 06's handler.

Counted: the operations on stores of one step, from the traces of simulated runs of one node, beside the formula that
says where they come from. How much two nodes at once do in vain depends on who is faster: there the operations of
real runs are counted, beside what they would be if both tried every transition.

Measured: records a second, between the first and the last one, of the same function over the same streams in SQLite
files, with output, state and positions: by the lock-free machine, on one node and on two, and in transactions, as
chapter 06's handler makes them (without its counter, which is in another system). Each node is a process, the
transactions' coordinator too. Each takes one input a step, or 100. In a round each runs once, in an order that is
drawn, so that whatever else the machine does falls on all. The figure is the median of the rounds' ratios to the
transactions of as many inputs, with its quartiles: of the time by the clock, and of the processor's time, which is
that of all processes; a coordinator that waits looks every 5 ms whether there is anything to do, and that is in it.
The promise: at 100 inputs a step a record takes at most 1.5 times as long by the clock.

    python benchmarks/lock_free.py [rounds]
"""

import random
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from exactly_once.handlers.stream.at_least_once import at_least_once
from exactly_once.handlers.stream.transactional import coordinator
from exactly_once.lockfree.general import general
from exactly_once.node.access.transactions import CHANGELOG, GROUP, OUTPUT
from exactly_once.node.program import deployed_with
from exactly_once.pipeline import Job, Window
from exactly_once.simulate import simulate
from exactly_once.spark.run.tasks import Prepared
from exactly_once.spark.task.folder import RunFolder
from exactly_once.spark.task.world import TaskWorld, live_node

HOURS = {1: 100, 100: 1_000}  # {inputs a step: hours of input}
PROMISED = 1.5


def step(outputs):
    """Return the function of a window of a day that puts its average into each of so many queues."""

    def averages(window, readings):
        window.push(readings)
        window.trim(24)
        return window, [window.average()] * outputs

    return averages


def lock_free(batch, outputs=1):
    """Return the lock-free handler that takes so many inputs a step and has so many outputs."""
    return general(step(outputs), Window(), outputs=[OUTPUT, "second", "third"][:outputs], batch=batch)


def transactions(batch):
    """Return chapter 06's handler with so many inputs in a transaction, and without its counter."""
    follow = step(1)

    @deployed_with(coordinator, at_least_once)
    def handler(node):
        producer = node.transactions.producer("stream handler")
        producer.init_transactions()
        positions, window = node.transactions.positions(), node.transactions.state()
        while node.running(positions):
            values = []
            while len(values) < batch and node.running(positions):
                items, positions = node.read(positions)
                window, outputs = follow(window, items)
                values += outputs
            producer.begin_transaction()
            producer.send(OUTPUT, values)
            producer.send(CHANGELOG, [window])
            producer.send_offsets_to_transaction(positions, GROUP)
            producer.commit_transaction()

    return handler


def operations(trace):
    """Return how many operations on stores the lives of a trace asked for."""
    return sum(event.process.startswith("incarnation") and event.kind == "send" for event in trace)


def derived(batch, outputs):
    """Return the operations of one node for one step: `batch` inputs, then one message to each of its outputs.

    It reads the machine and each input, and leaves HANDLING by a cas. For each output: it reads the hint and two
    cells (the hint is one behind, since WRITING does not move it), moves the hint, and leaves PREPARING by a cas; it
    writes the cell and leaves WRITING by a cas.
    """
    return 1 + batch + 1 + outputs * (4 + 1 + 1 + 1)


def derived_for_two(batch):
    """Return the operations of two nodes for one step with one output if both try each of its three transitions.

    Both do all, and who wins the last transition reads the machine for the next step. The loser of each transition
    reads the machine again; when it has lost the cell, it compares what is there with what it would have written.
    """
    return 2 * (derived(batch, 1) - 1) + 1 + 3 + 1


def counted(batch, outputs):
    """Return the same from traces: what six steps more need, over six."""
    few, many = (
        operations(simulate(lock_free(batch, outputs), None, Job(items=steps * batch)).trace) for steps in (6, 12)
    )
    return (many - few) / 6


class ProcessWorld(TaskWorld):
    """The world of a node that is a process of its own, and no task of Spark."""

    def placement(self):
        """Return the node."""
        return {"node": self.number - 1} if self.nodes > 1 else {}


def lived(task):
    """Live a node's life in this process. Returns (how it ended, the processor's seconds)."""
    started = time.process_time()
    return live_node(RunFolder(task.folder), task, task.node, ProcessWorld), time.process_time() - started


def run(handlers, batch, processes):
    """Run to the end of the inputs. Returns (seconds by the clock, the processor's seconds, operations) a record."""
    hours = HOURS[batch]
    prepared = Prepared(handlers, None, Job(items=hours))
    try:
        prepared.endings, seconds = zip(*processes.map(lived, prepared.inputs), strict=True)
        found = prepared.run()
    finally:
        prepared.remove()
    assert len(found.outcome.outputs) == hours, found.error
    walls = [event.wall for event in found.trace if event.kind == "receive" and event.item is not None and event.wall]
    return (max(walls) - min(walls)) / hours, sum(seconds) / hours, operations(found.trace) / hours


def main():
    """Count, measure, and print both tables. Returns 1 when the promise was missed, or the formula is wrong."""
    missed = False
    print(
        "operations on stores of one step of the lock-free handler, one node: counted, and 2 + inputs + 7 · outputs"
    )
    for batch in HOURS:
        for outputs in (0, 1, 2, 3):
            found, formula = counted(batch, outputs), derived(batch, outputs)
            missed |= found != formula
            print(
                f"  {batch:3} input{'s' * (batch > 1):1} a step, {outputs} outputs: {found:5.1f} = {formula}, "
                f"{found / batch:5.2f} a record{'' if found == formula else '   THE FORMULA IS WRONG'}"
            )
    rounds, rng = int(sys.argv[1]) if len(sys.argv) > 1 else 11, random.Random(17)
    ways = {
        (batch, name): handlers
        for batch in HOURS
        for name, handlers in (
            ("transactions", transactions(batch)),
            ("lock-free, 1 node", lock_free(batch)),
            ("lock-free, 2 nodes", [lock_free(batch)] * 2),
        )
    }
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        found = [{way: run(ways[way], way[0], processes) for way in rng.sample(list(ways), len(ways))}
                 for _ in range(rounds + 1)][1:]  # fmt: skip  # the first warms up
    print(f"{rounds} rounds: records a second; times as long as in transactions, by the clock and by the processor")
    for batch, name in ways:
        took, operated = (statistics.median(one[batch, name][which] for one in found) for which in (0, 2))
        line = f"  {batch:3} a step, {name:18} {1 / took:7.1f}/s"
        for which, whose in enumerate(("clock", "processor")):
            ratios = [one[batch, name][which] / one[batch, "transactions"][which] for one in found]
            low, middle, high = statistics.quantiles(ratios, n=4)
            line += f"  {whose} {middle:5.2f} [{low:.2f}, {high:.2f}]"
            if batch == max(HOURS) and name != "transactions" and whose == "clock":
                line += f" promised {PROMISED}: {'kept' if middle <= PROMISED else 'MISSED'}"
                missed |= middle > PROMISED
        line += f"  {operated:5.2f} operations a record"
        if name == "lock-free, 2 nodes":
            line += f" ({derived_for_two(batch) / batch:.2f} if both tried every transition)"
        print(line, flush=True)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
