// The crash console's page: tabs, the regions that the kernel fills, and the scrubber.

const TABS = { run: "Run", matrix: "Matrix", prove: "Prove", live: "Live" };
const LAYOUT = `
  <div class="eo-console-top">
    <div class="eo-toolbar" data-region="toolbar" role="group" aria-label="What to run"></div>
    <div class="eo-status eo-console-under-way" data-region="status" role="status"></div>
    <div class="eo-tabs" aria-label="Views">${Object.entries(TABS).map(([name, title]) =>
      `<button class="eo-tab-${name}" data-tab="${name}" data-key="tab-${name}">${title}</button>`).join("")}</div>
  </div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div data-panel="run"></div>
  <div class="eo-matrix" data-region="matrix" data-panel="matrix"></div>
  <div class="eo-proving" data-region="proof" data-panel="prove"></div>
  <div data-panel="live"><div class="eo-livebar" data-region="livebar" role="group" aria-label="The live run"></div></div>
  <div class="eo-console-main">
    <div class="eo-console-left">
      <div class="eo-console-code" data-region="code" data-sight=".eo-death-line, .eo-last-line" data-frame=".eo-listing"></div>
      <div class="eo-ran" data-region="ran"></div>
    </div>
    <div class="eo-console-right">
      <div class="eo-saying" data-region="said"></div>
      <div data-stale-says></div>
      <div class="eo-console-verdict" data-region="verdict" role="status" aria-live="polite"></div>
      <div class="eo-console-tape" data-region="tape"></div>
      <div class="eo-console-facts" data-region="facts"></div>
    </div>
  </div>
  <div class="eo-console-spacetime" data-region="diagram"></div>
  <div class="eo-console-strip" data-region="strip" role="group" aria-label="Where the fault strikes"></div>
  <div class="eo-as-table-of-run" data-region="table"></div>
  <div class="eo-opened"></div>`;
const FIRST_MS = 400; // after which JupyterLab has come to the next cell
const NEW_SECONDS = 10;
const SAID_MS = 3000; // how long a finished piece of work is told

// The ✖ on the strip.
function scrubber(page, { model }) {
  const { root, region, on } = page;
  let here = -1; // the place that is in sight
  const track = () => region.strip.querySelector(".eo-console-track");
  const ticks = () => [...region.strip.querySelectorAll(".eo-tick")];

  function mark(index) {
    here = index;
    const place = track();
    if (!place) return;
    const tick = ticks()[index];
    const kill = place.querySelector(".eo-console-kill");
    const says = place.querySelector(".eo-kill-says");
    kill.hidden = says.hidden = !tick;
    for (const one of place.querySelectorAll(".eo-here")) one.classList.remove("eo-here");
    if (!tick) return;
    tick.classList.add("eo-here");
    const chosen = [...place.querySelectorAll(".eo-letter")].find((letter) => letter.style.left === tick.style.left);
    const hour = chosen ? chosen.dataset.hour : tick.dataset.hour;
    for (const one of place.querySelectorAll(`.eo-hour[data-hour="${hour}"], .eo-letter[data-hour="${hour}"]`)) one.classList.add("eo-here");
    for (const letter of place.querySelectorAll(".eo-letter")) letter.classList.toggle("eo-chosen", letter === chosen);
    kill.style.left = tick.style.left;
    const word = tick.dataset.word;
    kill.setAttribute("aria-valuenow", index + 1);
    kill.setAttribute("aria-valuetext", word === "not run" ? tick.dataset.says : `${tick.dataset.says}: ${word}`);
    says.style.left = tick.style.left;
    says.classList.toggle("eo-leftward", parseFloat(tick.style.left) > 52);
    says.firstChild.textContent = word === "not run" ? tick.dataset.says : `${tick.dataset.says} → `;
    says.lastChild.className = `eo-is-${word.replace(" ", "-")}`;
    says.lastChild.textContent = word === "not run" ? "" : `${tick.textContent} ${word}`;
  }

  function go(index) {
    const last = ticks().length - 1;
    index = Math.max(0, Math.min(last, index));
    if (index === here && index === model.get("place") && model.get("shows_place")) return;
    if (root.dataset.busy !== "idle") return;
    mark(index);
    page.latest("place", index);
  }

  function nearest(x) {
    const middle = (tick) => tick.getBoundingClientRect().x + tick.getBoundingClientRect().width / 2;
    return ticks().reduce((best, tick, index, all) => (Math.abs(middle(tick) - x) < Math.abs(middle(all[best]) - x) ? index : best), 0);
  }

  let dragging = false;
  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.target.closest(".eo-console-track")) return;
    dragging = true;
    track().setPointerCapture(event.pointerId);
    track().querySelector(".eo-console-kill").focus({ preventScroll: true });
    go(nearest(event.clientX));
    event.preventDefault();
  });
  root.addEventListener("pointermove", (event) => { if (dragging) go(nearest(event.clientX)); });
  for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, () => { dragging = false; });
  root.addEventListener("keydown", (event) => {
    if (!event.target.closest(".eo-console-kill")) return;
    const hour = (way) => {
      const all = ticks();
      const next = all.findIndex((tick) => Number(tick.dataset.hour) === Number(all[Math.max(here, 0)].dataset.hour) + way);
      return next < 0 ? (way < 0 ? 0 : all.length - 1) : next;
    };
    const to = { ArrowLeft: here - 1, ArrowDown: here - 1, ArrowRight: here + 1, ArrowUp: here + 1, Home: 0, End: ticks().length - 1,
      PageUp: hour(1), PageDown: hour(-1), Enter: here, " ": here }[event.key];
    if (to === undefined) return;
    go(to);
    event.preventDefault();
  });

  // What the kernel says of an earlier place must not replace what is in sight already.
  const follow = () => mark(page.waiting() ? here : model.get("place"));
  on("change:place", () => queueMicrotask(follow)); // when all that came with it is drawn
  page.heard = follow;
  return { mark: follow };
}

