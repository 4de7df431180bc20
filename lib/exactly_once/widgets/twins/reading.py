"""The derived data of the Twins console, from a `TwinsState`: hours, faults, the position of a stopped twin."""

from typing import NamedTuple

NOW = "now"
POINTS = {
    NOW: "at once",
    "A": "at A: before HANDLING's cas",
    "B": "at B: before the counter's push",
    "C": "at C: pushed, before the last cas",
    "D": "at D: after that cas",
    "E": "at E: back in HANDLING",
}
ENOUGH = 4  # hours after which the longest wait is meaningful
STRIKING = {"stopped": "stop", "killed": "kill"}
OVER = {"stop": ("resumed", "killed", "died"), "kill": ("began",)}


class Strike(NamedTuple):
    """A fault: the struck twin, the kind "stop" or "kill", its moment, its hour, and the moment of its end, or None.

    `hour` is the hour that was under way in the machine; moments are in seconds since the epoch.
    """

    node: int
    kind: str
    wall: float
    hour: int
    until: float | None


def strikes(shot):
    """Return the `Strike`s of a run, oldest first."""
    found = []
    happenings = shot.happenings if shot else ()
    for happening in happenings:
        kind = STRIKING.get(happening.kind)
        if kind is None:
            continue
        over = OVER[kind]
        until = next(
            (
                later.wall for later in happenings
                if later.node == happening.node and later.kind in over and later.wall > happening.wall
            ),
            None,
        )  # fmt: skip
        found.append(Strike(happening.node, kind, happening.wall, hour_at(shot, happening.wall), until))
    return sorted(found, key=lambda strike: strike.wall)


def hour_at(shot, wall):
    """Return the hour that was under way in the machine at a moment, or the next one."""
    before = [version for version in shot.versions if version.wall <= wall]
    return before[-1].hour if before else 1


def hours_of_versions(versions):
    """Return the hour of each version of the register; HANDLING ends the hour before it."""
    hours, last = [], 1
    for version in versions:
        if version.stage != "HANDLING":
            last = version.hour
        hours.append(last)
    return hours


def by_hour(versions):
    """Return {hour: its versions of the register, in order}."""
    found = {}
    for version, hour in zip(versions, hours_of_versions(versions), strict=True):
        found.setdefault(hour, []).append(version)
    return found


def hours_of(shot):
    """Return the hours that have begun or wait, in order."""
    return sorted({*hours_of_versions(shot.versions), *(hour for hour, _ in shot.waiting)}) if shot else []


class Held(NamedTuple):
    """The next step of a stopped twin, if it woke up now.

    `version` is the newest version of the register that it knows, `stage` and `hour` are the contents of that
    version, `output` is the number of the hour's output, from 0. `next` is "cas", "push" or "read"; if it was stopped
    in WRITING at no crash point, its push may be done already, with the cas to come. `stale` tells that the register
    has newer versions.
    """

    version: int
    stage: str
    hour: int
    output: int
    next: str
    stale: bool


def held_by(shot, twin):
    """Return the `Held` of a twin when it was stopped."""
    version, now = twin.version, len(shot.versions)
    known = shot.versions[version - 1] if 0 < version <= now else None
    hour = known.hour if known else 1
    stage = known.stage if known else "HANDLING"
    own = [one for one in shot.happenings if one.node == twin.number and one.life == twin.life]
    last = next((one.kind for one in reversed(own) if one.kind in ("read", "won", "lost", "written", "found")), "")
    follows = "cas"
    if last == "lost" or (last == "won" and stage == "HANDLING"):
        follows = "read"
    elif stage == "WRITING" and last not in ("written", "found") and point_of(own) != "C":
        follows = "push"
    begun = by_hour(shot.versions[:version]).get(hour, [])
    output = max(0, sum(one.stage == "PREPARING" for one in begun) - 1)
    return Held(version, stage, hour, output, follows, version != now)


def point_of(own):
    """Return the crash point at which an incarnation was stopped, by the newest of its happenings, or ""."""
    text = own[-1].text if own and own[-1].kind == "stopped" else ""
    return next((point for point in POINTS if f" at {point}," in text), "")


def finished_since(shot, wall):
    """Return the hours whose output came after a moment: the versions that ended these hours are later."""
    hours = hours_of_versions(shot.versions)
    return [
        hour for version, hour in zip(shot.versions, hours, strict=True)
        if version.stage == "HANDLING" and version.wall > wall
    ]  # fmt: skip


def undisturbed(shot):
    """Return the longest wait before the first fault, in seconds, or None before some hours have gone by.

    It leaves out the backlog of the beginning: it counts from the first hour whose output was there before the next
    hour came.
    """
    found = strikes(shot)
    until = found[0].hour if found else float("inf")
    before = [cell for cell in shot.tape if cell.hour < until]
    calm = next((at for at, cell in enumerate(before) if cell.hour > 1 and cell.wait < 1 / shot.pace), len(before))
    return max((cell.wait for cell in before[calm:]), default=None) if len(before) - calm >= ENOUGH else None


def longest_wait_since(shot, hour):
    """Return the longest waiting time of a record of this hour or a later one, in seconds, or None."""
    return max((cell.wait for cell in shot.tape if cell.hour >= hour), default=None)
