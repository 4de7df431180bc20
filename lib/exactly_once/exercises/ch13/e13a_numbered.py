"""Exercise 13a: whether a producer numbers its records, by its client, version and settings.

The rules are those of Apache Kafka's ProducerConfig, of the versions named here, and of librdkafka 2.15.0.
"""

from html import escape

from ...show import Picture
from ..kinds.cases import Cases, sketched

JAVA, LIBRDKAFKA = "java", "librdkafka"
YES, NO, REFUSED = WORDS = ("numbered", "not numbered", "refused")
IDEMPOTENCE, ACKS, RETRIES, IN_FLIGHT = (
    "enable.idempotence",
    "acks",
    "retries",
    "max.in.flight.requests.per.connection",
)
CASES = (  # the smallest that shows a mistake stands first
    (JAVA, (4, 3, 1), {}),
    (LIBRDKAFKA, (2, 15, 0), {}),
    (LIBRDKAFKA, (2, 15, 0), {IDEMPOTENCE: True}),
    (JAVA, (3, 0, 0), {}),
    (JAVA, (3, 1, 0), {}),
    (JAVA, (3, 2, 0), {}),
    (JAVA, (3, 0, 1), {}),
    (JAVA, (3, 1, 0), {IDEMPOTENCE: True}),
    (JAVA, (4, 3, 1), {IDEMPOTENCE: False, IN_FLIGHT: 10}),
    (JAVA, (4, 3, 1), {ACKS: "1"}),
    (JAVA, (4, 3, 1), {ACKS: "-1"}),
    (JAVA, (4, 3, 1), {RETRIES: 0}),
    (JAVA, (4, 3, 1), {RETRIES: 10, IN_FLIGHT: 5}),
    (JAVA, (3, 9, 0), {IN_FLIGHT: 6}),
    (JAVA, (4, 0, 0), {IN_FLIGHT: 6}),
    (JAVA, (4, 0, 0), {ACKS: "1", IN_FLIGHT: 6}),
    (JAVA, (4, 3, 1), {IDEMPOTENCE: True, ACKS: "0"}),
    (JAVA, (4, 3, 1), {IDEMPOTENCE: True, RETRIES: 0}),
    (JAVA, (3, 9, 0), {IDEMPOTENCE: True, IN_FLIGHT: 6}),
    (LIBRDKAFKA, (2, 15, 0), {IDEMPOTENCE: True, ACKS: "1"}),
    (LIBRDKAFKA, (2, 15, 0), {IDEMPOTENCE: True, IN_FLIGHT: 6}),
    (LIBRDKAFKA, (2, 15, 0), {ACKS: "all", IN_FLIGHT: 6}),
)


def numbered(client, version, settings):
    """Return one of `WORDS` for a producer."""
    chosen = settings.get(IDEMPOTENCE)
    loses = settings.get(ACKS, "all") not in ("all", "-1") or settings.get(RETRIES, 1) == 0
    many = settings.get(IN_FLIGHT, 5) > 5
    if chosen is False:
        return NO
    if chosen:
        return REFUSED if loses or many else YES
    if client == LIBRDKAFKA or version < (3, 0, 1) or (3, 1) <= version < (3, 1, 1):
        return NO
    if many and version >= (4,):
        return REFUSED
    return NO if loses or many else YES


def in_words(client, version, settings):
    """Return a producer in words."""
    said = ", ".join(f"{name}={value}" for name, value in settings.items()) or "no settings"
    return f"{client} {'.'.join(map(str, version))}, {said}"


def objection(client, version, settings, said):
    """Return a sentence on the mistake of one answer, or None."""
    right = numbered(client, version, settings)
    if said == right:
        return None
    start = f"{in_words(client, version, settings)}: your function returns {said!r}"
    if said not in WORDS:
        return f"{start}; return one of {', '.join(map(repr, WORDS))}."
    return f"{start}. {_because(client, version, settings, right)}"


def _because(client, version, settings, right):
    if settings.get(IDEMPOTENCE) is False:
        return "Idempotence is switched off, and then any other setting will do."
    if settings.get(IDEMPOTENCE):
        return {
            YES: "It is switched on, and no other setting stands in its way.",
            REFUSED: "It is asked for, and another setting contradicts it: no such producer is made.",
        }[right]
    if client == LIBRDKAFKA:
        return "librdkafka numbers nothing unless it is told to."
    return {
        YES: "It is this version's default, and no other setting stands in its way.",
        REFUSED: "Since 4.0.0 more than five requests in flight are refused unless idempotence is switched off.",
        NO: "This version's default does not take effect, or another setting switches it off without an error.",
    }[right]


def drawn(client, version, settings, said, told=True):
    """Return the picture of a producer, and of an answer to it."""
    words = f"Yours: {said!r}." + told * f" Right: {numbered(client, version, settings)!r}."
    first = in_words(client, version, settings)
    return Picture(f"<pre>{escape(first)}</pre><p>{escape(words)}</p>", text=f"{first}\n{words}")


TASK = Cases(
    answer="judged",
    tier="warm-up",
    form="a function, judged(client, version, settings)",
    cases=CASES,
    example=CASES[9],
    oracle=numbered,
    objection=objection,
    draw=drawn,
    sketch=sketched(drawn, CASES[9]),
    fails=lambda client, version, settings, said: (
        f"{in_words(client, version, settings)}: your function fails with {said}."
    ),
    praise="Right for {count} producers. The same line of settings means something else in another client, and "
    "acks=1 takes the numbers away without an error.",
)
