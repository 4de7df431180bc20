// Brings the widgets of the book to life without a kernel: the page of a widget gets a model (model.js) that holds the
// recorded state, and answers from what was recorded.

import { Recorded } from "./model.js";

const here = new URL(".", import.meta.url);
const LINK = "#console="; // then a row of the matrix, "/" and the token of a run
const NO_KERNEL = '<p class="eo-says eo-is-bad">This page has no kernel. Open the notebook to go on from here.</p>';

async function fetched(path) {
  const answer = await fetch(new URL(path, here));
  if (!path.endsWith(".gz")) return answer.json();
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).json();
}

// -- the crash console: a strategy and a fault have a file; a place of it has the regions that it changes --------------

function console_(start) {
  const known = new Map();
  const chosen = { row: start.row, kind: "crash", point: "B", item: 3 };
  let of = null; // the answers that are on the screen

  function recorded(kind) {
    const name = `${chosen.row.replace(":", ".")}-${kind.replaceAll(" ", "_")}`;
    if (!known.has(name)) known.set(name, fetched(`console/${name}.json.gz`));
    return known.get(name);
  }

  async function load(model) {
    of = await recorded(chosen.kind);
    model.set({ ...of.traits, opened: null });
  }

  function stand(model, index) {
    const [point, hour, item] = of.places[index] ?? ["none", 0, chosen.item];
    Object.assign(chosen, { point: point || "none", item: hour || item || 1 });
    chosen.token = of.tokens[index] ?? start.calmToken;
    model.set({ ...(of.held[index] ?? of.calm), place: index, shows_place: index >= 0, toolbar: toolbar(of.traits.toolbar) });
  }

  // The letter and the hour of the controls follow the place, as the kernel draws them.
  function toolbar(html) {
    const all = document.createElement("template");
    all.innerHTML = html;
    for (const one of all.content.querySelectorAll("[data-do=point]")) {
      one.setAttribute("aria-pressed", String(one.dataset.value === chosen.point));
    }
    all.content.querySelector(".eo-item").setAttribute("value", chosen.item);
    return all.innerHTML;
  }

  const placeOf = () => of.places.findIndex(([point, hour]) => point === chosen.point && hour === chosen.item);
  const nearest = () => Math.max(0, of.places.findIndex(([, , item]) => item === chosen.item));

  // Show the run that a link names: a row of the matrix, and the token of its faults. Without a row, of the same row.
  async function replay(text, model) {
    const [row, token] = text.slice(text.indexOf(LINK) < 0 ? 0 : text.indexOf(LINK) + LINK.length).trim().split(/\/|$/);
    const wanted = token ? { row, token } : { row: chosen.row, token: row };
    const before = chosen.row;
    if (start.rows.includes(wanted.row)) {
      chosen.row = wanted.row;
      for (const kind of start.kinds) {
        const index = (await recorded(kind)).tokens.indexOf(wanted.token);
        if (index < 0 && wanted.token !== start.calmToken) continue;
        chosen.kind = kind;
        await load(model);
        stand(model, index);
        return;
      }
    }
    chosen.row = before;
    const said = document.createElement("p");
    said.className = "eo-says eo-is-bad";
    said.textContent = `The book has no run ${JSON.stringify(text)}. Open the notebook to run it: its field "Replay a token" reads every token.`;
    model.set({ error: said.outerHTML });
  }

  const answer = async (what, value, model) => {
    if (of === null) await load(model);
    model.set({ status: "", error: "" });
    if (what === "place") stand(model, Number(value));
    else if (what === "simulate") stand(model, placeOf());
    else if (what === "guess") {
      stand(model, placeOf());
      const right = model.get("said").includes(`eo-console-chip eo-is-${value}`);
      const mark = right ? '<b class="eo-good">✓</b>' : '<b class="eo-bad">✗</b>';
      model.set({ said: `<span class="eo-said">You said: ${value} ${mark}</span>${model.get("said")}` });
    } else if (what === "point") { chosen.point = value; stand(model, placeOf()); }
    else if (what === "item" || what === "earlier" || what === "later") {
      const hour = what === "item" ? Number(value) : chosen.item + (what === "later" ? 1 : -1);
      chosen.item = Math.max(1, Math.min(6, Math.round(hour) || 1));
      const at = placeOf();
      stand(model, at < 0 && chosen.point !== "none" ? nearest() : at);
    } else if (what === "strategy" && value !== "order") {
      chosen.row = value;
      await load(model);
      stand(model, placeOf());
    } else if (what === "node") {
      chosen.row = chosen.row.split(":")[0] + (value === "2" ? ":2" : "");
      await load(model);
      stand(model, placeOf());
    } else if (what === "kind") {
      const { item } = chosen;
      chosen.kind = value;
      await load(model);
      chosen.item = item;
      stand(model, nearest());
    } else if (what === "cell") {
      const [row, point] = String(value).split("|");
      Object.assign(chosen, { row, point, kind: "crash" });
      await load(model);
      stand(model, placeOf());
    } else if (what === "replay") await replay(String(value), model);
    else if (what === "fill") model.set({ matrix: start.filled });
    else if (what === "prove") model.set({ proof: start.proofs[chosen.row.split(":")[0]] ?? NO_KERNEL });
    else if (what === "cluster") {
      Object.assign(chosen, { row: "at_least_once", point: "B", item: 3, kind: "crash" });
      await load(model);
      stand(model, placeOf());
      model.set({ ...start.real, said: "", status: start.realSays });
    } else model.set({ error: NO_KERNEL });
  };
  answer.link = () => (chosen.token ? `${location.href.split("#")[0]}${LINK}${chosen.row}/${chosen.token}` : "");
  return answer;
}

