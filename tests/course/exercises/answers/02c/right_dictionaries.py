"""Gives the settings by name, and leaves out what has its default."""

answer = {
    "views": {"acks": 0, "unclean_election": True},
    "clicks": {"acks": 1},
    "orders": {"acks": "all", "min_insync_replicas": 2},
    "ledger": {"acks": "all", "min_insync_replicas": 3, "unclean_election": False},
}
