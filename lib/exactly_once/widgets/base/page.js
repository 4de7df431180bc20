// What the widgets' pages share; it stands before their own code. A fragment of HTML that the kernel sends is merged into
// what stands there, so that focus, scrolling and unfolded tables survive.

function merge(from, to) {
  if (from.nodeType !== to.nodeType || from.nodeName !== to.nodeName || from.dataset?.key !== to.dataset?.key) {
    from.replaceWith(to);
    return;
  }
  if (from.nodeType === Node.TEXT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return;
  }
  if (from.isEqualNode(to)) return;
  const value = from.getAttribute("value"); // what is typed stays until the kernel wants something else there
  for (const { name } of [...from.attributes]) {
    const kept = name === "open" && from.nodeName === "DETAILS";
    if (!kept && !to.hasAttribute(name)) from.removeAttribute(name);
  }
  for (const { name, value } of [...to.attributes]) {
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  mergeChildren(from, to);
  if (from.nodeName === "INPUT" && to.hasAttribute("value") && to.getAttribute("value") !== value) from.value = to.getAttribute("value");
  if (from.nodeName === "SELECT") from.value = to.value;
}

function mergeChildren(from, to) {
  const wanted = [...to.childNodes];
  const found = [...from.childNodes];
  wanted.forEach((child, number) => (number < found.length ? merge(found[number], child) : from.append(child)));
  found.slice(wanted.length).forEach((child) => child.remove());
}

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function isOff(element) {
  return element.getAttribute("aria-disabled") === "true";
}

const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
const glide = () => (still() ? "auto" : "smooth");

// Makes the front-end module of a widget: its page is `parts`, see `board`, and what `start(page, model)` adds to it.
//   wide: the region or selector whose width counts for the diagrams.   `parts` may be a function of the model.
// `start` is called before the first drawing; it may set `page.after`, `page.heard` and `page.tell`, which gets what is done on
// the page in the place of `page.send`, and may return what is to be called after the first drawing.
// Of the model a page uses get, on and send, and what else a notebook has only where it is there (off, widget_manager).
function screen(parts, start = () => {}) {
  function render({ model, el, host }) {
    const { wide, ...rest } = typeof parts === "function" ? parts(model) : parts;
    const page = board({ model, el }, rest);
    const { root, region, undo } = page;
    const drawn = start(page, model);
    const opened = root.querySelector(".eo-opened");
    page.draw();
    listen(page, (what, value) => (page.tell ?? page.send)(what, value));
    copies(root);
    menus(root);
    if (wide) watchWidth(page, region[wide] ?? root.parentElement.querySelector(wide));
    if (opened) holdOpened(page, { model, host }, opened);
    drawn?.();
    return () => undo.forEach((each) => each());
  }
  return { render };
}

// Puts the regions of a widget on the page and keeps them drawn: the elements of `layout` with `data-region`.
//   results: what shows the result, regions or selectors; it is dimmed when it no longer fits the controls.
// Returns { root, region, on, undo, draw, send, latest, forget, waiting, gone, after, heard }:
//   send(do, value): tell the kernel what was done.   latest(do, value): the same, one at a time; of those that are asked
//   for meanwhile only the newest is sent.   waiting(): whether one is under way by `latest`;
//   forget(): what `latest` keeps is not sent.   undo: takes what is to happen when the widget leaves the page.
//   gone(): why the kernel is gone, or "".   after(name): called when a region was drawn anew.
//   heard(answer): called with each answer of the kernel.
function board({ model, el }, { name, layout, results = [], after = () => {}, heard = () => {} }) {
  const root = document.createElement("div");
  root.className = `eo ${name}`;
  root.innerHTML = `<p class="eo-gone-says" role="alert"></p><p class="eo-waits-says" role="status"></p>${layout}`;
  el.append(root);
  const region = Object.fromEntries([...root.querySelectorAll("[data-region]")].map((each) => [each.dataset.region, each]));
  const regions = Object.keys(region);
  const undo = [];
  let used = null; // the control that was used last, beside which an error is shown
  const page = { root, region, undo, on, draw: () => regions.forEach(draw), after, heard };

  function on(event, listener) {
    model.on(event, listener);
    undo.push(() => model.off?.(event, listener));
  }

  function draw(each) {
    const focused = root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    mergeChildren(region[each], parsed(model.get(each) ?? ""));
    if (focused && document.activeElement?.dataset?.key !== focused) {
      root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    }
    for (const group of region[each].querySelectorAll("[data-arrows='']")) rove(group);
    keepInView(region[each]);
    if (each === "error") placeBeside(region.error, used, root);
    page.after(each);
  }

  for (const each of regions) on(`change:${each}`, () => draw(each));
  const busy = () => { root.dataset.busy = model.get("busy"); };
  on("change:busy", busy);
  busy();
  // The notebook's own shortcuts must not take what is typed here; Escape leaves to the notebook.
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation();
  });
  for (const event of ["pointerdown", "change", "keydown"]) {
    root.addEventListener(event, ({ target }) => { used = target.closest("[data-do], [data-go]"); }, true);
  }
  root.addEventListener("focusin", ({ target }) => {
    const group = target.closest("[data-arrows='']");
    if (group) rove(group, target.closest("button"));
  });

  Object.assign(page, line(model, page, (answer) => {
    page.heard(answer);
    if (answer.field) root.querySelector(`[data-key="${CSS.escape(answer.field)}"]`)?.focus({ preventScroll: true });
  }));
  dimmer(page, model, results);
  return page;
}

