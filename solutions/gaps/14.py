# %% id="gap-14-interval"
def interval(rate, record, commit, use):
    # Return seconds, or None.
    ### BEGIN SOLUTION
    spare = use - rate * record
    return commit / spare if spare > 0 else None
    ### END SOLUTION


pace = gap("14-interval", interval)

# %% [markdown] id="gap-14-interval-hints" tags=["hints"]
# ### the shortest interval
#
# 1. How long do the records of one second take? How much of that second may be used, and what is left for commits?
# 2. In an interval of T seconds, `rate * T` records arrive. They take `rate * T * record` seconds, and one commit comes on
#    top. All of it has to fit into `use * T`.
# 3. Solve `rate * T * record + commit == use * T` for T. There is no such T if the records of a second take `use` seconds
#    or more.

# %% id="gap-14-most"
def most(shares, partition_of, rate):
    # Return records a second, of the whole input.
    ### BEGIN SOLUTION
    loads = {}
    for key, share in shares.items():
        place = partition_of[key]
        loads[place] = loads.get(place, 0) + share
    return rate / max(loads.values())
    ### END SOLUTION


sharded = gap("14-most", most)

# %% [markdown] id="gap-14-most-hints" tags=["hints"]
# ### the slowest partition
#
# 1. Which partition falls behind first when more and more records arrive?
# 2. Add up the shares of the keys of each partition. A partition without keys has no work.
# 3. The partition with the largest sum gets this share of all records, and its host handles `rate` of them in a
#    second. Which number of all records has this share?

# %% id="gap-14-sure"
def compare(rounds, case, base):
    # Return "less", "more" or "not sure".
    ### BEGIN SOLUTION
    if len(rounds) >= 6:
        if all(one[case] < one[base] for one in rounds):
            return "less"
        if all(one[case] > one[base] for one in rounds):
            return "more"
    return "not sure"
    ### END SOLUTION


judge = gap("14-sure", compare)

# %% [markdown] id="gap-14-sure-hints" tags=["hints"]
# ### how sure one can be
#
# 1. A computer can become slower in the course of the rounds. Which two numbers were measured shortly after each other?
# 2. Look at each round by itself: on which side is it? What does one round on the other side say?
# 3. If there are fewer than six rounds, the answer is fixed. Otherwise ask twice with `all`: whether the case took less
#    than the base in each round, and whether it took more in each round.

# %% id="gap-14-waits"
def until_seen(records, ends):
    # Return a list: the seconds that each record waits.
    ### BEGIN SOLUTION
    seen, stable = [], 0
    for sent, whose in records:
        stable = max(stable, ends[whose])
        seen.append(stable - sent)
    return seen
    ### END SOLUTION


reader = gap("14-waits", until_seen)

# %% [markdown] id="gap-14-waits-hints" tags=["hints"]
# ### until a reader sees it
#
# 1. A `read_committed` reader goes through the log in order, and stops before the first record whose transaction is open.
# 2. So a record is seen when its own transaction has ended, and the transaction of each record before it as well.
# 3. Go through the records, and keep the latest end that you have met so far. The wait is this moment less the moment
#    at which the record was sent.
