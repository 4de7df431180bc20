// What an instrument's page has beside that of a card (page.js): diagrams as wide as the page, errors beside their control,
// results that are dimmed, another widget below, tabs, menus, rows of steps, keys, files.

const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
const glide = () => (still() ? "auto" : "smooth");

// Of what is asked for by `latest` while one is under way, only the newest is sent. `waiting()` tells whether one is under
// way; `forget()` drops what is kept.
added.push((page) => {
  let next = null;
  let holding = 0; // the number of what is under way
  const waiting = () => holding > 0;
  function latest(what, value = null) {
    if (waiting()) next = [what, value];
    else holding = page.send(what, value);
  }
  page.answers.push(({ heard }) => {
    if (heard < holding) return;
    const kept = next;
    holding = 0;
    next = null;
    if (kept) latest(...kept);
  });
  Object.assign(page, { latest, waiting, forget: () => { next = null; } });
});

// An error stands where its region is; when the control that was used last is far from there, right under that control.
added.push(({ root, region, drew }) => {
  let used = null;
  for (const event of ["pointerdown", "change", "keydown"]) {
    root.addEventListener(event, ({ target }) => { used = target.closest("[data-do], [data-go]"); }, true);
  }
  drew.push((name) => {
    keepInView(region[name]);
    if (name === "error") placeBeside(region.error, used, root);
  });
});

// What a page asks for by the names of its parts:
//   wide: the region or selector whose width counts for the diagrams.
//   results: what shows the result, regions or selectors; it is dimmed when it no longer fits the controls.
added.push((page, model, host, { wide, results = [] }) => {
  const { root, region } = page;
  const opened = root.querySelector(".eo-opened");
  const find = (name) => region[name] ?? root.querySelector(name) ?? root.parentElement.querySelector(name);
  if (results.length) dim(page, model, results.map(find));
  if (wide) watchWidth(page, find(wide));
  if (opened) holdOpened(page, { model, host }, opened);
  copies(root);
  menus(root);
});

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

// Results that no longer fit the controls are dimmed, with words on what they are of.
function dim({ root, on }, model, all) {
  const says = document.createElement("p");
  says.className = "eo-stale-says";
  says.setAttribute("role", "status");
  const place = root.querySelector("[data-stale-says]");
  if (place) place.append(says);
  else all[0].before(says);
  const show = () => {
    says.textContent = model.get("stale");
    for (const each of all) each.toggleAttribute("data-stale", model.get("stale") !== "");
  };
  on("change:stale", show);
  show();
}

// Tabs in the way of WAI-ARIA: buttons with `data-tab` in a `role=tablist`, panels with `data-panel` of the same name.
// Returns { choose(name) }; `changed(name)` is called when another one is shown.
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
  return { choose };
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

// A row that steps through something: play, speed, buttons, a slider with marks, and the keys of the whole widget. Of the model
// it takes `last`, the number of the last step from 0, `marks`, the steps with a fault, and `at`; `what` tells the kernel of a
// step. With `fault` a button leads to the next mark. Returns { reset(at), stop() }: `reset` is for other steps.
const STEP_KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
const SPEEDS = [["1300", "slow"], ["650", "to follow"], ["220", "fast"]];

function stepper(page, model, place, what, fault = false) {
  const { root, undo, on } = page;
  const last = () => model.get("last");
  const marks = () => model.get("marks") ?? [];
  const button = (what, sign, words) =>
    `<button type="button" class="eo-button eo-go-${what}" data-go="${what}" title="${words}" aria-label="${words}" data-kernel>${sign}</button>`;
  place.classList.add("eo-steer");
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", "Steps");
  place.innerHTML = `
    <button type="button" class="eo-button eo-play" data-go="play" aria-pressed="false" data-kernel>▶ Play</button>
    <select class="eo-speed" aria-label="Speed" data-kernel>${SPEEDS.map(([pace, word]) =>
      `<option value="${pace}"${pace === "650" ? " selected" : ""}>${word}</option>`).join("")}</select>
    <span class="eo-way">${button("first", "|◀", "First step (Home)")}${button("previous", "◀", "One step back (left arrow)")}
      ${button("next", "▶", "One step on (right arrow)")}${button("last", "▶|", "Last step (End)")}</span>
    <span class="eo-rail"><input type="range" class="eo-slider" min="0" step="1" aria-label="Step" data-kernel>
      <span class="eo-marks" aria-hidden="true"></span></span>
    <span class="eo-count"></span>
    ${fault ? `<button type="button" class="eo-button eo-next-fault" data-go="fault" data-kernel>Next fault</button>` : ""}`;
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
    page.latest(what, at);
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
  const follow = () => { if (!page.waiting()) show(model.get("at")); };
  on("change:at", follow);
  on("change:last", follow);
  page.answers.push(follow);
  undo.push(stop);
  return { reset, stop };
}

// Reports the width that diagrams have, in pixels, now and after each change of it.
function watchWidth({ undo, send }, place) {
  let told = 0;
  let timer = null;
  const watcher = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const width = Math.floor(place.clientWidth / 20) * 20 - 24;
      if (width > 100 && Math.abs(width - told) >= 20) {
        told = width;
        send("width", width);
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
