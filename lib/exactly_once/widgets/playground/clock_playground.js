// The clock playground's page: from the data that the kernel sends to the text of an SVG, and what the pointer and the keys do to it.

const HELP = "Space-time diagram. Arrow keys move the cursor, Enter makes or chooses an event, M begins and ends a message, " +
  "Shift with an arrow moves an event, Delete deletes it.";
const LAYOUT = `
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-playground-top"><div data-region="says" role="status" aria-live="polite"></div><div data-region="error" role="alert"></div></div>
  <div class="eo-playground-board">
    <div class="eo-names"></div>
    <div class="eo-canvas"><div class="eo-sheet"><svg class="eo-diagram" tabindex="0" role="application" aria-label="${HELP}"></svg></div></div>
  </div>
  <div class="eo-playground-under" data-region="facts"></div>
  <div data-region="table"></div>
  <div data-region="signs"></div>
  <p class="eo-spoken" role="status" aria-live="assertive"></p>`;

const TOP = 44;
const LEFT = 14;
const RADIUS = 13;
const GRID = 0.5;

function places(picture) {
  const longest = Math.max(0, ...picture.events.map((event) => event.row.length));
  const unit = picture.vector ? Math.max(46, 12 + 6.4 * longest) : 46;
  const lane = picture.vector ? 88 : 76;
  return {
    unit, lane,
    x: (column) => LEFT + column * unit,
    y: (row) => TOP + row * lane,
    column: (x) => Math.max(GRID, Math.round((x - LEFT) / unit / GRID) * GRID),
    height: TOP + (picture.lines.length - 1) * lane + (picture.vector ? 46 : 36),
    width: LEFT + (2 + Math.max(0, ...picture.events.map((event) => event.x))) * unit,
  };
}

function escaped(text) {
  return String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
}

// An arrow from centre to centre, cut short at both ends; `bow` is how far, in pixels, it is bent to one side.
function arrowSvg([x1, y1], [x2, y2], kind, gap = RADIUS + 2, bow = 0) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [mx, my] = [(x1 + x2) / 2 - (2 * bow * (y2 - y1)) / length, (y1 + y2) / 2 + (2 * bow * (x2 - x1)) / length];
  const [out, into] = [Math.hypot(mx - x1, my - y1) || 1, Math.hypot(x2 - mx, y2 - my) || 1];
  const [dx, dy] = [(x2 - mx) / into, (y2 - my) / into];
  const [ax, ay] = [x1 + (RADIUS * (mx - x1)) / out, y1 + (RADIUS * (my - y1)) / out];
  const [tx, ty] = [x2 - dx * gap, y2 - dy * gap];
  const [bx, by] = [tx - dx * 9, ty - dy * 9];
  const tip = [[tx, ty], [bx - dy * 4.2, by + dx * 4.2], [bx + dy * 4.2, by - dx * 4.2]];
  const line = [ax, ay, mx, my, bx, by].map((n) => n.toFixed(1));
  return `<g class="eo-arrow ${kind}"><path d="M${line[0]} ${line[1]}Q${line[2]} ${line[3]} ${line[4]} ${line[5]}"/>` +
    `<polygon points="${tip.map((point) => point.map((n) => n.toFixed(1)).join(",")).join(" ")}"/></g>`;
}

// How far an arrow is to be bent so that it passes no event that is not its own.
function bowOf([x1, y1], [x2, y2], centres) {
  const others = centres.filter(([x, y]) => (y - y1) * (y - y2) < 0);
  const length = Math.hypot(x2 - x1, y2 - y1);
  const clear = (bow) => Math.min(...others.map(([x, y]) => {
    const part = (y - y1) / (y2 - y1);
    return Math.abs(((y - y1) * (x2 - x1) - (x - x1) * (y2 - y1)) / length - 4 * bow * part * (1 - part));
  }));
  return [0, 8, -8, 14, -14, 20, -20, 28, -28, 38, -38].find((bow) => !others.length || clear(bow) > RADIUS + 5) ?? 0;
}