// Pointing at a cell of the tape lights the arrow of its push, the stamp, and the line of the code.
function lighting({ root }) {
  const light = (event) => {
    for (const lit of root.querySelectorAll(".eo-lit")) lit.classList.remove("eo-lit");
    const cell = event.type === "pointerout" || event.type === "focusout" ? null : event.target.closest?.(".eo-cell[data-step]");
    if (!cell) return;
    cell.classList.add("eo-lit");
    for (const found of root.querySelectorAll(`.eo-console-spacetime [data-step="${cell.dataset.step}"]`)) found.classList.add("eo-lit");
    if (cell.dataset.line) root.querySelector(`.eo-console-code [data-line="${cell.dataset.line}"]`)?.classList.add("eo-lit");
  };
  for (const each of ["pointerover", "pointerout", "focusin", "focusout"]) root.addEventListener(each, light);
}

const RESULTS = ["verdict", "tape", "facts", "ran", "diagram"];

export default screen({ name: "eo-console", layout: LAYOUT, results: RESULTS, wide: "diagram" }, (page, model) => {
  let scrub = null;
  let told = null;
  let widest = { width: 0, height: 0 };

  // Program and verdict take the room that the longest verdict needed so far: what is below them does not jump back.
  function roomy() {
    const main = page.root.querySelector(".eo-console-main");
    if (main.clientWidth !== widest.width) widest = { width: main.clientWidth, height: 0 };
    main.style.minHeight = "";
    widest.height = Math.max(widest.height, main.offsetHeight);
    if (main.offsetHeight < widest.height) main.style.minHeight = `${widest.height}px`;
  }

  page.after = (name) => {
    if (name === "verdict" || name === "tape" || name === "facts" || name === "said") page.roomy();
    if (name === "status") {
      page.region.status.hidden = false;
      clearTimeout(told);
      if (model.get("busy") === "idle") told = setTimeout(() => { page.region.status.hidden = true; }, SAID_MS);
    }
    if (name === "strip" || name === "toolbar") scrub?.mark();
  };
  let asked = 0;
  page.roomy = () => { // before the next picture, when all that belongs to it is there: between, one part may wait for another
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(roomy);
  };
  const { root, on, undo } = page;
  const resized = new ResizeObserver(([{ target }]) => { if (target.clientWidth !== widest.width) page.roomy(); });
  resized.observe(root.querySelector(".eo-console-main"));
  undo.push(() => resized.disconnect(), () => cancelAnimationFrame(asked));
  // Shift-Enter shows the next cell, and so hides the head of a console that it has just made: it comes back into sight, once.
  const first = setTimeout(() => {
    const { top, bottom, height } = root.getBoundingClientRect();
    const pane = root.closest(".jp-WindowedPanel-outer")?.getBoundingClientRect();
    const isNew = !model.headShown && Date.now() / 1000 - model.get("made") < NEW_SECONDS;
    model.headShown = true;
    if (isNew && pane && height && bottom > pane.top && top < pane.bottom && (top < pane.top || bottom > pane.bottom)) root.scrollIntoView();
  }, FIRST_MS);
  undo.push(() => clearTimeout(first));
  // What a run shows stands in the tab of runs or of live ones.
  const parts = [".eo-console-main", ".eo-console-spacetime", ".eo-console-strip", ".eo-as-table-of-run"].map((part) => root.querySelector(part));
  const views = tabs(page, root.querySelector(".eo-tabs"), (name) => {
    root.dataset.tab = name;
    const panel = root.querySelector(`[data-panel="${name === "live" ? "live" : "run"}"]`);
    panel.append(...(name === "live" ? parts.slice(0, 2) : parts));
  });
  scrub = scrubber(page, { model });
  lighting(page);
  // What a cell of the matrix or a token came to stands in the tab of runs; a token that cannot be read stays where it is.
  root.addEventListener("click", ({ target }) => { if (target.closest("[data-do=cell]")) views.choose("run"); });
  on("change:replayed", () => views.choose("run"));
  on("change:busy", () => page.after("status"));
  undo.push(() => clearTimeout(told));
  return () => scrub.mark();
});