// A frame with `data-sight` scrolls until the last element of that selector in it is in view, one with `data-follow` to its end.
// With `data-frame` it is what scrolls around that element, as a selector. The page itself does not move.
function keepInView(place) {
  for (const frame of place.querySelectorAll("[data-follow]")) frame.scrollTo(frame.scrollWidth, frame.scrollHeight);
  for (const each of [place, ...place.querySelectorAll("[data-sight]")]) {
    const one = each.dataset.sight && [...each.querySelectorAll(each.dataset.sight)].at(-1);
    if (!one) continue;
    const frame = one.closest(each.dataset.frame ?? "[data-sight]");
    const [here, around] = [one, frame].map((each) => each.getBoundingClientRect());
    const [x, y] = [here.left - around.left, here.top - around.top].map((each) => each / zoomOf(frame));
    if (y < 20 || y > frame.clientHeight - 40) frame.scrollTop += y - frame.clientHeight / 2;
    const wide = here.width / zoomOf(frame);
    if (wide < frame.clientWidth && (x < 0 || x + wide > frame.clientWidth)) frame.scrollLeft += x + wide - frame.clientWidth;
  }
}

// Of a row of buttons one can be reached with Tab: the one that had the focus last, or else the first.
function rove(group, chosen) {
  const all = [...group.querySelectorAll("button")];
  const key = chosen?.dataset.key ?? group.stop;
  const one = all.find((each) => each === chosen || (key && each.dataset.key === key)) ?? all[0];
  group.stop = one?.dataset.key;
  for (const each of all) each.setAttribute("tabindex", each === one ? "0" : "-1");
}

// An error stands where its region is; when the control that was used is far from there, right under that control.
function placeBeside(error, control, root) {
  error.classList.remove("eo-beside");
  error.removeAttribute("style");
  if (!error.firstChild || !control?.isConnected) return;
  const [here, there, frame] = [error, control, root].map((each) => each.getBoundingClientRect());
  if (Math.abs(here.top - there.bottom) < 120) return;
  error.classList.add("eo-beside");
  const zoom = zoomOf(root);
  error.style.top = `${(there.bottom - frame.top) / zoom + 6}px`;
  error.style.left = `${Math.max(0, Math.min((there.left - frame.left) / zoom, frame.width / zoom - error.offsetWidth))}px`;
}

// How many pixels of the screen a pixel of the style sheet takes there: a page for a projector enlarges all.
function zoomOf(element) {
  return element.currentCSSZoom ?? 1;
}

// The line to the kernel. It notices when the kernel is gone, which nobody else would tell: everything that acts is then
// off, and a sentence says what to do. An answer brings it all back.
const ANSWER_MS = 6000;
const LOST_MS = 3000; // how long a connection may be away before the page says so