function eventSvg(event, at, y, right) {
  const kinds = ["eo-playground-event", event.receives ? "eo-playground-open" : "eo-full", event.how && `eo-how-${event.how}`,
    event.chosen && "eo-chosen", event.on && "eo-on", event.refused && "eo-playground-refused"]
    .filter(Boolean).join(" ");
  const x = at.x(event.x);
  const ring = event.chosen || event.refused ? `<circle class="eo-halo" cx="${x}" cy="${y}" r="${RADIUS + 4.5}"/>` : "";
  const small = event.stamp.length > 2 ? " eo-small" : "";
  return `<g class="${kinds}" data-name="${event.name}">${ring}<circle cx="${x}" cy="${y}" r="${RADIUS}"/>` +
    `<text class="eo-stamp${small}" x="${x}" y="${y + 4.2}">${escaped(event.stamp)}</text>` +
    `<text class="eo-event-name" x="${x + (right ? 15 : -9)}" y="${y - 18}">${event.name}<tspan class="eo-sign" dx="3">${event.sign}</tspan></text>` +
    (event.row ? `<text class="eo-vector-row" x="${x}" y="${y + 30}">${event.row}</text>` : "") +
    "</g>";
}

// `local` is what the page knows before the kernel does: a dragged event, the cursor, ghosts of what is being drawn.
function pictureSvg(picture, at, width, local) {
  const rows = new Map(picture.lines.map((line, row) => [line.key, row]));
  const events = picture.events.map((event) =>
    event.name === local.drag?.name ? { ...event, x: local.drag.x, refused: local.drag.refused } : event);
  const named = new Map(events.map((event) => [event.name, event]));
  const y = (event) => at.y(rows.get(event.line));
  let svg = "";
  picture.lines.forEach((line, row) => {
    const to = local.target === line.key ? " eo-target" : "";
    svg += `<line class="eo-playground-lane${to}" x1="0" x2="${width}" y1="${at.y(row)}" y2="${at.y(row)}"/>`;
  });
  for (const [one, other] of picture.steps) {
    const [from, to] = [named.get(one), named.get(other)];
    svg += `<line class="eo-playground-step" x1="${at.x(from.x)}" x2="${at.x(to.x)}" y1="${y(from)}" y2="${y(to)}"/>`;
  }
  const centres = events.map((event) => [at.x(event.x), y(event)]);
  for (const on of [false, true]) {
    for (const arrow of picture.arrows.filter((each) => each.on === on)) {
      const [from, to] = [named.get(arrow.from), named.get(arrow.to)];
      const ends = [from, to].map((event) => [at.x(event.x), y(event)]);
      svg += arrowSvg(...ends, on ? "eo-on" : "", RADIUS + (to.chosen ? 6 : 2), bowOf(...ends, centres));
    }
  }
  // A name stands where no arrow goes: to the right when an arrow comes from the upper left.
  const fromLeft = new Set(picture.arrows.map((arrow) => [named.get(arrow.from), named.get(arrow.to)])
    .filter(([from, to]) => y(from) < y(to) && from.x < to.x).map(([, to]) => to.name));
  svg += events.map((event) => eventSvg(event, at, y(event), fromLeft.has(event.name))).join("");
  for (const ghost of local.ghosts) {
    svg += `<circle class="eo-ghost" cx="${at.x(ghost.x)}" cy="${at.y(rows.get(ghost.line))}" r="${RADIUS}"/>`;
  }
  if (local.rope) {
    svg += arrowSvg(local.rope.from, local.rope.to, "eo-rope", local.rope.gap);
  }
  if (local.cursor) {
    const [x, row] = [at.x(local.cursor.x), at.y(local.cursor.row)];
    svg += `<rect class="eo-playground-cursor" x="${x - 19}" y="${row - 19}" width="38" height="38" rx="7"/>`;
  }
  return svg;
}