// A button below the console copies a link to what it shows; a page that is opened by such a link shows that.
function shared(place, model, answer) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "eo-button eo-book-link", textContent: "Copy link" });
  const said = Object.assign(document.createElement("span"), { className: "eo-book-linked" });
  said.setAttribute("role", "status");
  button.onclick = async () => {
    const link = answer.link();
    if (!link) { said.textContent = "Click a letter first: a link holds a run."; return; }
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link);
      said.textContent = "Copied. The notebook's console reads the same link in its field Replay a token.";
    } catch {
      said.textContent = "This page may not copy. The link stands in the address of the page.";
    }
  };
  const line = document.createElement("p");
  line.append(button, said);
  place.after(line);
  const open = () => {
    if (!location.hash.startsWith(LINK)) return;
    model.send({ do: "replay", value: decodeURIComponent(location.hash) });
    place.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
}

// -- a prediction: a click keeps it, and what follows is uncovered ------------------------------------------------------

function ask() {
  const filled = new Map();
  return (what, value, model) => {
    const card = document.createElement("template");
    card.innerHTML = model.get("card");
    const rows = [...card.content.querySelectorAll(".eo-ask-chips, .eo-ask-number")];
    const keep = card.content.querySelector(".eo-keep");
    const at = /^fill-(\d+)$/.exec(what);
    if (at) {
      filled.set(at[1], value);
      for (const chip of card.content.querySelectorAll(`[data-do="${what}"]`)) {
        if (chip.matches("button")) chip.setAttribute("aria-pressed", String(chip.dataset.value === value));
        else chip.setAttribute("value", value);
      }
      if (filled.size >= rows.length) keep?.removeAttribute("aria-disabled");
      card.content.querySelector(".eo-ask-hint").textContent = `${Math.max(0, rows.length - filled.size)} of ${rows.length} still empty.`;
    }
    const done = what === "keep" || (at && !keep);
    if (done) {
      card.content.querySelector(".eo-h").textContent = "You predicted";
      card.content.querySelector(".eo-ask-hint").textContent = "What follows is uncovered. A page without a kernel keeps no answers.";
      for (const chip of card.content.querySelectorAll("[data-do]")) chip.setAttribute("aria-disabled", "true");
      const name = model.get("opens").replace("eo-after-", "");
      for (const fold of document.querySelectorAll(`.eo-reveal-${CSS.escape(name)} > details`)) fold.open = true;
    }
    model.set({ card: card.innerHTML, answered: Boolean(done) || model.get("answered") });
  };
}

const KINDS = { console: console_, ask };

async function live(place) {
  const { esm, css, state, kind } = await fetched(place.dataset.widget);
  if (css && !document.querySelector(`link[href="${new URL(css, here)}"]`)) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL(css, here) }));
  }
  const answer = KINDS[kind]?.(state) ?? ((what, value, model) => model.set({ error: NO_KERNEL }));
  const page = (await import(new URL(esm, here))).default;
  place.replaceChildren();
  const model = new Recorded({ ...state }, answer);
  page.render({ model, el: place, host: { getWidget: async () => ({ render() {} }) } });
  if (answer.link) shared(place, model, answer);
  place.dataset.live = "";
}

// All at once, so that a print has them, too.
for (const place of document.querySelectorAll("[data-widget]")) {
  live(place).catch((why) => { place.textContent = `This widget could not be drawn: ${why}`; });
}

// Plotly is as large as all the rest, so only a page with a chart loads it.
const charts = document.querySelectorAll("[data-chart]");
if (charts.length) {
  const script = Object.assign(document.createElement("script"), { src: new URL("plotly.min.js", here) });
  script.onload = () => {
    for (const chart of charts) {
      const { data, layout } = JSON.parse(chart.querySelector("script").textContent);
      window.Plotly.newPlot(chart, data, { ...layout, autosize: true }, { responsive: true, displayModeBar: false });
    }
  };
  document.head.append(script);
}
