"""The transfer lab on the screen, as fragments of HTML: the choice, the verdict, the bank, the nodes, code, moves."""

import re
from html import escape

from ...explore.play import told
from ...explore.search.outlook import FAULT
from ...handlers.transfer import STAGES
from ...handlers.transfer.stages import BANK, bank_of
from ...show.verdicts.code import source_lines
from ...simulate.decision import CRASH, PAUSE, STEP
from ..base.controls import banner, button, field, row, segments, select, token_to_copy
from ..base.nodes import colour, plural, who
from ..player.moves import SIGNS
from .model import APART, AUDITORS, CLAIMS, TITLES, TOGETHER
from .scene import scene_of, visible

KILL, SLEEP = "✖ kill", "❚❚ sleep"
ANSWER = re.compile(r"push \[\d+, \d+, (.*)\]")  # the value that a mover pushes: its number, the order's, the answer
STEPPING = ("read", "cas", "write", "transact", "move", "withdraw")  # the calls of a function that takes steps
OUT_OF_TIME = "Whether everything can still end well was not found out in time."


def head_html(model):
    """Return the choices, as controls."""
    choice = model.state.choice
    auditors = [(name, name) for name in AUDITORS if choice.stage != APART or name != TOGETHER]
    return (
        f"{field('The transfer', segments('stage', TITLES, choice.stage))}"
        f"{field('Movers', segments('movers', {2: '2', 3: '3'}, choice.movers, spoken='{} movers'))}"
        f"{field('The auditor reads', select('auditor', auditors, choice.auditor))}"
    )


def says_html(model):
    """Return the verdict on this moment, in a sentence or two."""
    if model.state.position is None:
        return banner("none", "" if model.state.error else "The bank opens …")
    kind, title, words = verdict(model, scene_of(model))
    return banner(kind, f"<strong>{title}</strong> {words}")


def verdict(model, scene):
    """Return (the kind of banner, its first words, the rest as HTML)."""
    state, bank = model.state, model.bank
    position, movers = state.position, len(bank.orders)
    wrong = [seen for seen in scene.audits if seen != bank.total]
    if scene.circle:
        waits = "; ".join(
            f"{_name(node, movers)} waits for the lock of {scene.waits[node][0]}, which "
            f"{_name(scene.waits[node][1], movers)} holds" for node in scene.circle
        )  # fmt: skip
        left = position.outlook == FAULT
        way = "Only a kill sets the others free: locks die with their incarnation." if left else "No kill is left."
        return "bad", "✗ Deadlock.", f"{waits}. {way}"
    if scene.lost:
        title = f"✗ {_money(scene.missing)} for good."
        killed = " and ".join(_name(node, movers) for node in scene.dead if node < movers)
        why = f"{killed} died after its withdrawal and before its deposit; " if killed else ""
        return "bad", title, f"{why}nobody will make it: the accounts hold {sum(scene.balances.values())}."
    if wrong:
        title = f"✗ The auditor saw {wrong[0]}, and the bank opened with {bank.total}."
        if scene.missing:
            return "bad", title, "It read while money was on its way. Nothing is lost yet."
        return "bad", title, "Nothing is lost: it read one account before a transfer and the other one after it."
    if scene.missing:
        title = f"! {_money(scene.missing, False)} this moment."
        more = "Whoever reads now sees another sum. Kill the mover here, or let the auditor read."
        return "warn", title, more
    if position.outlook == FAULT:
        return "warn", "! Only a fault can still save it.", escape(position.sentence)
    if position.ended:
        saw = f", and the auditor saw {scene.audits[0]}" if scene.audits else ""
        refused = [node for node, said in scene.answers.items() if "insufficient funds" in said]
        more = f" Refused for insufficient funds: {', '.join(_name(node, movers) for node in refused)}." * bool(
            refused
        )
        quiet = [node for node, said in scene.answers.items() if not said]
        more += f" Not answered: {', '.join(_name(node, movers) for node in quiet)}." * bool(quiet)
        return "good", "✓ All have ended.", f"The accounts hold {bank.total}, as in the beginning{saw}.{more}"
    if not position.outlook:
        return "none", "Not broken yet.", OUT_OF_TIME
    if scene.waits:
        said = "; ".join(
            f"{_name(node, movers)} waits until {_name(holder, movers)} lets go of {account}"
            for node, (account, holder) in scene.waits.items()
        )
        return "none", "All is well so far.", f"{said}."
    if not visible(position.replay):
        goal = "Make them wait for each other, lose money, or show the auditor a sum that is not there."
        return "none", "You say who takes the next step.", goal
    return "none", "All is well so far.", f"The accounts hold {bank.total}, as in the beginning."


