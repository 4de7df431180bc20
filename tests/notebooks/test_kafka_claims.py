"""What the chapters say of Kafka: a test holds the course's log to each statement, or a page says so.

A sentence that names Kafka, one of its clients or a KIP is a claim, and stands in `CLAIMS` by some words of its own;
so do other rules that the chapter takes from Kafka. What was found to be wrong stands in `REMOVED`, and stays out.
"""

import ast
import re

import pytest

from exactly_once.paths import ROOT

from .reading import NOTEBOOKS, boxes, prose, read

TESTS = ROOT / "tests"
NAMED = re.compile(r"Kafka|librdkafka|KIP-\d|Java client")
VERSION = re.compile(r"/\d\d/|/v\d+\.\d+\.\d+/")  # in a link: of a page of Kafka's or of a file of librdkafka's
APART = ("Further reading",)  # sections that name sources

CONFIGS = "https://kafka.apache.org/43/configuration"
CLIENTS, BROKERS = "log/test_clients.py", "log/test_brokers.py"
RETENTION, PROVED = "log/test_retention.py", "log/test_proved.py"

# By chapter: words that stand in its prose, and what they rest on: tests (file::name), or links of the chapter.
CLAIMS = {
    "02-the-log": {
        "Terms and rules are those of Apache Kafka 4.3": [f"{CONFIGS}/broker-configs/"],
        "A topic has no order of its own; its partitions have": [
            f"{CLIENTS}::test_equal_keys_keep_their_order_in_one_partition"
        ],
        "places records as Kafka's Java client does, or as librdkafka does": [
            f"{CLIENTS}::test_both_partitioners_place_keys_as_librdkafkas_test_says"
        ],
        "The Java client takes murmur2 of the key, librdkafka takes CRC32": [
            f"{CLIENTS}::test_two_clients_with_their_defaults_separate_equal_keys"
        ],
        "librdkafka calls Java's `murmur2_random`": [
            "https://github.com/confluentinc/librdkafka/blob/v2.15.0/CONFIGURATION.md"
        ],
        "stays with one partition until about 16 kilobytes went there": [
            f"{CLIENTS}::test_without_key_a_producer_stays_in_a_partition_for_a_while_and_then_turns"
        ],
        "A consumer group does not acknowledge single records": [
            f"{CLIENTS}::test_a_consumer_reads_on_from_what_its_group_committed"
        ],
        "Kafka 4.2 has *share groups* besides": ["https://kafka.apache.org/42/getting-started/upgrade/"],
        "drops whole closed segments from the beginning, by age or by size": [
            f"{RETENTION}::test_old_segments_go_whole_and_the_newest_goes_last",
            f"{RETENTION}::test_retention_by_size_keeps_about_that_much",
        ],
        "it may cut inside a segment": [f"{RETENTION}::test_the_log_start_may_lie_inside_a_batch"],
        "keeps at least the newest record of each key": [
            f"{RETENTION}::test_compaction_keeps_the_newest_record_of_each_key_at_its_offset"
        ],
        "The next fetch asks for offset 1, and by that says that offset 0 is there": [
            f"{BROKERS}::test_by_hand_the_high_watermark_moves_when_followers_have_reported"
        ],
        "nobody waits for it until it has caught up": [
            f"{BROKERS}::test_a_follower_that_does_not_fetch_leaves_those_in_sync_while_acks_all_waits"
        ],
        "so the brokers take turns in leading a topic's partitions": [
            f"{BROKERS}::test_partitions_are_spread_and_a_death_moves_only_the_leaders_that_died"
        ],
        "Acknowledged, and lost: broker 0 alone had the tea": [f"{PROVED}::test_acks_1_is_lost_with_the_leader"],
        "An unclean election takes a leader that may lack committed records": [
            f"{PROVED}::test_an_unclean_election_loses_what_was_committed"
        ],
        "the leader answers where epoch 0 ends in *its* log": [
            f"{BROKERS}::test_followers_truncate_by_leader_epoch_after_quick_changes_of_leader"
        ],
        "Before version 0.11 a Kafka follower that started again cut its log at its own high watermark": [
            f"{BROKERS}::test_before_leader_epochs_a_restart_and_a_death_lost_what_was_committed",
            f"{BROKERS}::test_with_leader_epochs_the_same_restart_and_death_lose_nothing",
        ],
        "This is the first story of KIP-101": [
            f"{BROKERS}::test_before_leader_epochs_a_restart_and_a_death_lost_what_was_committed"
        ],
        "it moves only while they are at least that many": [
            f"{BROKERS}::test_below_the_minimum_acks_all_is_refused_and_acks_1_stays_invisible"
        ],
        "One death costs no acknowledged record": [
            f"{PROVED}::test_what_was_promised_is_there_while_an_in_sync_replica_lives"
        ],
        "are the usual choice for what must not be lost": [
            f"{CONFIGS}/topic-configs/#topicconfigs_min.insync.replicas"
        ],
        "9 seconds by default": [f"{CONFIGS}/broker-configs/#brokerconfigs_broker.session.timeout.ms"],
        "a twentieth of Kafka's 9 s": [f"{CONFIGS}/broker-configs/#brokerconfigs_broker.session.timeout.ms"],
        "finds KIP-101's story by itself": [
            f"{PROVED}::test_the_explorer_finds_why_followers_do_not_truncate_to_their_high_watermark"
        ],
    },
}

