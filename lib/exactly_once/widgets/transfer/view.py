"""The transfer lab on the screen, as fragments of HTML: the choice, the verdict, the bank, the nodes, code, moves."""

import re
from bisect import bisect_left
from html import escape

from ...explore.search.outlook import FAULT
from ...handlers.transfer import STAGES
from ...handlers.transfer.stages import BANK, bank_of
from ...show.verdicts.code import source_lines
from ...simulate.decision import CRASH, PAUSE, STEP
from ..base.controls import banner, field, row, segments, select
from ..base.nodes import colour, plural, who
from ..player.moves import SIGNS
from ..player.view import NEXT, act, chip, code, explored_tools, move_button, panel, panels, pending_at
from .model import APART, AUDITORS, CLAIMS, TITLES, TOGETHER
from .moment import moment_of, visible

STRIKES = {CRASH: ("strike eo-kill", "✖ kill"), PAUSE: ("strike eo-sleep", "❚❚ sleep")}
ANSWER = re.compile(r"push \[\d+, \d+, (.*)\]")  # the value that a mover pushes: its number, the order's, the answer
STEPPING = ("read", "cas", "write", "transact", "move", "withdraw")  # the calls of a function that takes steps
OUT_OF_TIME = "Whether everything can still end well was not found out in time."


def fragments(model, _width):
    """Return {trait: HTML} from the state of a `TransferModel`."""
    found = {"head": head_html(model), "claims": claims_html(model), "code": code_html(model)}
    if model.state.position is None:
        opens = banner("none", "" if model.state.error else "The bank opens …")
        return found | dict.fromkeys(("tools", "bank", "nodes", "way"), "") | {"says": opens}
    moment = moment_of(model)
    kind, title, words = verdict(model, moment)
    return found | {
        "says": banner(kind, f"<strong>{title}</strong> {words}"),
        "tools": tools_html(model),
        "bank": bank_html(model, moment),
        "nodes": panels(_panel(model, moment, node) for node in range(model.nodes)),
        "way": way_html(model),
    }


def head_html(model):
    """Return the choices, as controls."""
    choice = model.state.choice
    auditors = [(name, name) for name in AUDITORS if choice.stage != APART or name != TOGETHER]
    return (
        f"{field('The transfer', segments('stage', TITLES, choice.stage))}"
        f"{field('Movers', segments('movers', {2: '2', 3: '3'}, choice.movers, spoken='{} movers'))}"
        f"{field('The auditor reads', select('auditor', auditors, choice.auditor))}"
    )