def _money(missing, for_good=True):
    """Return the missing or surplus amount in words."""
    if missing < 0:
        return f"{-missing} {'are too many' if for_good else 'too many at'}"
    return f"{missing} {'are lost' if for_good else 'are in no account at'}"


def _name(node, movers, html=True):
    """Return a node's name, with its sign."""
    return f"{who(node, html)} {'the auditor' if node == movers else f'mover {node + 1}'}"


def tools_html(model):
    """Return the buttons about the way as a whole, and its token."""
    state = model.state
    if state.position is None:
        return ""
    stops, at = model.stops, state.at
    first = at <= (stops[0] if stops else 0)
    back = button("eo-own", "own", "Back to my way", primary=True) if state.shows_found else ""
    return (
        f"{back}{button('eo-undo', 'undo', '↶ Undo', first)}"
        f"{button('eo-redo', 'redo', '↷ Redo', at == len(state.way))}"
        f"{button('eo-restart', 'restart', 'Start again', first and at == len(state.way))}"
        f"{button('eo-run-out', 'run_out', '▶▶ Let it end', state.position.ended or not state.position.open)}"
        f'<span class="eo-transfer-grow"></span>{token_to_copy(model.token)}'
        f"{button('eo-open-debugger', 'open', 'Open in the debugger', first)}"
    )


def bank_html(model):
    """Return the money as a bar, and the accounts with their locks."""
    state = model.state
    if state.position is None:
        return ""
    scene, bank = scene_of(model), model.bank
    whole, movers = max(bank.total, sum(scene.balances.values())), len(bank.orders)
    parts = [(account, balance, "here", f"{account}: {balance}") for account, balance in scene.balances.items()]
    if scene.missing > 0:
        kind, word = ("lost", "✗ lost") if scene.lost else ("away", "on its way")
        parts.append(("", scene.missing, kind, f"{word}: {scene.missing}"))
    bar = "".join(
        f'<span class="eo-transfer-part eo-part-{kind} eo-part-{account or kind}" '
        f'style="width:{100 * amount / whole:.4g}%">'
        f"{text}</span>" for account, amount, kind, text in parts if amount > 0
    )  # fmt: skip
    said = ", ".join(text for *_, text in parts)
    accounts = "".join(_account(account, model, scene, movers) for account in scene.balances)
    return (
        f'<div class="eo-transfer-bar" role="img" aria-label="Where the money is: {escape(said)}">{bar}</div>'
        f'<div class="eo-accounts">{accounts}{_sum(scene, bank)}</div>'
    )


def _sum(scene, bank):
    total = sum(scene.balances.values())
    look = "" if total == bank.total else " eo-sum-off"
    return (
        f'<div class="eo-account eo-sum{look}"><small>all accounts</small><b>{total}</b>'
        f"<span>opened with {bank.total}</span></div>"
    )


def _account(account, model, scene, movers):
    store = bank_of(account) if model.bank.apart else BANK
    waiting = [node for node, (wanted, _) in scene.waits.items() if wanted == account]
    lock = "no locks"
    if model.state.choice.stage in ("locks", "ordered", "halves") or model.state.choice.auditor == "under locks":
        held = scene.holders.get(account)
        lock = "lock: free" if held is None else f"lock: {_name(held, movers)}"
        lock += "".join(f" · <em>waits: {_name(node, movers)}</em>" for node in waiting)
    return (
        f'<div class="eo-account" data-account="{account}"><small>account {account} · {store}</small>'
        f"<b>{scene.balances[account]}</b><span>{lock}</span></div>"
    )


