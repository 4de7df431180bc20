"""Consume, transform, produce over several partitions: readings in Celsius become readings in Fahrenheit.

Each reading becomes one record, whose key says which reading it was made of. The two handlers differ in one thing:
whether records and position are written in one transaction. Source: KIP-98, whose first use this is.
"""

from ...node import Partition

INPUTS = ("celsius-0", "celsius-1")
OUTPUTS = ("fahrenheit-0", "fahrenheit-1")
GROUP = "fahrenheit"


def in_transactions(partition):
    """Return the handler for one input partition, whose name is in its transactional id.

    So there is one producer for each partition, and an incarnation that takes it over fences the one before (KIP-447
    needs one for each consumer only, and fences by the group's generation).
    """

    def transform(node):
        producer = node.transactions.producer(f"to fahrenheit, {partition}")
        producer.init_transactions()
        positions = node.transactions.positions(GROUP)
        while node.running(positions):
            items, next_positions = node.read(positions)
            if items:
                producer.begin_transaction()
                for item in items:
                    producer.send(output_of(item), [transformed(partition, item)])
                producer.send_offsets_to_transaction(next_positions, GROUP)
                producer.commit_transaction()
            positions = next_positions

    return transform


def one_by_one(partition):
    """Return the handler that writes records first and its position last, each by itself: at least once."""

    def transform(node):
        positions = node.positions.load()
        while node.running(positions):
            items, next_positions = node.read(positions)
            for item in items:
                node.log.append(output_of(item), [transformed(partition, item)])
            if items:
                node.positions.save(next_positions)
            positions = next_positions

    return transform


def transformed(partition, item):
    """Return the record that a reading becomes: (which reading it is, degrees Fahrenheit)."""
    return key_of(partition, item.value), round(item.value * 1.8 + 32, 1)


def key_of(partition, number):
    """Return the key of the record that is made of a partition's reading `number`."""
    return f"{partition} {number}"


def output_of(item):
    """Return the output partition that a reading's record goes to: neighbours go to different ones."""
    return OUTPUTS[item.value % len(OUTPUTS)]


def output(number=0):
    """Return one of the output partitions."""
    return Partition(OUTPUTS[number])