function namesHtml(picture, at) {
  const { add, remove } = picture.can;
  const off = (can) => (can ? "" : ' aria-disabled="true"');
  const rows = picture.lines.map((line, number) => {
    const name = escaped(line.name);
    const inside = `<input class="eo-name eo-name-${line.key}" value="${name}" data-line="${line.key}" spellcheck="false" aria-label="Name of process ${name}">` +
        `<button type="button" class="eo-remove-process" data-do="remove_process" data-value="${line.key}" data-key="remove-${line.key}" title="Remove ${name}" aria-label="Remove process ${name}"${off(remove)}>×</button>`;
    return `<div class="eo-name-row" style="top:${at.y(number)}px" data-key="line-${line.key}">${inside}</div>`;
  });
  const more = `<button type="button" class="eo-add-process" data-do="add_process" data-key="add_process" style="top:${at.height - 8}px"${off(add)}>+ process</button>`;
  return rows.join("") + more;
}

export default screen({ name: "eo-playground", layout: LAYOUT }, (page, model) => {
  const { root, on, undo } = page;
  const [svg, canvas, names, spoken] = [".eo-diagram", ".eo-canvas", ".eo-names", ".eo-spoken"]
    .map((css) => root.querySelector(css));
  const AT_REST = { ghosts: [], drag: null, rope: null, target: null };
  const local = { cursor: null, ...AT_REST };
  let picture = model.get("picture");
  let at = places(picture);
  let cursor = { row: 0, x: 1 };
  let pending = null; // where a message begins that was started by a click or a key
  let gesture = null;
  let namesDrawn = "";
  const tell = page.send;
  const say = (words) => { spoken.textContent = words; };
  const row = (line) => picture.lines.findIndex((each) => each.key === line);
  const named = (name) => picture.events.find((event) => event.name === name);

  // -- drawing -----------------------------------------------------------------------------------------------------

  function draw() {
    const width = Math.max(at.width, canvas.clientWidth - 2);
    if (local.drag) local.drag.refused = model.get("error") !== "";
    svg.setAttribute("width", width);
    svg.setAttribute("height", at.height);
    svg.classList.toggle("eo-by-keys", local.cursor !== null);
    svg.innerHTML = pictureSvg(picture, at, width, local);
  }

  function drawNames() {
    const html = namesHtml(picture, at);
    if (html !== namesDrawn) mergeChildren(names, parsed(html));
    namesDrawn = html;
    names.style.height = `${at.height + 22}px`;
    for (const input of names.querySelectorAll("input")) {
      const name = picture.lines[row(Number(input.dataset.line))].name;
      const refused = input.value !== name && model.get("error") !== "";
      if (input.value !== name && !refused && input !== document.activeElement) input.value = name;
      input.setAttribute("aria-invalid", String(refused));
    }
  }

  function show() {
    picture = model.get("picture");
    at = places(picture);
    if (!gesture) Object.assign(local, AT_REST);
    if (pending && (pending.name ? !named(pending.name) : row(pending.line) < 0)) pending = null;
    cursor.row = Math.min(cursor.row, picture.lines.length - 1);
    if (cursor.name && named(cursor.name)) cursor.x = named(cursor.name).x;
    if (pending) markPending();
    draw();
    drawNames();
  }

  // -- where things are --------------------------------------------------------------------------------------------

  function spot(event) {
    const box = svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const found = picture.events.find((each) => Math.hypot(at.x(each.x) - x, at.y(row(each.line)) - y) < RADIUS + 4);
    const near = Math.max(0, Math.min(picture.lines.length - 1, Math.round((y - TOP) / at.lane)));
    const onLine = Math.abs(y - at.y(near)) < at.lane * 0.4;
    return { x, y, name: found?.name, line: found?.line ?? (onLine ? picture.lines[near].key : null), column: at.column(x) };
  }

  // The end of a message as the kernel takes it: an event's name, or a line and a column.
  const end = (place) => place.name ?? [place.line, place.column];
  const centre = (place) => place.name
    ? [at.x(named(place.name).x), at.y(row(place.line))] : [at.x(place.column), at.y(row(place.line))];

  function rope(from, to) {
    const lands = to.line !== null && to.line !== from.line;
    local.target = lands ? to.line : null;
    local.rope = { from: centre(from), to: lands ? centre(to) : [to.x, to.y], gap: lands ? RADIUS + 2 : 0 };
    local.ghosts = [from, ...(lands ? [to] : [])].filter((each) => !each.name).map((each) => ({ line: each.line, x: each.column }));
  }

  function markPending() {
    local.ghosts = pending.name ? [] : [{ line: pending.line, x: pending.column }];
  }

  function send(from, to) {
    pending = null;
    Object.assign(local, { rope: null, target: null });
    tell("message", [end(from), end(to)]);
  }

  function begin(place) {
    pending = place;
    markPending();
    say(`A message begins here: ${place.name ? `at event ${place.name}` : "on a new event"}. Choose its end on another line.`);
  }

  function act(place) {
    if (pending) { send(pending, place); return; }
    if (picture.tool === "message") { begin(place); return; }
    if (place.name) tell("choose", place.name);
    else {
      local.ghosts = [{ line: place.line, x: place.column }];
      tell("event", [place.line, place.column]);
    }
  }

  // -- the pointer -------------------------------------------------------------------------------------------------

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const place = spot(event);
    gesture = { from: place, kind: "press" };
    if (place.line !== null) cursor = { row: row(place.line), x: place.name ? named(place.name).x : place.column, name: place.name };
    local.cursor = null;
    svg.setPointerCapture(event.pointerId);
    svg.focus({ preventScroll: true });
  });

  svg.addEventListener("pointermove", (event) => {
    const place = spot(event);
    if (gesture) drag(gesture, place);
    else hover(place);
    draw();
  });

  function hover(place) {
    svg.style.cursor = place.name ? "grab" : place.line !== null ? "copy" : "default";
    if (pending) { rope(pending, place); return; }
    local.ghosts = place.line !== null && !place.name ? [{ line: place.line, x: place.column }] : [];
  }

  function drag(gesture, place) {
    const { from } = gesture;
    if (from.line === null || pending) return;
    if (gesture.kind === "press" && Math.hypot(place.x - from.x, place.y - from.y) < 6) return;
    const leaves = Math.abs(place.y - at.y(row(from.line))) > at.lane * 0.42;
    gesture.kind = from.name && !leaves ? "move" : "link";
    svg.style.cursor = gesture.kind === "move" ? "grabbing" : "crosshair";
    if (gesture.kind === "link") {
      if (local.drag) { local.drag = null; page.forget(); tell("steady"); }
      rope(from, place);
      return;
    }
    Object.assign(local, { ...AT_REST, drag: local.drag });
    if (local.drag?.x !== place.column) {
      local.drag = { name: from.name, x: place.column };
      page.latest("preview", [from.name, place.column]);
    }
  }

  svg.addEventListener("pointerup", (event) => {
    if (!gesture) return;
    const { from, kind } = gesture;
    const place = spot(event);
    gesture = null;
    page.forget();
    if (kind === "move") tell("move", [from.name, local.drag.x]);
    else if (kind === "link" && place.line !== null && (place.line !== from.line || Math.abs(place.x - from.x) > 20)) send(from, place);
    else if (kind === "link" && !from.name && place.line === from.line) act(from);
    else if (kind === "press" && from.line !== null) act(from);
    else if (kind === "press") tell("clear_choice");
    Object.assign(local, { rope: null, target: null });
    draw();
  });
  svg.addEventListener("pointercancel", giveUp);
  svg.addEventListener("pointerleave", () => {
    if (!gesture) { local.ghosts = []; if (pending) { local.rope = null; markPending(); } draw(); }
  });

  function giveUp() {
    const had = gesture !== null || pending !== null;
    gesture = null;
    pending = null;
    page.forget();
    Object.assign(local, AT_REST);
    if (had) tell("steady");
    draw();
    return had;
  }

  // -- the keyboard: a cursor that goes along the lines and from one to the next --------------------------------------

  const here = () => {
    const line = picture.lines[cursor.row].key;
    const name = picture.events.find((event) => event.line === line && event.x === cursor.x)?.name;
    return { line, name, column: cursor.x, x: at.x(cursor.x), y: at.y(cursor.row) };
  };
  const onRow = () => picture.events.filter((event) => event.line === picture.lines[cursor.row].key);
  // The next event on the cursor's line, to the left of the cursor or to its right.
  const beside = (way) => (way < 0 ? onRow().filter(({ x }) => x < cursor.x).pop() : onRow().find(({ x }) => x > cursor.x));

  function describe() {
    const { name } = here();
    if (name) return named(name).words;
    const [before, after] = [beside(-1), beside(1)];
    const between = [before && `after ${before.name}`, after && `before ${after.name}`].filter(Boolean).join(", ");
    return `${picture.lines[cursor.row].name}, ${between || "no events"}, an empty place`;
  }

  function go(changes) {
    Object.assign(cursor, changes);
    cursor.name = here().name;
    local.cursor = cursor;
    if (pending) rope(pending, here());
    draw();
    say(describe());
    const x = at.x(cursor.x);
    if (x < canvas.scrollLeft + 30 || x > canvas.scrollLeft + canvas.clientWidth - 60) canvas.scrollLeft = x - canvas.clientWidth / 2;
  }

  function along(way) {
    const event = beside(way)?.x;
    const next = Math.max(GRID, cursor.x + way);
    return event === undefined ? Math.min(next, at.column(svg.clientWidth) - 1) : way < 0 ? Math.max(next, event) : Math.min(next, event);
  }

  function push(way) {
    const { name } = here();
    if (!name) { say("No event is here to move."); return; }
    const next = beside(way);
    const close = next && Math.abs(next.x - cursor.x) <= 1;
    tell("move", [name, close ? next.x - (way < 0 ? GRID : 0) : Math.max(GRID, cursor.x + way * GRID)]);
    cursor.name = name;
  }

  const chosen = () => picture.events.some((event) => event.chosen);

  function press(event) {
    const way = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const command = event.ctrlKey || event.metaKey;
    const letter = event.key.toLowerCase();
    if (command && (letter === "z" || letter === "y")) tell(letter === "y" || event.shiftKey ? "redo" : "undo");
    else if (command || event.altKey) return false;
    else if (way && event.key.match(/Left|Right/)) event.shiftKey ? push(way) : go({ x: along(way) });
    else if (way) go({ row: Math.max(0, Math.min(picture.lines.length - 1, cursor.row + way)) });
    else if (event.key === "Home" || event.key === "End") go({ x: onRow().at(event.key === "Home" ? 0 : -1)?.x ?? 1 });
    else if (event.key === "Enter" || event.key === " ") act(here());
    else if (letter === "m") pending ? send(pending, here()) : begin(here());
    else if (event.key === "Delete" || event.key === "Backspace") tell("delete", here().name ?? null);
    else if (event.key === "Escape") { if (!giveUp() && !chosen()) return false; if (chosen()) tell("clear_choice"); }
    else return false;
    if (!local.cursor) { local.cursor = cursor; draw(); }
    return true;
  }

  svg.addEventListener("keydown", (event) => {
    if (!press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  svg.addEventListener("focus", () => {
    if (svg.matches(":focus-visible") && !gesture) go({});
  });
  svg.addEventListener("blur", () => { local.cursor = null; draw(); });

  // -- the controls around -----------------------------------------------------------------------------------------

  root.addEventListener("change", ({ target }) => {
    if (target.matches("input.eo-name")) tell("rename", [Number(target.dataset.line), target.value]);
  });

  page.heard = () => { if (!gesture) show(); };

  on("change:picture", show);
  on("change:error", () => { draw(); drawNames(); });
  const watcher = new ResizeObserver(draw);
  watcher.observe(canvas);
  undo.push(() => watcher.disconnect());
  return show;
});