REMOVED = {  # what no notebook says any more, and why
    r"Kafka's clients use \*?murmur2": "librdkafka's default is CRC32",
    r"every client has to compute the same": "two clients with their defaults do not",
    r"one death costs neither records nor time": "an election takes seconds: broker.session.timeout.ms",
    r"Retention\S* deletes from the beginning": "it drops whole closed segments; DeleteRecords cuts anywhere",
    r"Real Kafka once cut .* two quick changes of leader": "one restart and one death are enough (KIP-101)",
    r"Readers? (always|only) reads? from the leader": "since 2.4 consumers may read from followers (KIP-392)",
    r"high watermark\S* is the first offset that an": "too few in-sync replicas hold it back (KIP-966)",
}


def spoken(notebook):
    """Return the paragraphs of a notebook's prose, without boxes, whose rows name their pages themselves."""
    apart = boxes(notebook)
    text = prose(notebook)
    for box in apart:
        text = text.replace(box, "")
    for name in APART:
        text = re.sub(rf"^## {name}.*?(?=^## |\Z)", "", text, flags=re.MULTILINE | re.DOTALL)
    return [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text)]


def sentences(notebook):
    return [
        sentence for paragraph in spoken(notebook) for sentence in re.split(r"(?<=[.!?:])\)? (?=[(*A-Z])", paragraph)
    ]


def functions_of(path):
    return {node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}


def notebook_named(chapter):
    return read(ROOT / "notebooks" / f"{chapter}.ipynb")


claims = pytest.mark.parametrize(
    ("chapter", "words"), [(chapter, words) for chapter, found in CLAIMS.items() for words in found]
)


@claims
def test_a_claim_stands_in_its_chapter_and_rests_on_a_test_or_a_page(chapter, words):
    notebook = notebook_named(chapter)
    assert any(words in paragraph for paragraph in spoken(notebook)), "the chapter no longer says so"
    assert CLAIMS[chapter][words]
    for ground in CLAIMS[chapter][words]:
        if ground.startswith("https://"):
            assert VERSION.search(ground), "a page has a version"
            assert ground in prose(notebook), "the chapter cites the page"
        else:
            file, _, name = ground.partition("::")
            assert name in functions_of(TESTS / file), ground


@pytest.mark.parametrize("chapter", CLAIMS)
def test_a_sentence_that_names_kafka_is_a_claim(chapter):
    found = [sentence for sentence in sentences(notebook_named(chapter)) if NAMED.search(sentence)]
    free = [sentence for sentence in found if not any(words in sentence for words in CLAIMS[chapter])]
    assert free == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_was_found_to_be_wrong_stays_out(path):
    text = " ".join(prose(read(path)).split())
    assert [(words, why) for words, why in REMOVED.items() if re.search(words, text)] == []


def test_a_claim_that_came_back_would_be_found():
    old = "Kafka's clients use *murmur2*, and every client has to compute the same number."
    assert [words for words in REMOVED if re.search(words, old)] == list(REMOVED)[:2]
