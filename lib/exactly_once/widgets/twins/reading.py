"""What the Twins console derives from a `TwinsState`: hours, faults, what a stopped twin would do next."""

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
    for one in shot.happenings if shot else ():
        if kind := STRIKING.get(one.kind):
            later = [two for two in shot.happenings if two.node == one.node and two.wall > one.wall]
            until = next((two.wall for two in later if two.kind in OVER[kind]), None)
            found.append(Strike(one.node, kind, one.wall, hour_at(shot, one.wall), until))
    return sorted(found, key=lambda strike: strike.wall)


def hour_at(shot, wall):
    """Return the hour that was under way in the machine at a moment, or the next one."""
    return next((version.hour for version in reversed(shot.versions) if version.wall <= wall), 1)


def by_hour(versions):
    """Return {hour: its versions of the register, in order}; HANDLING ends the hour before its own."""
    found = {}
    for version in versions:
        found.setdefault(version.hour - (version.stage == "HANDLING"), []).append(version)
    return found


def hours_of(shot):
    """Return the hours that have begun or wait, in order."""
    return sorted({*by_hour(shot.versions), *(hour for hour, _ in shot.waiting)}) if shot else []


class Held(NamedTuple):
    """What a stopped twin knows, and would do if it woke up now.

    `version` is the newest version of the register that it knows; `stale` tells that there are newer ones, and
    `reads` that it would read the register next. `where` and `waking` are sentences on where it is, and on its steps.
    """

    version: int
    stale: bool
    reads: bool
    where: str
    waking: str


def held_by(shot, twin):
    """Return the `Held` of a stopped twin.

    If it was stopped in WRITING at no crash point, its push may be done already, with the cas to come.
    """
    version, now = twin.version, len(shot.versions)
    stage, hour = (shot.versions[version - 1].stage, shot.versions[version - 1].hour) if version else ("HANDLING", 1)
    own = [one for one in shot.happenings if one.node == twin.number and one.life == twin.life]
    last = next((one.kind for one in reversed(own) if one.kind in ("read", "won", "lost", "written", "found")), "")
    reads = last == "lost" or (last == "won" and stage == "HANDLING")
    pushes = stage == "WRITING" and last not in ("written", "found") and " at C," not in own[-1].text
    outputs = sum(one.stage == "PREPARING" for one in by_hour(shot.versions[:version]).get(hour, []))
    what = f"the counter’s message of hour {hour}" if outputs > 1 else f"hour {hour}"
    doing = {"HANDLING": "to handle", "PREPARING": "to place", "WRITING": "to push" if pushes else "pushed"}[stage]
    where = f"It stopped in {stage}, with {what} {doing}. "
    waking = f"its cas fails ({version} ≠ {now}), and it reads again."
    if reads:
        where = f"It stopped after a cas, with version {version}. "
        waking = f"it reads the register, now at version {now}, and goes on from there."
    elif pushes:
        waking = f"its push finds that there, {waking}"
    waking = "The register is still as it knows it." if version == now else f"When it wakes, {waking}"
    return Held(version, version != now, reads, where, waking)


def finished_since(shot, wall):
    """Return the hours whose output came after a moment: the versions that ended these hours are later."""
    return [one.hour - 1 for one in shot.versions if one.stage == "HANDLING" and one.wall > wall]


def undisturbed(shot):
    """Return the longest wait before the first fault, in seconds, or None before some hours have gone by.

    It leaves out the backlog of the beginning: it counts from the first hour whose output was there before the next
    hour came.
    """
    until = min((strike.hour for strike in strikes(shot)[:1]), default=float("inf"))
    before = [cell for cell in shot.tape if cell.hour < until]
    calm = next((at for at, cell in enumerate(before) if cell.hour > 1 and cell.wait < 1 / shot.pace), len(before))
    return max((cell.wait for cell in before[calm:]), default=None) if len(before) - calm >= ENOUGH else None


def longest_wait_since(shot, hour):
    """Return the longest waiting time of a record of this hour or a later one, in seconds, or None."""
    return max((cell.wait for cell in shot.tape if cell.hour >= hour), default=None)