function line(model, page, heard) {
  const { root, undo, on } = page;
  const [goneSays, waitsSays] = ["gone", "waits"].map((each) => root.querySelector(`:scope > .eo-${each}-says`));
  const kernel = () => model.widget_manager?.kernel ?? null;
  let number = 0;
  let answered = 0;
  let why = "";
  let timer = null;
  let next = null; // what `latest` keeps until the answer to what is under way has come
  let holding = 0; // the number of what is under way by `latest`

  function set(words) {
    why = words;
    root.classList.toggle("eo-gone", why !== "");
    goneSays.textContent = why && `✖ ${why}`;
    waitsSays.textContent = "";
    for (const each of root.querySelectorAll("[data-do], [data-kernel]")) {
      const was = each.dataset.offBefore;
      if (why) {
        each.dataset.offBefore = was ?? each.getAttribute("aria-disabled") ?? "";
        each.setAttribute("aria-disabled", "true");
      } else if (was !== undefined) {
        if (was) each.setAttribute("aria-disabled", was);
        else each.removeAttribute("aria-disabled");
        delete each.dataset.offBefore;
      }
    }
    root.dispatchEvent(new CustomEvent("eo-kernel", { detail: why }));
  }

  const session = model.widget_manager?.context?.sessionContext; // a page without code, such as Voilà's, has none
  const RUN_AGAIN = `Nothing here works any more: ${session ? "run this cell" : "load this page"} again.`;
  const AGAIN = `The kernel was restarted. ${RUN_AGAIN}`;

  function send(what, value = null, patience = ANSWER_MS) {
    if (why && what !== "ping") return;
    number += 1;
    try {
      model.send({ do: what, value, number });
    } catch {
      set(`The kernel is gone. ${RUN_AGAIN}`);
      return;
    }
    root.toggleAttribute("data-waits", true); // for whoever looks on: there is an answer to come
    clearTimeout(timer);
    timer = setTimeout(unanswered, patience);
  }

  function unanswered() {
    if (answered >= number || !root.isConnected) return;
    const { status, connectionStatus } = kernel() ?? {};
    if (connectionStatus && connectionStatus !== "connected") set(LOST);
    else if (status === "busy") {
      waitsSays.textContent = "The kernel is busy with another cell; what you did here is done when that is through.";
      timer = setTimeout(unanswered, ANSWER_MS);
    } else set(`The kernel does not answer; perhaps it was restarted. ${RUN_AGAIN}`);
  }

  function latest(what, value = null) {
    if (holding > answered) { next = [what, value]; return; }
    next = null;
    send(what, value);
    holding = number;
  }

  on("msg:custom", (answer) => {
    if (answer.heard == null) return;
    answered = Math.max(answered, answer.heard);
    root.toggleAttribute("data-waits", answered < number);
    if (why) set("");
    waitsSays.textContent = "";
    if (answered >= number) clearTimeout(timer);
    if (next && answered >= holding) latest(...next);
    heard(answer);
  });

  const LOST = "The connection to the kernel is lost; this goes on by itself when it is back.";
  const WORDS = {
    restarting: AGAIN, autorestarting: `The kernel died, and was started anew. ${RUN_AGAIN}`,
    terminating: session ? "The kernel was shut down. Start it, and run this cell again." : `The kernel was shut down. ${RUN_AGAIN}`, dead: `The kernel died. ${RUN_AGAIN}`,
  };

  // What the notebook knows of its kernel; other front ends than JupyterLab may have nothing of it.
  function follow(signal, listener) {
    if (!signal?.connect) return;
    signal.connect(listener);
    undo.push(() => signal.disconnect(listener));
  }
  let losing = null;
  follow((session ?? kernel())?.statusChanged, (_, status) => { if (status in WORDS) set(WORDS[status]); });
  follow((session ?? kernel())?.connectionStatusChanged, (_, status) => {
    clearTimeout(losing);
    if (status === "connected") {
      if (why === LOST) send("ping");
    } else losing = setTimeout(() => { if (!why) set(LOST); }, status === "connecting" ? LOST_MS : 0);
  });
  follow(session?.kernelChanged, (_, { oldValue, newValue }) => {
    if (oldValue && oldValue !== newValue) set(newValue ? AGAIN : WORDS.terminating);
  });
  on("comm_live_update", () => { if (!why) send("ping", null, 2000); });
  undo.push(() => clearTimeout(timer), () => clearTimeout(losing));
  try {
    model.send({ do: "hello", value: model.get("drawn") ?? null }); // what was drawn before this page listened comes again
  } catch {
    // whatever is done here next says that the kernel is gone
  }
  return { send, latest, forget: () => { next = null; }, waiting: () => holding > answered, gone: () => why };
}