def nodes_html(model):
    """Return the panels of the movers and of the auditor, with the possible actions of each."""
    if model.state.position is None:
        return ""
    scene, count = scene_of(model), model.bounds.nodes
    return "".join(_panel(model, scene, node) for node in range(count))


def _panel(model, scene, node):
    state, movers = model.state, len(model.bank.orders)
    pending = [one for one in state.position.replay.pending if one.node == node]
    awake = next((one for one in pending if one.actor == node), None)
    name = "The auditor" if node == movers else f"Mover {node + 1}"
    rows = f'<p class="eo-transfer-over">{_over(scene, node, bool(pending))}</p>' if awake is None else ""
    rows += "".join(_buttons(state, one) for one in pending)
    return (
        f'<section class="eo-transfer-node" style="--c:var(--eo-{colour(node)})" aria-label="{name}">'
        f"<h3>{who(node)} {name}</h3><p>{_task(model, scene, node)}</p>{rows}</section>"
    )


def _task(model, scene, node):
    """Return a node's task and its result."""
    movers = len(model.bank.orders)
    if node == movers:
        seen = ", ".join(f"{account} {balance}" for account, balance in scene.read)
        said = f"wrote down <b>{scene.audits[0]}</b>" if scene.audits else f"has read {seen}" if seen else ""
        return f"adds up all accounts{f': {said}' if said else ''}"
    order = "; ".join(f"{amount} from {source} to {target}" for source, target, amount in model.bank.orders[node])
    answer = ", ".join(scene.answers[node])
    return f"{order}{f': <b>{escape(answer)}</b>' if answer else ''}"


def _over(scene, node, sleeps):
    """Return the reason why a node has no further step."""
    if sleeps:
        return "A new incarnation took over, and found nothing to do."
    return "Killed. Its next incarnation leaves the order alone." if node in scene.dead else "Has ended."


def in_words(text):
    """Return a step's words on the screen: a pushed value is an answer, or the auditor's sum."""
    if answer := ANSWER.fullmatch(text):
        return f"answer: {answer[1]}"
    return text.replace("push ", "write down ").replace("in one transaction: ", "at once: ")


def _buttons(state, pending):
    """Return the row of one incarnation's possible actions."""
    actor = pending.actor
    mine = {one.kind: one for one in state.position.open if one.actor == actor}
    text = escape(in_words(pending.event.text))
    sleeper = pending.asleep
    html = [f'<span class="eo-transfer-over">waits to {text}</span>']
    if STEP in mine:
        run = "Goes on until it has ended, or has to wait"
        step = f"☾ wakes: {text}" if sleeper else f"▶ {text}"
        html = [
            _move(mine[STEP], "eo-transfer-step", step),
            _act("eo-run", "run", actor, "▶▶ run", f' title="{run}"'),
        ]
    if CRASH in mine:
        html.append(_move(mine[CRASH], "eo-transfer-strike eo-kill", KILL))
    if PAUSE in mine:
        html.append(_move(mine[PAUSE], "eo-transfer-strike eo-sleep", SLEEP))
    label = f"What {'the sleeping incarnation of ' * sleeper}node {pending.node + 1} can do"
    return row("eo-transfer-row", label, *html)


def _move(decision, css, title):
    return _act(css, "move", told(decision), title)


def _act(css, do, value, title, more=""):
    """Return a button for an action with a value; `title` is HTML."""
    return (
        f'<button type="button" class="eo-button {css}" data-do="{do}" data-value="{value}" '
        f'data-key="{do}-{value}"{more}>{title}</button>'
    )


def claims_html(model):
    """Return the questions to the explorer, and its answers to the requested ones."""
    state = model.state
    rows = []
    for name, claim in CLAIMS.items():
        if name == "audit" and state.choice.auditor == "none":
            continue
        found, said = state.found.get(name), "it searches …"
        if name not in state.wanted:
            said = _act(f"eo-ask-{name}", "ask", name, "Ask", f' aria-label="Ask: {claim.question}"')
        elif found is not None:
            said = _answer(name, found, state.choice)
        rows.append(f'<tr><th scope="row">{claim.question}</th><td class="eo-claim-{name}">{said}</td></tr>')
    return f'<h3>Ask the explorer</h3><table class="eo-claims"><tbody>{"".join(rows)}</tbody></table>'


