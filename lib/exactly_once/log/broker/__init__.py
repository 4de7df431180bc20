"""The broker's side of the log: who leads, what a replica keeps, how followers keep up, and what is taken out.

`cluster` is all brokers together; `replica` holds the rules for one replica, `producer_state` those for producers.
"""
