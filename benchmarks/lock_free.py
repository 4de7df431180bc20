"""What the lock-free handler costs: its store operations, and its records a second beside chapter 06's handler.

Counted: the operations on stores of one step, from the traces of simulated runs of one node, beside the formula that
says where they come from. How much two nodes at once do in vain depends on who is faster: there the operations of
real runs on the cluster are counted, beside what they would be if both tried every transition.

Measured: records a second on the cluster, between the first and the last one, of the same function over the same
streams, with output, state and positions: by the lock-free machine, on one node and on two, and in transactions, as
chapter 06's handler makes them (without its counter, which is in another system). Each takes one input a step, or
100. In a round each runs once, in an order that is drawn, so that whatever else the machine does falls on all. The
figure is the median of the rounds' ratios to the transactions of as many inputs, with the least and the greatest.
The promise: at 100 inputs a step transactions are at most 1.5 times as fast as the machine on one node or on two.

    python benchmarks/lock_free.py [rounds]
"""

import random
import statistics
import sys

from exactly_once.handlers.at_least_once import at_least_once
from exactly_once.handlers.transactional import coordinator
from exactly_once.lockfree.general import general
from exactly_once.node.program import deployed_with
from exactly_once.node.transactions import CHANGELOG, GROUP, OUTPUT
from exactly_once.pipeline import Job, Window
from exactly_once.simulate import simulate
from exactly_once.spark import cluster, stop_cluster
from exactly_once.spark.run.tasks import run_on_cluster

HOURS = {1: 150, 100: 2_000}  # {inputs a step: hours of input}
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
    return sum(event.process.startswith("life") and event.kind == "send" for event in trace)


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


def run(handlers, batch, spark):
    """Return (hours a second, operations a record) of one run on the cluster, from its first item to its last."""
    hours = HOURS[batch]
    found = run_on_cluster(handlers, None, Job(items=hours), spark, patience=120)
    assert len(found.outcome.outputs) == hours, found.error
    walls = [event.wall for event in found.trace if event.kind == "receive" and event.item is not None and event.wall]
    return hours / (max(walls) - min(walls)), operations(found.trace) / hours


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
    rounds, rng = int(sys.argv[1]) if len(sys.argv) > 1 else 7, random.Random(17)
    ways = {
        (batch, name): handlers
        for batch in HOURS
        for name, handlers in (
            ("transactions", transactions(batch)),
            ("lock-free, 1 node", lock_free(batch)),
            ("lock-free, 2 nodes", [lock_free(batch)] * 2),
        )
    }
    try:
        spark = cluster()
        found = [{way: run(ways[way], way[0], spark) for way in rng.sample(list(ways), len(ways))}
                 for _ in range(rounds + 1)][1:]  # fmt: skip  # the first warms up
    finally:
        stop_cluster()
    print(f"on the cluster, {rounds} rounds: records a second, times as slow as transactions, operations a record")
    for batch, name in ways:
        rate, operated = (statistics.median(one[batch, name][which] for one in found) for which in (0, 1))
        ratios = sorted(one[batch, "transactions"][0] / one[batch, name][0] for one in found)
        middle = statistics.median(ratios)
        line = f"  {batch:3} a step, {name:18} {rate:7.1f}/s  {middle:5.2f} [{ratios[0]:.2f}, {ratios[-1]:.2f}]"
        line += f"  {operated:6.2f} operations"
        if name == "lock-free, 2 nodes":
            line += f" ({derived_for_two(batch) / batch:.2f} if both tried every transition)"
        if batch == max(HOURS) and name != "transactions":
            line += f"  promised {PROMISED}: {'kept' if middle <= PROMISED else 'MISSED'}"
            missed |= middle > PROMISED
        print(line, flush=True)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
