// The clock playground's page: what the pointer and the keys do to the picture, and what the kernel is told of it.

const HELP = "Space-time diagram. Arrow keys move the cursor, Enter makes or chooses an event, M begins and ends a message, " +
  "Shift with an arrow moves an event, Delete deletes it.";
const LAYOUT = `
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-playground-top"><div data-region="says" role="status" aria-live="polite"></div><div data-region="error" role="alert"></div></div>
  <div class="eo-playground-board">
    <div class="eo-names"></div>
    <div class="eo-canvas"><div class="eo-sheet"><svg class="eo-diagram" tabindex="0" role="application" aria-label="${HELP}"></svg><div class="eo-fields"></div></div></div>
  </div>
  <div class="eo-playground-under" data-region="facts"></div>
  <div data-region="table"></div>
  <div data-region="files"></div>
  <p class="eo-spoken" role="status" aria-live="assertive"></p>`;

export default screen({ name: "eo-playground", layout: LAYOUT }, (placed, model) => {
  const { root, on, undo } = placed;
  const [svg, canvas, names, fields, spoken] = [".eo-diagram", ".eo-canvas", ".eo-names", ".eo-fields", ".eo-spoken"]
    .map((css) => root.querySelector(css));
  const AT_REST = { ghosts: [], drag: null, rope: null, target: null };
  const local = { cursor: null, ...AT_REST };
  let gesture = null;
  let namesDrawn = "";
  // What the parts of the page share; `pending` is where a message begins that was started by a click or a key.
  const page = { svg, canvas, local, picture: model.get("picture"), at: null, pending: null, cursor: { row: 0, x: 1 },
    tell: placed.send, draw, act, begin, send, giveUp, rope, say, drawing: () => page.picture.mode === "draw" };
  page.at = places(page.picture);
  const { tell, drawing } = page;

  function say(words) {
    spoken.textContent = words;
  }

  const row = (line) => page.picture.lines.findIndex((each) => each.key === line);
  const named = (name) => page.picture.events.find((event) => event.name === name);

  // -- drawing -----------------------------------------------------------------------------------------------------

  function draw() {
    const width = Math.max(page.at.width, canvas.clientWidth - 2);
    if (local.drag) local.drag.refused = page.picture.refused;
    svg.setAttribute("width", width);
    svg.setAttribute("height", page.at.height);
    svg.classList.toggle("eo-by-keys", local.cursor !== null);
    svg.innerHTML = pictureSvg(page.picture, page.at, width, local);
  }

  function drawNames() {
    const html = namesHtml(page.picture, page.at);
    if (html !== namesDrawn) mergeChildren(names, parsed(html));
    namesDrawn = html;
    names.style.height = `${page.at.height + (drawing() ? 22 : 0)}px`;
    for (const input of names.querySelectorAll("input")) {
      const name = page.picture.lines[row(Number(input.dataset.line))].name;
      const refused = input.value !== name && model.get("error") !== "";
      if (input.value !== name && !refused && input !== document.activeElement) input.value = name;
      input.setAttribute("aria-invalid", String(refused));
    }
  }

  function drawFields() {
    const field = (event) =>
      `<input class="eo-stamp-field eo-stamp-${event.name}" inputmode="numeric" autocomplete="off" maxlength="12" value="${escaped(event.stamp)}"
        data-name="${event.name}" data-key="${page.picture.run}-${event.name}" data-mark="${event.mark}" aria-invalid="${event.mark === "wrong"}"
        aria-label="Lamport stamp of ${escaped(event.words)}" style="left:${page.at.x(event.x) - 16}px;top:${page.at.y(row(event.line)) - 16}px">`;
    mergeChildren(fields, parsed(fieldsNeeded() ? page.picture.events.map(field).join("") : ""));
  }

  function show() {
    page.picture = model.get("picture");
    page.at = places(page.picture);
    if (!gesture) Object.assign(local, AT_REST);
    if (page.pending && (!drawing() || (page.pending.name ? !named(page.pending.name) : row(page.pending.line) < 0))) page.pending = null;
    root.dataset.mode = page.picture.mode;
    root.dataset.question = page.picture.question ?? "";
    svg.setAttribute("tabindex", fieldsNeeded() ? "-1" : "0");
    page.cursor.row = Math.min(page.cursor.row, page.picture.lines.length - 1);
    if (page.cursor.name && named(page.cursor.name)) page.cursor.x = named(page.cursor.name).x;
    if (page.pending) markPending();
    draw();
    drawNames();
    drawFields();
  }

  const fieldsNeeded = () => page.picture.mode === "quiz" && page.picture.question === "stamps" && !page.picture.over;

  // -- where things are --------------------------------------------------------------------------------------------

  function spot(event) {
    const box = svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const found = page.picture.events.find((each) => Math.hypot(page.at.x(each.x) - x, page.at.y(row(each.line)) - y) < RADIUS + 4);
    const near = Math.max(0, Math.min(page.picture.lines.length - 1, Math.round((y - TOP) / page.at.lane)));
    const onLine = Math.abs(y - page.at.y(near)) < page.at.lane * 0.4;
    return { x, y, name: found?.name, line: found?.line ?? (onLine ? page.picture.lines[near].key : null), column: page.at.column(x) };
  }

  // The end of a message as the kernel takes it: an event's name, or a line and a column.
  const end = (place) => place.name ?? [place.line, place.column];
  const centre = (place) => place.name
    ? [page.at.x(named(place.name).x), page.at.y(row(place.line))] : [page.at.x(place.column), page.at.y(row(place.line))];

  function rope(from, to) {
    const lands = to.line !== null && to.line !== from.line;
    local.target = lands ? to.line : null;
    local.rope = { from: centre(from), to: lands ? centre(to) : [to.x, to.y], gap: lands ? RADIUS + 2 : 0 };
    local.ghosts = [from, ...(lands ? [to] : [])].filter((each) => !each.name).map((each) => ({ line: each.line, x: each.column }));
  }

  function markPending() {
    local.ghosts = page.pending.name ? [] : [{ line: page.pending.line, x: page.pending.column }];
  }

  function send(from, to) {
    page.pending = null;
    Object.assign(local, { rope: null, target: null });
    tell("message", [end(from), end(to)]);
  }

  function begin(place) {
    page.pending = place;
    markPending();
    say(`A message begins here: ${place.name ? `at event ${place.name}` : "on a new event"}. Choose its end on another line.`);
  }

  function act(place) {
    if (page.pending) { send(page.pending, place); return; }
    if (page.picture.tool === "message" && drawing()) { begin(place); return; }
    if (place.name) tell(drawing() ? "choose" : "pick", place.name);
    else if (drawing()) {
      local.ghosts = [{ line: place.line, x: place.column }];
      tell("event", [place.line, place.column]);
    }
  }

  // -- the pointer -------------------------------------------------------------------------------------------------

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || fieldsNeeded()) return;
    const place = spot(event);
    gesture = { from: place, kind: "press" };
    if (place.line !== null) page.cursor = { row: row(place.line), x: place.name ? named(place.name).x : place.column, name: place.name };
    local.cursor = null;
    svg.setPointerCapture(event.pointerId);
    svg.focus({ preventScroll: true });
  });

  svg.addEventListener("pointermove", (event) => {
    if (fieldsNeeded()) return;
    const place = spot(event);
    if (gesture) drag(gesture, place);
    else hover(place);
    draw();
  });

  function hover(place) {
    svg.style.cursor = place.name ? (drawing() ? "grab" : "pointer") : place.line !== null && drawing() ? "copy" : "default";
    if (!drawing()) return;
    if (page.pending) { rope(page.pending, place); return; }
    local.ghosts = place.line !== null && !place.name ? [{ line: place.line, x: place.column }] : [];
  }

  function drag(gesture, place) {
    const { from } = gesture;
    if (!drawing() || from.line === null || page.pending) return;
    if (gesture.kind === "press" && Math.hypot(place.x - from.x, place.y - from.y) < 6) return;
    const leaves = Math.abs(place.y - page.at.y(row(from.line))) > page.at.lane * 0.42;
    gesture.kind = from.name && !leaves ? "move" : "link";
    svg.style.cursor = gesture.kind === "move" ? "grabbing" : "crosshair";
    if (gesture.kind === "link") {
      if (local.drag) { local.drag = null; placed.forget(); tell("steady"); }
      rope(from, place);
      return;
    }
    Object.assign(local, { ...AT_REST, drag: local.drag });
    if (local.drag?.x !== place.column) {
      local.drag = { name: from.name, x: place.column };
      placed.latest("preview", [from.name, place.column]);
    }
  }

  svg.addEventListener("pointerup", (event) => {
    if (!gesture) return;
    const { from, kind } = gesture;
    const place = spot(event);
    gesture = null;
    placed.forget();
    if (kind === "move") tell("move", [from.name, local.drag.x]);
    else if (kind === "link" && place.line !== null && (place.line !== from.line || Math.abs(place.x - from.x) > 20)) send(from, place);
    else if (kind === "link" && !from.name && place.line === from.line) act(from);
    else if (kind === "press" && from.line !== null) act(from);
    else if (kind === "press" && drawing()) tell("clear_choice");
    Object.assign(local, { rope: null, target: null });
    draw();
  });
  svg.addEventListener("pointercancel", giveUp);
  svg.addEventListener("pointerleave", () => {
    if (!gesture) { local.ghosts = []; if (page.pending) { local.rope = null; markPending(); } draw(); }
  });

  function giveUp() {
    const had = gesture !== null || page.pending !== null;
    gesture = null;
    page.pending = null;
    placed.forget();
    Object.assign(local, AT_REST);
    if (had) tell("steady");
    draw();
    return had;
  }

  const keys = keyboard(page);
  svg.addEventListener("keydown", (event) => {
    if (keys.press(event)) { event.preventDefault(); event.stopPropagation(); }
  });
  svg.addEventListener("focus", () => {
    if (svg.matches(":focus-visible") && !gesture) keys.go({});
  });
  svg.addEventListener("blur", () => { local.cursor = null; draw(); });

  // -- the controls around -----------------------------------------------------------------------------------------

  const answers = () => Object.fromEntries([...fields.children].map((input) => [input.dataset.name, input.value]));
  const box = () => root.querySelector(".eo-run-text");

  placed.tell = (what, value) => {
    const own = { check: answers, load: () => box().value, remove_process: () => Number(value) };
    tell(what, own[what] ? own[what]() : value);
  };
  root.addEventListener("change", async (event) => {
    const input = event.target;
    if (input.matches(".eo-stamp-field")) tell("answers", answers());
    else if (input.matches("input.eo-name")) tell("rename", [Number(input.dataset.line), input.value]);
    else if (input.matches("input[type=file]") && input.files.length) {
      box().value = await input.files[0].text();
      input.value = "";
      tell("load", box().value);
    }
  });
  root.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches(".eo-stamp-field")) tell("check", answers());
  });

  placed.heard = (message) => {
    if (message.file) saveFile(message.file);
    if (message.text !== undefined) box().value = message.text;
    if (!gesture) show();
  };

  on("change:picture", show);
  on("change:error", drawNames);
  const watcher = new ResizeObserver(draw);
  watcher.observe(canvas);
  undo.push(() => watcher.disconnect());
  return show;
});