def _answer(name, found, choice):
    proof = found.proof
    asked = "" if set(range(choice.movers)) <= set(found.nodes) else " (one mover alone)"
    if found.schedule:
        return f"<b>Yes</b>{asked}. {_act(f'eo-show-{name}', 'show', name, 'Show me')}"
    if proof.ok:
        kills = "with one kill" if CLAIMS[name].faults["crashes"] else "without a kill"
        return f"<b>No</b>, {kills}: {proof.states:,} states{asked}."
    return f"Not known: {escape(proof.stopped)}."


def code_html(model):
    """Return the code of the transfer, with the sign of each mover at its present line."""
    state = model.state
    stage = STAGES[state.choice.stage]
    stands = {}
    for pending in state.position.replay.pending if state.position else ():
        for frame in pending.frames:
            stands.setdefault(frame, []).append(pending)
    blocks = "".join(_listing(function, stands) for function in functions_of(stage))
    frame = '<div class="eo-listing" tabindex="0" role="region" aria-label="The code">'
    return f"<h3>The code of the movers</h3>{frame}{blocks}</div>"


def functions_of(stage):
    """Return the stage's function, and the functions of its module that it calls and that take steps."""
    called = [stage.__globals__.get(name) for name in stage.__code__.co_names]
    return [stage, *(one for one in called if getattr(one, "__module__", "") == stage.__module__ and _steps(one))]


def _steps(function):
    names = getattr(getattr(function, "__code__", None), "co_names", ())
    return any(name in STEPPING for name in names)


def _listing(function, stands):
    rows = []
    for line in source_lines(function):
        if not line.text.strip():
            continue
        here = stands.get((function.__name__, line.number), ())
        signs = "".join(f"{who(one.node)}{'☾' if one.asleep else ''}" for one in here)
        body, indent = line.text.lstrip(), len(line.text) - len(line.text.lstrip())
        tone = f' style="--c:var(--eo-{colour(here[0].node)})"' if here else ""
        rows.append(
            f'<div class="{"eo-transfer-next" if here else ""}"{tone}><span class="eo-gutter">{signs}</span>'
            f'<span style="padding-left:{indent / 2:g}ch">{escape(body)}</span></div>'
        )
    return f'<div class="eo-src">{"".join(rows)}</div>'


def way_html(model):
    """Return the moves so far, each a button that leads to its moment."""
    state = model.state
    if state.position is None:
        return ""
    stops, movers = model.stops, len(model.bank.orders)
    now = next((n for n in range(len(stops)) if stops[n] >= state.at), len(stops) - 1)
    chips = []
    for number, move in enumerate(visible(state.full.replay), 1):
        stop = stops[number] if number < len(stops) else len(state.way)
        kinds = ["eo-transfer-made", *(["eo-transfer-made-fault"] if move.is_fault else [])]
        kinds += ["eo-transfer-made-undone"] if number > now else []
        word = {CRASH: "dies", PAUSE: "falls asleep"}.get(move.kind)
        text = f"{SIGNS[move.kind]} {word}" if word else in_words(move.text)
        answer = f": {move.reply}" if move.reply not in (None, "done") else ""
        about = escape(f"Move {number}, {_name(move.node, movers, False)}: {text}{answer}")
        chips.append(
            f'<button type="button" class="{" ".join(kinds)}" data-do="go" data-value="{stop}" data-key="go-{stop}"'
            f'{" aria-current=step" if number == now else ""} title="{about}" aria-label="{about}">'
            f"<span>{who(move.node)} {escape(text)}</span>"
            f"<span>{escape(answer.removeprefix(': ')) or '&nbsp;'}</span></button>"
        )
    return (
        f'<p class="eo-h">Moves: {plural(now, "move")} made</p>'
        f'<div class="eo-transfer-moves-made" role="group" aria-label="Moves" data-arrows>{"".join(chips)}</div>'
    )
