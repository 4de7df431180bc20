REASON = "doubled"


def answer(consumer, producer, work):
    while records := consumer.poll(2):
        producer.begin_transaction()
        try:
            for record in records:
                producer.send("output-0", [work(record.value)])
            offsets = {"readings-0": consumer.position()}
            producer.send_offsets_to_transaction(offsets, "averages")
            producer.commit_transaction()
        except ValueError:
            producer.commit_transaction()
            consumer.seek(0, records[0].offset)
