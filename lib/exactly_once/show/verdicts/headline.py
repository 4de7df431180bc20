"""The verdict in a box: a headline that can be read across a room, then the sentences, then the handler's own
error.
"""

import re
from html import escape

from ...verdict import Verdict
from ..base.checks import Mood, given

DEATH = re.compile(r"(?=\bIncarnation \d+ (?:was killed|gave up))")


def headline(verdict: Verdict) -> tuple[str, str, Mood]:
    """Return (sign, words, mood) of a verdict; the mood is "good", "bad" or "none"."""
    if given(verdict, Verdict).run.error:
        return "!", "The handler failed.", "bad"
    if not verdict.consistent:
        return "✗", "Not exactly once.", "bad"
    if not verdict.reached:
        return "–", "Not reached.", "none"
    if verdict.silent:
        return "–", "No output.", "none"
    if verdict.unfinished:
        found = verdict.run.pushes
        return ("✓", "Exactly once so far.", "good") if found else ("…", "Nothing to judge yet.", "none")
    return "✓", "Exactly once.", "good"


def explanation(verdict: Verdict, deaths: int = 3) -> str:
    """Return the verdict's sentences without the words of the headline.

    Of many deaths only the last `deaths` are described, with the number of the earlier ones.
    """
    text = given(verdict, Verdict).sentence
    if not verdict.run.error:
        text = text.removeprefix(headline(verdict)[1].rstrip(".") + ": ")
    head, *deaths_told = DEATH.split(text)
    if len(deaths_told) > deaths:
        left_out = len(deaths_told) - deaths
        deaths_told = [
            f"({left_out} earlier {'death is' if left_out == 1 else 'deaths are'} not described.) ",
            *deaths_told[left_out:],
        ]
    text = "".join([head, *deaths_told]).strip()
    return text[:1].upper() + text[1:]


def verdict_html(verdict: Verdict, deaths: int = 3) -> str:
    """Return the box. Everything in it is escaped; the story of the deaths is an element of its own."""
    sign, words, mood = headline(verdict)
    said, *story = map(escape, DEATH.split(explanation(verdict, deaths), 1))
    trouble = f'<pre class="eo-traceback">{escape(verdict.run.error)}</pre>' if verdict.run.error else ""
    return (
        f'<div class="eo-says eo-is-{mood}"><strong>{sign} {escape(words)}</strong> '
        f"{said}{''.join(f'<span class=eo-deaths>{one}</span>' for one in story)}{trouble}</div>"
    )
