"""The log viewer's screen as fragments of HTML, from the log's snapshot and the model's state."""

from html import escape

from ..base.controls import button, field, segments, select, text_field
from .state import ACKS, BROKERS, MODES
from .stories import NONE, STORIES
from .tapes import lost_records, partition_html, table

MODE_TITLES = dict(zip(MODES, ("By hand", "Auto"), strict=True))


FIRST = (
    "<strong>Send a record,</strong> let the followers fetch it, kill a broker: what is lost, and what had been "
    "promised? Or choose a story."
)
GUESS = "<strong>Guess before each step:</strong> what will be there afterwards, and what will be lost?"


def fragments(model, _width=None):
    """Return {region: HTML} of a `LogViewerModel`."""
    state, snapshot = model.state, model.snapshot
    return {
        "toolbar": toolbar(model),
        "producer": producer(state),
        "brokers": brokers(snapshot),
        "ahead": ahead(model),
        "says": says(model.state),
        "partitions": "".join(
            partition_html(partition, state, snapshot["paused"]) for partition in snapshot["partitions"]
        ),
        "lost": lost_records(snapshot["partitions"], state),
        "notes": notes(state.notes),
        "table": table(snapshot, state),
    }


def toolbar(model):
    """Return the first row: story, settings of the topic, undo and reset."""
    state, settings = model.state, model.state.settings
    stories = [(NONE, "explore by yourself"), *((name, story.title) for name, story in STORIES.items())]
    counts = {number: str(number) for number in range(1, BROKERS + 1)}
    return (
        '<div class="eo-log-viewer-choices">'
        + field("Story", select("story", stories, state.story))
        + field("Partitions", segments("partitions", counts, settings.partitions, spoken="{} partitions"))
        + field(
            "min.insync.replicas",
            segments("min_insync", counts, settings.min_insync_replicas, spoken="min.insync.replicas={}"),
        )
        + field(
            "unclean.leader.election",
            button("eo-unclean", "unclean", "Allowed" if settings.unclean_election else "Not allowed",
                   pressed=settings.unclean_election),
        )
        + '</div><div class="eo-log-viewer-actions">'
        + button("eo-undo", "undo", "↶ Undo", off=not model.done.past)
        + button("eo-reset", "reset", "Reset")
        + "</div>"
    )  # fmt: skip


def producer(state):
    """Return the second row: the producer, the followers, elections, the consumer."""
    return (
        text_field("Producer: key", "send", "key, or none", state.refused, most=40)
        + field("acks", segments("acks", {name: name for name in ACKS}, state.acks, spoken="acks={}"))
        + button("eo-send-key", "send_key", "Send", primary=True)
        + '<span class="eo-rule"></span>'
        + field(
            "Followers fetch", segments("replication", MODE_TITLES, state.replication, spoken="followers fetch: {}")
        )
        + button("eo-replicate", "replicate", "Fetch once", off=state.replication == "auto")
        + '<span class="eo-rule"></span>'
        + field("Elections", segments("elections", MODE_TITLES, state.elections, spoken="elections: {}"))
        + '<span class="eo-rule"></span>'
        + field("Consumer", button("eo-read", "read", "Read"))
        + button("eo-rewind", "rewind", "Rewind")
    )


def brokers(snapshot):
    """Return the row of brokers, each with its possible actions."""
    cards = ""
    for number in range(snapshot["brokers"]):
        alive, paused = number in snapshot["alive"], number in snapshot["paused"]
        state = "alive" if alive and not paused else "alive, fetches nothing" if alive else "✖ dead"
        if alive:
            acts = button(f"eo-kill-{number}", "kill", "Kill") + (
                button(f"eo-resume-{number}", "resume", "Resume")
                if paused
                else button(f"eo-pause-{number}", "pause", "Pause")
            )
        else:
            acts = button(f"eo-revive-{number}", "revive", "Revive", primary=True)
        acts = acts.replace("data-do=", f'data-value="{number}" aria-describedby="broker-{number}" data-do=')
        cards += (
            f'<div class="eo-log-viewer-broker{"" if alive else " eo-dead"}" role="group" aria-label="Broker '
            f'{number}">'
            f'<b>Broker {number}</b> <span class="eo-broker-state">{state}</span>{acts}</div>'
        )
    return cards


def ahead(model):
    """Return the story's next step, with its button; "" without a story."""
    story, step = STORIES.get(model.state.story), model.next_step
    if story is None:
        return ""
    if step is None:
        words = "The story ends here. Go on by yourself, undo, or choose another."
        return f'<div class="eo-log-viewer-ahead"><span>{words}</span></div>'
    number = f"Step {model.state.step + 1} of {len(story.steps)}"
    act = button("eo-next-step", "next", "Do it ▸", primary=True)
    return f'<div class="eo-log-viewer-ahead"><span><b>{number}:</b> {escape(step[2])}</span>{act}</div>'


def says(state):
    """Return the newest note."""
    if not state.notes:
        return f'<div class="eo-says">{FIRST if state.story == NONE else GUESS}</div>'
    return f'<div class="eo-says{_kind(state.notes[-1])}">{_note(state.notes[-1])}</div>'


def _kind(note):
    hurt = any(line.startswith("✗") for line in note.then)
    return " eo-is-bad" if hurt or note.refused else " eo-is-told"


def _note(note):
    what = f"{'✗ ' if note.refused else ''}{escape(note.what)}"
    return f"<strong>{what}</strong>" + "".join(f"<br>{_line(line)}" for line in note.then)


def _line(line):
    kind = {"✗": "eo-bad", "✓": "eo-good"}.get(line[0])
    return f'<span class="{kind}">{escape(line)}</span>' if kind else escape(line)


def notes(told):
    """Return the running log, the newest first."""
    if not told:
        return ""
    items = "".join(f'<li value="{number}">{_note(note)}</li>' for number, note in reversed([*enumerate(told, 1)]))
    return (
        f'<details class="eo-folded eo-story-log"><summary>What happened, and why ({len(told)})</summary>'
        f'<div class="eo-scroll" tabindex="0"><ol reversed>{items}</ol></div></details>'
    )
