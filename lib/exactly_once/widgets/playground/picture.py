"""The clock playground's picture as plain data, which the page draws: see picture.js."""

from itertools import pairwise

from .run import FEWEST, MOST
from .words import SIGNS, doing, relations, row_text, stamp_of, vector_of


def picture(state):
    """Return the page's picture: lines, events with their stamps and relations, arrows, the marked path."""
    shown = state.preview or state.drawing
    how, path = {}, ()
    if len(state.chosen) == 1:
        how = relations(shown, state.chosen[0])
    elif len(state.chosen) == 2:
        one, other = (shown.places[name] for name in state.chosen)
        relation = shown.history.relation(one, other)
        path = {"before": shown.path(*state.chosen), "after": shown.path(*state.chosen[::-1])}.get(relation) or ()
    drawn = _drawn(shown, path, state.vector)
    for event in drawn["events"]:
        name = event["name"]
        event |= {
            "stamp": str(stamp_of(shown, name)),
            "row": row_text(vector_of(shown, name)) if state.vector else "",
            "how": how.get(name, ""),
            "sign": SIGNS[how[name]] if name in how else "",
            "chosen": name in state.chosen,
            "words": _spoken(shown, name),
        }
    can = {"add": len(shown.lines) < MOST, "remove": len(shown.lines) > FEWEST}
    return drawn | {"mode": "draw", "tool": state.tool, "can": can, "refused": bool(state.preview_error)}


def quiz_picture(quiz, vector=False):
    """Return the page's picture of the quiz: fields for stamps in place of the stamps, or events to click on."""
    drawn = _drawn(quiz.drawing, quiz.path, False)
    marks, answers = dict(quiz.marks), dict(quiz.answers)
    over = quiz.state in ("right", "shown")
    for event in drawn["events"]:
        name = event["name"]
        mark = marks.get(name, "")
        field_ = quiz.question == "stamps" and not over
        stamp = answers.get(name, "") if quiz.question == "stamps" else ""
        picked = quiz.question == "concurrent" and name in quiz.picked
        target = quiz.question == "concurrent" and name == quiz.target
        event |= {
            "stamp": stamp, "row": "", "how": "", "sign": {"right": "✓", "wrong": "✗"}.get(mark, ""), "mark": mark,
            "chosen": target, "picked": picked, "field": field_,
            "words": _event(quiz.drawing, name) + (", chosen" if picked else "")
            + (f", {mark}" if mark else "") + (", the one in question" if target else ""),
        }  # fmt: skip
    return drawn | {
        "mode": "quiz", "question": quiz.question, "run": f"{quiz.level}/{quiz.number}", "over": over,
        "can": {}, "refused": False,
    }  # fmt: skip


def _drawn(drawing, path, vector):
    rows = {line.key: row for row, line in enumerate(drawing.lines)}
    steps = {*pairwise(path)}
    return {
        "lines": [{"key": line.key, "name": line.name} for line in drawing.lines],
        "events": [
            {
                "name": dot.name, "line": dot.line, "row_number": rows[dot.line], "x": dot.x, "text": dot.text,
                "receives": any(other == dot.name for _, other in drawing.arrows),
                "busy": drawing.is_busy(dot.name), "lost": dot.name in drawing.lost, "on": dot.name in path,
            }
            for dot in drawing.order
        ],
        "arrows": [{"from": one, "to": other, "on": (one, other) in steps} for one, other in drawing.arrows],
        "steps": [
            [one, other] for one, other in pairwise(path)
            if drawing.dot(one).line == drawing.dot(other).line
        ],
        "vector": vector,
    }  # fmt: skip


def _spoken(drawing, name):
    entries = zip(drawing.lines, vector_of(drawing, name), strict=True)
    row = ", ".join(f"{line.name} {time}" for line, time in entries)
    return f"{_event(drawing, name)}; Lamport stamp {stamp_of(drawing, name)}; vector {row}"


def _event(drawing, name):
    return f"event {name} on {drawing.where(name)}, {doing(drawing, name)}"