def verdict(model, moment):
    """Return (the kind of banner, its first words, the rest as HTML)."""
    state, bank = model.state, model.bank
    position, movers = state.position, state.choice.movers
    wrong = [seen for seen in moment.audits if seen != bank.total]
    if moment.circle:
        waits = "; ".join(
            f"{_name(node, movers)} waits for the lock of {moment.waits[node][0]}, which "
            f"{_name(moment.waits[node][1], movers)} holds" for node in moment.circle
        )  # fmt: skip
        left = position.outlook == FAULT
        advice = "Only a kill sets the others free: locks die with their incarnation." if left else "No kill is left."
        return "bad", "✗ Deadlock.", f"{waits}. {advice}"
    if moment.lost:
        title = f"✗ {_money(moment.missing)} for good."
        killed = " and ".join(_name(node, movers) for node in moment.dead if node < movers)
        why = f"{killed} died after its withdrawal and before its deposit; " if killed else ""
        return "bad", title, f"{why}nobody will make it: the accounts hold {moment.total}."
    if wrong:
        title = f"✗ The auditor saw {wrong[0]}, and the bank opened with {bank.total}."
        if moment.missing:
            return "bad", title, "It read while money was on its way. Nothing is lost yet."
        return "bad", title, "Nothing is lost: it read one account before a transfer and the other one after it."
    if moment.missing:
        title = f"! {_money(moment.missing, False)} this moment."
        more = "Whoever reads now sees another sum. Kill the mover here, or let the auditor read."
        return "warn", title, more
    if position.outlook == FAULT:
        return "warn", "! Only a fault can still save it.", escape(position.sentence)
    if position.ended:
        saw = f", and the auditor saw {moment.audits[0]}" if moment.audits else ""
        refused = [node for node, said in moment.answers.items() if "insufficient funds" in said]
        more = f" Refused for insufficient funds: {', '.join(_name(node, movers) for node in refused)}." * bool(
            refused
        )
        quiet = [node for node, said in moment.answers.items() if not said]
        more += f" Not answered: {', '.join(_name(node, movers) for node in quiet)}." * bool(quiet)
        return "good", "✓ All have ended.", f"The accounts hold {bank.total}, as in the beginning{saw}.{more}"
    if not position.outlook:
        return "none", "Not broken yet.", OUT_OF_TIME
    if moment.waits:
        said = "; ".join(
            f"{_name(node, movers)} waits until {_name(holder, movers)} lets go of {account}"
            for node, (account, holder) in moment.waits.items()
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
    first = model.state.at <= model.stops[0]
    return explored_tools(model, first, first and model.state.at == len(model.state.way))


def bank_html(model, moment):
    """Return the money as a bar, and the accounts with their locks."""
    bank = model.bank
    whole = max(bank.total, moment.total)
    parts = [(account, balance, "here", f"{account}: {balance}") for account, balance in moment.balances.items()]
    if moment.missing > 0:
        kind, word = ("lost", "✗ lost") if moment.lost else ("away", "on its way")
        parts.append(("", moment.missing, kind, f"{word}: {moment.missing}"))
    bar = "".join(
        f'<span class="eo-transfer-part eo-part-{kind} eo-part-{account or kind}" '
        f'style="width:{100 * amount / whole:.4g}%">'
        f"{text}</span>" for account, amount, kind, text in parts if amount > 0
    )  # fmt: skip
    said = ", ".join(text for *_, text in parts)
    accounts = "".join(_account(account, model, moment) for account in moment.balances)
    return (
        f'<div class="eo-transfer-bar" role="img" aria-label="Where the money is: {escape(said)}">{bar}</div>'
        f'<div class="eo-accounts">{accounts}{_sum(moment, bank)}</div>'
    )


def _sum(moment, bank):
    look = "" if moment.total == bank.total else " eo-sum-off"
    return (
        f'<div class="eo-account eo-sum{look}"><small>all accounts</small><b>{moment.total}</b>'
        f"<span>opened with {bank.total}</span></div>"
    )


def _account(account, model, moment):
    movers = model.state.choice.movers
    store = bank_of(account) if model.bank.apart else BANK
    waiting = [node for node, (wanted, _) in moment.waits.items() if wanted == account]
    lock = "no locks"
    if model.state.choice.stage in ("locks", "ordered", "halves") or model.state.choice.auditor == "under locks":
        held = moment.holders.get(account)
        lock = "lock: free" if held is None else f"lock: {_name(held, movers)}"
        lock += "".join(f" · <em>waits: {_name(node, movers)}</em>" for node in waiting)
    return (
        f'<div class="eo-account" data-account="{account}"><small>account {account} · {store}</small>'
        f"<b>{moment.balances[account]}</b><span>{lock}</span></div>"
    )


def _panel(model, moment, node):
    """Return the panel of a mover, or of the auditor, with the possible actions of each of its incarnations."""
    awake, asleep = pending_at(model.state.position, node)
    name = "The auditor" if node == model.state.choice.movers else f"Mover {node + 1}"
    over = f'<p class="eo-player-over">{_over(moment, node, bool(asleep))}</p>' if awake is None else ""
    rows = "".join(_moves(model.state, one) for one in (awake, *asleep) if one is not None)
    return panel(node, name, "", f"<p>{_task(model, moment, node)}</p>{over}{rows}")


def _task(model, moment, node):
    """Return a node's task and its result."""
    if node == model.state.choice.movers:
        seen = ", ".join(f"{account} {balance}" for account, balance in moment.read)
        said = f"wrote down <b>{moment.audits[0]}</b>" if moment.audits else f"has read {seen}" if seen else ""
        return f"adds up all accounts{f': {said}' if said else ''}"
    order = "; ".join(f"{amount} from {source} to {target}" for source, target, amount in model.bank.orders[node])
    answer = ", ".join(moment.answers[node])
    return f"{order}{f': <b>{escape(answer)}</b>' if answer else ''}"


def _over(moment, node, sleeps):
    """Return the reason why a node has no further step."""
    if sleeps:
        return "A new incarnation took over, and found nothing to do."
    return "Killed. Its next incarnation leaves the order alone." if node in moment.dead else "Has ended."


def in_words(text):
    """Return a step's words on the screen: a pushed value is an answer, or the auditor's sum."""
    if answer := ANSWER.fullmatch(text):
        return f"answer: {answer[1]}"
    return text.replace("push ", "write down ").replace("in one transaction: ", "at once: ")


def _moves(state, pending):
    """Return the row of one incarnation's possible actions."""
    actor, sleeper = pending.actor, pending.asleep
    mine = {one.kind: one for one in state.position.open if one.actor == actor}
    text = escape(in_words(pending.event.text))
    html = [f'<span class="eo-player-over">waits to {text}</span>']
    if STEP in mine:
        run = "Goes on until it has ended, or has to wait"
        html = [
            move_button(mine[STEP], "step", f"☾ wakes: {text}" if sleeper else f"▶ {text}"),
            act("eo-run eo-player-act", "run", actor, "▶▶ run", tip=run),
        ]
    html += [move_button(mine[kind], css, title) for kind, (css, title) in STRIKES.items() if kind in mine]
    label = f"What {'the sleeping incarnation of ' * sleeper}node {pending.node + 1} can do"
    return row("eo-player-row", label, *html)


def claims_html(model):
    """Return the questions to the explorer, and its answers to the requested ones."""
    state = model.state
    rows = []
    for name, claim in CLAIMS.items():
        if name == "audit" and state.choice.auditor == "none":
            continue
        found, said = state.found.get(name), "it searches …"
        if name not in state.wanted:
            said = act(f"eo-ask-{name}", "ask", name, "Ask", f"Ask: {claim.question}")
        elif found is not None:
            said = _answer(name, found, state.choice)
        rows.append(f'<tr><th scope="row">{claim.question}</th><td class="eo-claim-{name}">{said}</td></tr>')
    return f'<h3>Ask the explorer</h3><table class="eo-claims"><tbody>{"".join(rows)}</tbody></table>'


def _answer(name, found, choice):
    proof = found.proof
    asked = "" if set(range(choice.movers)) <= set(found.nodes) else " (one mover alone)"
    if found.schedule:
        return f"<b>Yes</b>{asked}. {act(f'eo-show-{name}', 'show', name, 'Show me')}"
    if proof.ok:
        kills = "with one kill" if CLAIMS[name].crashes else "without a kill"
        return f"<b>No</b>, {kills}: {proof.states:,} states{asked}."
    return f"Not known: {escape(proof.stopped)}."


def code_html(model):
    """Return the code of the transfer, with the sign of each mover at its present line."""
    stands = {}
    for pending in model.state.position.replay.pending if model.state.position else ():
        for frame in pending.frames:
            stands.setdefault(frame, []).append(pending)
    functions = functions_of(STAGES[model.state.choice.stage])
    rows = [_row(line, stands.get((function.__name__, line.number))) for function in functions
            for line in source_lines(function) if line.text.strip()]  # fmt: skip
    return f"<h3>The code of the movers</h3>{code('The code', rows)}"


def _row(line, here):
    """Return a line of code with those that stand there, in the form of `code`."""
    begins = "eo-transfer-begins" * line.text.startswith("def ")
    if not here:
        return line, begins, "", "", ""
    signs = "".join(f"{who(one.node)}{'☾' if one.asleep else ''}" for one in here)
    return line, f"{begins} {NEXT}".strip(), signs, "", colour(here[0].node)


def functions_of(stage):
    """Return the stage's function, and the functions of its module that it calls and that take steps."""
    called = [stage.__globals__.get(name) for name in stage.__code__.co_names]
    return [stage, *(one for one in called if getattr(one, "__module__", "") == stage.__module__ and _steps(one))]


def _steps(function):
    names = getattr(getattr(function, "__code__", None), "co_names", ())
    return any(name in STEPPING for name in names)


def way_html(model):
    """Return the moves so far, each a button that leads to its moment."""
    state, stops, movers = model.state, model.stops, model.state.choice.movers
    now = bisect_left(stops, state.at)
    chips = []
    for number, move in enumerate(visible(state.full.replay), 1):
        word = {CRASH: "dies", PAUSE: "falls asleep"}.get(move.kind)
        text = f"{SIGNS[move.kind]} {word}" if word else in_words(move.text)
        answer = move.reply if move.reply not in (None, "done") else ""
        about = f"Move {number}, {_name(move.node, movers, False)}: {text}{f': {answer}' * bool(answer)}"
        lines = f"{who(move.node)} {escape(text)}", escape(answer) or "&nbsp;"
        chips.append(chip(move, stops[number], lines, about, now=number == now, undone=number > now))
    return (
        f'<p class="eo-h">Moves: {plural(now, "move")} made</p><div class="eo-player-chips" role="group" '
        f'aria-label="Moves" data-arrows data-sight="[aria-current]">{"".join(chips)}</div>'
    )
