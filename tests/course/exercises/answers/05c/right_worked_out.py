"""Works the window out, and writes the logs from it."""

BATCHES, WINDOW = "abcdefg", 5
alone = 1
victim = BATCHES[alone]
pushed_out = len(BATCHES) - alone - 1 >= WINDOW

answer = {
    "largest": WINDOW,
    "lost": ("answer", victim),
    "java": BATCHES + victim * pushed_out,
    "librdkafka": BATCHES,
}