// Results that no longer fit the controls are dimmed, with words on what they are of.
function dimmer({ root, region, on }, model, results) {
  if (!results.length) return;
  const all = results.map((each) => region[each] ?? root.querySelector(each));
  const says = document.createElement("p");
  says.className = "eo-stale-says";
  says.setAttribute("role", "status");
  const place = root.querySelector("[data-stale-says]");
  if (place) place.append(says);
  else all[0].before(says);
  const dim = () => {
    says.textContent = model.get("stale");
    for (const each of all) each.toggleAttribute("data-stale", model.get("stale") !== "");
  };
  on("change:stale", dim);
  dim();
}

// Reports what is clicked, chosen and typed with `page.send`, or `tell(do, value)`. A field with `data-enter` reports when
// Enter is pressed. In a group with `data-arrows` the arrow keys go from button to button; with "choose" they press it; with
// `data-across`, the number of columns of a grid, up and down go from row to row.
function listen(page, tell = page.send) {
  const { root } = page;
  const report = (element, value) => tell(element.dataset.do, value);
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-do]");
    if (button && !isOff(button)) report(button, button.dataset.value ?? null);
  });
  root.addEventListener("mousedown", (event) => {
    const list = event.target.closest("select");
    if (list && isOff(list)) event.preventDefault();
  });
  root.addEventListener("change", (event) => {
    const field = event.target.closest("select[data-do], input[data-do]");
    if (field && !isOff(field) && !("enter" in field.dataset)) report(field, field.value);
  });
  root.addEventListener("keydown", (event) => {
    const field = event.target;
    if (field.matches("select, input") && isOff(field) && event.key !== "Tab") event.preventDefault();
    if (field.matches("input[data-enter]") && event.key === "Enter" && !isOff(field)) report(field, field.value);
    const group = field.closest("[data-arrows]");
    const across = Number(group?.dataset.across ?? 1);
    const step = { ArrowRight: 1, ArrowDown: across, ArrowLeft: -1, ArrowUp: -across }[event.key];
    const ends = { Home: 0, End: -1 }[event.key];
    if (!group || !field.matches("button") || (step === undefined && ends === undefined)) return;
    const all = [...group.querySelectorAll("button")];
    const next = ends === undefined ? all[(all.indexOf(field) + step + all.length) % all.length] : all.at(ends);
    next.focus();
    if (group.dataset.arrows === "choose" && next.dataset.do !== "arm" && !isOff(next)) report(next, next.dataset.value);
    event.preventDefault();
  });
}

// Tabs in the way of WAI-ARIA: buttons with `data-tab` in a `role=tablist`, panels with `data-panel` of the same name.
// Returns { choose(name), chosen() }; `changed(name)` is called when another one is shown.
let groupsOfTabs = 0;

