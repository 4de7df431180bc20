"""The sentences of the log viewer: the consequences of an action, from the log before it and the log after it."""

from ...log import murmur2, partition_for

SIGNS = {"none": "·", "leader": "◐", "committed": "●"}


def where_to(key, partitions):
    """Return the reason why a key's records go to their partition."""
    if partitions == 1:
        return "there is no other"
    number = murmur2(key)
    bare = number & 0x7FFFFFFF
    sign = f", {bare} without its sign bit" if number < 0 else ""
    return f"murmur2(“{key}”) is {number}{sign}; divided by {partitions} it leaves {partition_for(key, partitions)}"


def promised(entry):
    """Describe the promise to the sender of a record; `entry` is one of a snapshot's promises."""
    if entry["promise"] == "committed":
        return "acknowledged with acks=all: every in-sync replica had it"
    if entry["promise"] == "leader":
        return "acknowledged with acks=1: the leader alone had it"
    if entry["acks"] == "all":
        return "sent with acks=all and never acknowledged: its producer knows that it has to ask again"
    return "sent with acks=0: nothing was promised"


def kept(entry):
    """Tell in words whether a lost record's promise was broken."""
    return {
        "committed": "A promise is broken: it takes an unclean election, the end of every in-sync replica, or "
        "followers that cut their logs at their own high watermarks.",
        "leader": "The promise was about one broker, and that one had it; it said nothing of the others.",
        "none": "No promise is broken.",
    }[entry["promise"]]


def consequences(before, after):
    """Return the changes between two snapshots of a log, in sentences, partition by partition."""
    said = []
    for old, new in zip(before["partitions"], after["partitions"], strict=True):
        name = f"Partition {new['partition']}"
        said += _leaders(name, old, new)
        said += _replicas(name, old, new, after["alive"])
        said += _in_sync(name, old, new)
        if (
            None not in (old["high_watermark"], new["high_watermark"])
            and new["high_watermark"] != old["high_watermark"]
        ):
            said.append(_watermark(name, old, new))
        said += _lost(name, old, new)
    return said


def records_between(records, start, end):
    """Return the values of the records with offsets from `start` to below `end`, in words."""
    values = [str(record["value"]) for record in records if start <= record["offset"] < end]
    return listed(values)


def listed(words):
    """Return words with commas, and an "and" before the last."""
    *most, last = words or ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last


def _leaders(name, old, new):
    if new["leader"] is None and old["leader"] is not None:
        alive = [replica["broker"] for replica in new["replicas"] if replica["alive"]]
        waiting = "an election has to be called" if set(alive) & set(new["isr"]) else "no in-sync replica is alive"
        return [f"{name} has no leader: {waiting}. Nobody can write to it or read from it."]
    if new["leader"] == old["leader"] and new["epoch"] == old["epoch"]:
        return []
    how = (
        "from the in-sync replicas"
        if new["leader"] in old["isr"]
        else "uncleanly: it was not in sync, and what it lacks is gone"
    )
    return [f"{name}: broker {new['leader']} is elected leader in epoch {new['epoch']}, {how}."]


def _replicas(name, old, new, alive):
    said = []
    leads = next((one["records"] for one in new["replicas"] if one["leader"]), ())
    there = {(record["offset"], record["epoch"]) for record in leads}
    for was, now in zip(old["replicas"], new["replicas"], strict=True):
        common = {(record["offset"], record["epoch"]) for record in now["records"]}
        cut = [record for record in was["records"] if (record["offset"], record["epoch"]) not in common]
        if cut:
            values = listed([str(record["value"]) for record in cut])
            why = (
                "all that lies at or above its own high watermark"
                if there >= {(record["offset"], record["epoch"]) for record in cut}
                else f"the leader of epoch {new['epoch']} has something else there, or nothing"
            )
            said.append(f"{name}: broker {now['broker']} cuts {values} off its log: {why}.")
        start = was["end"] - len(cut)
        if now["end"] > start and not now["leader"] and now["broker"] in alive:
            said.append(
                f"{name}: broker {now['broker']} copies {records_between(now['records'], start, now['end'])}."
            )
    return said


def _in_sync(name, old, new):
    if set(old["isr"]) == set(new["isr"]):
        return []
    joined, left = set(new["isr"]) - set(old["isr"]), set(old["isr"]) - set(new["isr"])
    said = [
        f"{_brokers(some)} {verb}{'s' * (len(some) == 1)}"
        for some, verb in ((joined, "join"), (left, "leave"))
        if some
    ]
    few = len(new["isr"]) < new["min_insync_replicas"]
    short = f": fewer than the {new['min_insync_replicas']} that acks=all needs" if few else ""
    return [f"{name}: {listed(said)} the in-sync replicas, now {listed(list(map(str, new['isr'])))}{short}."]


def _brokers(numbers):
    return f"broker{'s' * (len(numbers) > 1)} {listed([str(number) for number in sorted(numbers)])}"


def _watermark(name, old, new):
    low, high = old["high_watermark"], new["high_watermark"]
    if high < low:
        return f"{name}: the high watermark falls back from {low} to {high}, as far as the new leader knows."
    leads = next(replica for replica in new["replicas"] if replica["leader"])
    values = records_between(leads["records"], low, high)
    asked = {(one["offset"], one["epoch"]) for one in old["promises"] if one["promise"] == "committed"}
    told = [
        one["value"]
        for one in new["promises"]
        if one["promise"] == "committed" and one["acks"] == "all" and (one["offset"], one["epoch"]) not in asked
    ]
    answer = f" {listed(told)} {'is' if len(told) == 1 else 'are'} acknowledged with acks=all." if told else ""
    return (
        f"{name}: the high watermark moves to {high}: {values} {'is' if high - low == 1 else 'are'} "
        f"committed.{answer}"
    )


def _lost(name, old, new):
    known = {(one["offset"], one["epoch"]) for one in old["promises"] if one["lost"]}
    said = [
        f"✗ {one['value']} is lost. It was {promised(one)}. {kept(one)}"
        for one in new["promises"]
        if one["lost"] and (one["offset"], one["epoch"]) not in known
    ]
    answered = [one for one in new["promises"] if one["promise"] != "none" and not one["lost"]]
    if not said and answered and new["leader"] is not None and new["epoch"] != old["epoch"]:
        said = [f"✓ Nothing that was acknowledged is lost: broker {new['leader']} has it."]
    return said
