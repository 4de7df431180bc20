"""A log over a broker with what an operator asks, and what the cases ask for besides."""

from kafka.protocol.admin import DeleteRecordsRequest
from kafka.protocol.consumer import FetchRequest
from kafka.protocol.metadata import MetadataRequest
from kafka.protocol.producer import WriteTxnMarkersRequest

from exactly_once.log import Receipt
from exactly_once.log.kafka.kafka_log import TRANSACTION, KafkaLog

TIMEOUT_MS = 10_000


class OperatedLog(KafkaLog):
    """A `KafkaLog` that ends transactions in one partition, deletes records, and says who leads."""

    def leader(self, topic, partition):
        """Return the id of the broker that leads a partition; None while none does."""
        said = self.ask((), MetadataRequest([(self.prefix + topic,)], version=1), lambda said: said.topics[0])
        (found,) = [one.leader_id for one in said.partitions if one.partition_index == partition]
        return None if found < 0 else found

    def aborted(self, topic, partition, offset, end):
        """Return (producer, first offset) of each aborted transaction that a broker names to a reader of `offset`."""
        place = self.prefix + topic
        request = FetchRequest(-1, 0, 1, 1 << 20, 1, [(place, [(partition, offset, 1 << 20)])], version=4)
        found = self.ask(("leader", place, partition), request).aborted_transactions or ()
        return [(one.producer_id, one.first_offset) for one in found]

    def write_marker(self, topic, partition, producer, epoch, result, coordinator_epoch=0, rules=1):
        """End a transaction in one partition, as a coordinator does, or an operator with `kafka-transactions.sh`."""
        place, end = self.prefix + topic, self.high_watermark(topic, partition)
        marker = producer, epoch, result == "commit", [(place, [partition])], coordinator_epoch
        request = WriteTxnMarkersRequest([(*marker, *([2] if rules == 2 else []))], version=rules)
        self.ask(("leader", place, partition), request, lambda said: said.markers[0].topics[0].partitions[0])
        return Receipt(topic, partition, end, 1, 0)

    def note(self, kind, transactional_id, *asked):
        """Have the coordinator note what a transaction is about to write to, in protocol 2, too."""
        name = self.prefix + transactional_id
        self.ask((TRANSACTION, name), kind(name, *asked, version=2))

    def delete_records(self, topic, partition, before):
        """Move a partition's log start to offset `before`."""
        place = self.prefix + topic
        request = DeleteRecordsRequest([(place, [(partition, before)])], TIMEOUT_MS, version=1)
        self.ask(("leader", place, partition), request)