function tabs({ root }, list, changed = () => {}) {
  const own = `eo-tabs-${(groupsOfTabs += 1)}`;
  const all = [...list.querySelectorAll("[data-tab]")];
  const panel = (tab) => root.querySelector(`[data-panel="${tab.dataset.tab}"]`);
  list.setAttribute("role", "tablist");
  for (const tab of all) {
    Object.assign(tab, { id: `${own}-tab-${tab.dataset.tab}`, type: "button" });
    panel(tab).id = `${own}-panel-${tab.dataset.tab}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel(tab).id);
    panel(tab).setAttribute("role", "tabpanel");
    panel(tab).setAttribute("aria-labelledby", tab.id);
    panel(tab).tabIndex = 0;
  }
  let shown = null;

  function choose(name) {
    if (name === shown || !all.some((tab) => tab.dataset.tab === name)) return;
    shown = name;
    for (const tab of all) {
      const here = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(here));
      tab.tabIndex = here ? 0 : -1;
      panel(tab).hidden = !here;
    }
    changed(name);
  }

  list.addEventListener("click", ({ target }) => choose(target.closest("[data-tab]")?.dataset.tab));
  list.addEventListener("keydown", (event) => {
    const at = all.indexOf(event.target.closest("[data-tab]"));
    const next = {
      ArrowRight: (at + 1) % all.length, ArrowLeft: (at - 1 + all.length) % all.length, Home: 0, End: all.length - 1,
    }[event.key];
    if (at < 0 || next === undefined) return;
    all[next].focus();
    choose(all[next].dataset.tab);
    event.preventDefault();
  });
  choose(all[0].dataset.tab);
  return { choose, chosen: () => shown };
}

// Menus, `details.eo-menu`. A click elsewhere closes what is open, and so does Escape.
function menus(root) {
  const opened = () => root.querySelector(".eo-menu[open]");
  root.addEventListener("click", ({ target }) => {
    const menu = opened();
    if (menu && !menu.contains(target)) menu.open = false;
  });
  root.addEventListener("keydown", (event) => {
    const menu = opened();
    if (event.key !== "Escape" || !menu) return;
    menu.open = false;
    menu.querySelector("summary").focus({ preventScroll: true });
    event.stopPropagation();
  });
}

// A row that steps through something: play, speed, buttons, a slider with marks, and the keys of the whole widget.
//   last(): the number of the last step, from 0.   marks(): the steps with a fault.   go(at): show a step.
//   fault: offer a button that leads to the next mark.   kernel: whether a step needs the kernel.
// Returns { at(), go(at), show(at), reset(), stop() }: `show` moves the slider and calls nobody, `reset` is for other steps.
const STEP_KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
const SPEEDS = [["1300", "slow"], ["650", "to follow"], ["220", "fast"]];

function stepper({ root, undo }, place, { last, marks, go, fault = false, kernel = false }) {
  const needs = kernel ? "data-kernel" : "";
  const button = (what, sign, words) =>
    `<button type="button" class="eo-button eo-go-${what}" data-go="${what}" title="${words}" aria-label="${words}" ${needs}>${sign}</button>`;
  place.classList.add("eo-steer");
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", "Steps");
  place.innerHTML = `
    <button type="button" class="eo-button eo-play" data-go="play" aria-pressed="false" ${needs}>▶ Play</button>
    <select class="eo-speed" aria-label="Speed" ${needs}>${SPEEDS.map(([pace, word]) =>
      `<option value="${pace}"${pace === "650" ? " selected" : ""}>${word}</option>`).join("")}</select>
    <span class="eo-way">${button("first", "|◀", "First step (Home)")}${button("previous", "◀", "One step back (left arrow)")}
      ${button("next", "▶", "One step on (right arrow)")}${button("last", "▶|", "Last step (End)")}</span>
    <span class="eo-rail"><input type="range" class="eo-slider" min="0" step="1" aria-label="Step" ${needs}>
      <span class="eo-marks" aria-hidden="true"></span></span>
    <span class="eo-count"></span>
    ${fault ? `<button type="button" class="eo-button eo-next-fault" data-go="fault" ${needs}>Next fault</button>` : ""}`;
  const find = (name) => place.querySelector(`.eo-${name}`);
  const [slider, playing] = [find("slider"), find("play")];
  let at = 0;
  let timer = null;

  function show(step) {
    at = Math.max(0, Math.min(last(), step));
    slider.max = last();
    slider.value = at;
    slider.setAttribute("aria-valuetext", `step ${at + 1} of ${last() + 1}`);
    find("count").textContent = `${at + 1} of ${last() + 1}`;
  }

  function to(step) {
    show(step);
    go(at);
    if (at === last()) stop();
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    playing.textContent = "▶ Play";
    playing.setAttribute("aria-pressed", "false");
  }

  function run() {
    clearInterval(timer);
    timer = setInterval(() => (root.isConnected && !isOff(playing) ? to(at + 1) : stop()), Number(find("speed").value));
    playing.textContent = "❚❚ Pause";
    playing.setAttribute("aria-pressed", "true");
  }

  function play() {
    if (timer) return stop();
    if (at === last()) to(0);
    run();
  }

  function reset(step = 0) {
    stop();
    find("marks").replaceChildren(...marks().map((each) => {
      const tick = document.createElement("span");
      tick.textContent = "✖";
      tick.style.left = `calc(8px + (100% - 16px) * ${each / Math.max(1, last())})`;
      return tick;
    }));
    if (fault) find("next-fault").hidden = !marks().length;
    show(step);
  }

  function move(way) {
    if (isOff(slider)) return;
    if (way === "play") { play(); return; }
    stop();
    const fault = marks().find((each) => each > at) ?? marks()[0];
    const step = { first: 0, previous: at - 1, next: at + 1, last: last(), fault }[way];
    to(step ?? Number(way));
  }

  slider.addEventListener("input", () => { if (isOff(slider)) show(at); else move(slider.value); });
  find("speed").addEventListener("change", () => timer && run());
  root.addEventListener("click", ({ target }) => {
    const button = target.closest("button[data-go], button[data-step]");
    if (button) move(button.dataset.go ?? button.dataset.step);
  });
  root.addEventListener("keydown", (event) => {
    // In what scrolls or has arrows of its own they do that; everywhere else they step, as they do on the slider.
    const own = event.target.closest(
      ".eo-toolbar, .eo-scroll, .eo-listing, .eo-debugger-shelf, select, textarea, [data-arrows], [role=tablist], input:not(.eo-slider)");
    if (own || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.key in STEP_KEYS ? at + STEP_KEYS[event.key] : { Home: 0, End: last() }[event.key];
    if (step === undefined) return;
    move(String(step));
    event.preventDefault();
  });
  undo.push(stop);
  return { at: () => at, go: to, show, reset, stop };
}

// Reports the width that diagrams have, in pixels, now and after each change of it.
function watchWidth({ undo, send }, place, tell = send) {
  let told = 0;
  let timer = null;
  const watcher = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const width = Math.floor(place.clientWidth / 20) * 20 - 24;
      if (width > 100 && Math.abs(width - told) >= 20) {
        told = width;
        tell("width", width);
      }
    }, 120);
  });
  watcher.observe(place);
  undo.push(() => watcher.disconnect(), () => clearTimeout(timer));
}

// Keeps another widget, which the trait `opened` names, in its place below.
function holdOpened({ on, undo }, { model, host }, place) {
  let holding = new AbortController();
  async function hold() {
    holding.abort();
    holding = new AbortController();
    const { signal } = holding;
    place.replaceChildren();
    const name = model.get("opened");
    if (!name) return;
    const child = await host.getWidget(name);
    if (signal.aborted) return;
    await child.render({ el: place, signal });
    place.scrollIntoView({ block: "start", behavior: glide() });
  }
  on("change:opened", hold);
  undo.push(() => holding.abort());
  hold();
}

// Hands a text, or the bytes of a file of another type, to the browser as a file to be saved.
function saveFile({ name, text, type = "text/plain" }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// Copies what a button with data-copy holds; where the page may not do that, selects the token instead.
function copies(root) {
  root.addEventListener("click", async (event) => {
    const copy = event.target.closest("button[data-copy]");
    if (!copy) return;
    copy.dataset.label ??= copy.textContent;
    try {
      await navigator.clipboard.writeText(copy.dataset.copy);
      copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(root.querySelector("code.eo-token") ?? root.querySelector(".eo-token"));
      copy.textContent = "Selected: copy it";
    }
    setTimeout(() => { copy.textContent = copy.dataset.label; }, 1500);
  });
}

// Backspace and u undo; the keys of `numbers` click what has that number. Where `except` fits, keys are for typing.
function shortcuts(page, except, numbers = /^[1-9]$/) {
  const { root } = page;
  root.tabIndex = -1;
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(except)) return;
    if (numbers.test(event.key)) {
      root.querySelector(`[data-number="${event.key}"]`)?.click();
    } else if (event.key === "Backspace" || event.key === "u") {
      page.send("undo");
      event.preventDefault();
    }
  });
}
