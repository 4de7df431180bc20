"""Which partition a record goes to: the default rules of Kafka's Java client and of librdkafka, bit for bit.

They differ, so two clients with their defaults send equal keys to different partitions. "murmur2_random" is the Java
client's: MurmurHash2 (Austin Appleby, 2008) with the seed, and the sign bit cleared before the remainder, of Kafka's
`Utils.murmur2` and `BuiltInPartitioner`. "consistent_random" is that of librdkafka, and so of its Python client:
CRC-32. The names are those of librdkafka's setting `partitioner` (its CONFIGURATION.md and `rdkafka_msg.c`).
"""

import random
import zlib
from typing import Literal, TypeAlias, get_args

from ...errors import BadInput, one_of, whole
from ..storage.records import Key

Partitioner: TypeAlias = Literal["murmur2_random", "consistent_random"]
PARTITIONERS: tuple[Partitioner, ...] = get_args(Partitioner)
JAVA: Partitioner = "murmur2_random"
SEED = 0x9747B28C
MULTIPLIER = 0x5BD1E995
WORD = 0xFFFFFFFF
STICKY_BYTES = 16_384  # Kafka's default batch.size


def murmur2(key: bytes | str) -> int:
    """Return the hash of a key, as a signed number of 32 bits."""
    data = key_bytes(key)
    length = len(data)
    state = (SEED ^ length) & WORD
    whole_words = length & ~3
    for at in range(0, whole_words, 4):
        word = int.from_bytes(data[at : at + 4], "little") * MULTIPLIER & WORD
        word = (word ^ word >> 24) * MULTIPLIER & WORD
        state = (state * MULTIPLIER & WORD) ^ word
    if whole_words < length:
        state = (state ^ int.from_bytes(data[whole_words:], "little")) * MULTIPLIER & WORD
    state = (state ^ state >> 13) * MULTIPLIER & WORD
    state ^= state >> 15
    return state - 2**32 if state >= 2**31 else state


def partition_for(key: bytes | str, partitions: int, partitioner: Partitioner = JAVA) -> int:
    """Return the partition, of so many, to which every record with this key goes.

    `key` is bytes, or text, which stands for its UTF-8 bytes. `partitioner` is "murmur2_random", the default of
    Kafka's Java client, or "consistent_random", that of librdkafka. Equal keys go to equal partitions as long as the
    number of partitions stays, and all who write use one partitioner. Raises `BadInput` for another key, and for one
    that counts as none: None, and with "consistent_random" the empty one too. Only a producer places such a record.
    """
    whole("The number of partitions", partitions, least=1)
    if is_none(key, partitioner):
        raise BadInput(
            "A record without a key has no partition of its own; a Producer picks one, or name it yourself."
            + (" An empty key counts as none with 'consistent_random'." if key is not None else "")
        )
    if partitioner == JAVA:
        return (murmur2(key) & 0x7FFFFFFF) % partitions
    return zlib.crc32(key_bytes(key)) % partitions


def is_none(key: Key, partitioner: Partitioner = JAVA) -> bool:
    """Tell whether a key counts as none; for "consistent_random" an empty one does."""
    one_of("partitioner", partitioner, PARTITIONERS)
    return key is None or (partitioner != JAVA and not key_bytes(key))


def key_bytes(key: bytes | str) -> bytes:
    """Return a key's bytes. Raises `BadInput` for a key that is neither bytes nor text."""
    if isinstance(key, str):
        try:
            return key.encode()
        except UnicodeEncodeError:
            raise BadInput(f"The key is {key[:40]!r}; half a character is no UTF-8, so give whole ones.") from None
    if isinstance(key, (bytes, bytearray, memoryview)):
        return bytes(key)
    raise BadInput(f"The key is {key!r} of type {type(key).__name__}; a key is text or bytes.")


class Sticky:
    """Where records without a key go: to one partition until about 16 KB were sent, then to another one.

    It makes fuller batches than turning at each record (KIP-480, KIP-794). `seed` makes the picks repeatable.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)
        self._chosen: int | None = None
        self._sent = 0

    def pick(self, partitions: int, size: int) -> int:
        """Return the partition, of so many, for a record of `size` bytes."""
        if self._chosen is None or self._chosen >= partitions or self._sent >= STICKY_BYTES:
            others = [partition for partition in range(partitions) if partition != self._chosen]
            self._chosen, self._sent = self._random.choice(others or [0]), 0
        self._sent += size
        return self._chosen
