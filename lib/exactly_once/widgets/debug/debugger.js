// The debugger's page: a slider and buttons that are its own, and fragments of HTML that the kernel sends for a step.

const REGIONS = ["about", "says", "code", "stores", "diagram", "processes", "faults", "words"];
const BUTTONS = [
  ["first", "|◀", "First step (Home)"], ["previous", "◀", "One step back (left arrow)"],
  ["next", "▶", "One step on (right arrow)"], ["last", "▶|", "Last step (End)"],
];
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
const LAYOUT = `
  <div class="eo-about" data-region="about"></div>
  <div class="eo-steer" role="group" aria-label="Steps">
    <span class="eo-way"></span>
    <span class="eo-rail"><input type="range" class="eo-slider" min="0" step="1" aria-label="Step"><span class="eo-marks" aria-hidden="true"></span></span>
    <span class="eo-count"></span>
    <button type="button" class="eo-button eo-next-fault" data-go="fault">Next fault</button>
  </div>
  <p class="eo-step-says" data-region="says" role="status" aria-live="polite" aria-atomic="true"></p>
  <div class="eo-spacetime" data-region="diagram"></div>
  <div class="eo-main">
    <div class="eo-code" data-region="code"></div>
    <div class="eo-holds"><p class="eo-h">What the stores hold</p>
      <div class="eo-shelf" tabindex="0" role="region" aria-label="What the stores hold" data-region="stores"></div></div>
    <div class="eo-clocks"><p class="eo-h">Processes and their Lamport clocks</p><div data-region="processes"></div></div>
  </div>
  <div class="eo-faults" data-region="faults"></div>
  <div class="eo-words" data-region="words"></div>
  <div class="eo-save-row"><button type="button" class="eo-button eo-shiviz" data-go="shiviz">Save for ShiViz</button>
    <span class="eo-dim eo-saved" role="status"></span></div>`;

function render({ model, el }) {
  const page = board({ model, el }, { name: "eo-debugger", regions: REGIONS, layout: LAYOUT, after });
  const { root, region, on, undo } = page;
  const slider = root.querySelector(".eo-slider");
  const count = root.querySelector(".eo-count");

  for (const [what, sign, label] of BUTTONS) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `eo-button eo-go-${what}`;
    button.dataset.go = what;
    button.textContent = sign;
    button.title = label;
    button.setAttribute("aria-label", label);
    root.querySelector(".eo-way").append(button);
  }

  // One request is under way at a time; of those that come meanwhile only the newest is sent after it.
  let wanted = null;
  let waiting = false;

  function ask() {
    if (waiting || wanted === null) return;
    waiting = true;
    model.send(wanted);
    wanted = null;
  }

  function want(what, value) {
    wanted = { do: what, value };
    ask();
  }

  function go(step) {
    const at = Math.max(0, Math.min(model.get("last"), step));
    slider.value = at;
    number(at);
    want("step", at);
  }

  function number(at) {
    count.textContent = `${at + 1} of ${model.get("last") + 1}`;
    slider.setAttribute("aria-valuetext", `step ${at + 1} of ${model.get("last") + 1}`);
  }

  function place() {
    slider.max = model.get("last");
    if (wanted === null) {
      slider.value = model.get("at");
      number(model.get("at"));
    }
  }

  // What the step is about comes into view by itself, within its own frame: the page does not move.
  function after(name) {
    if (name === "diagram") {
      const here = page.region.diagram.querySelector("[data-here]");
      const frame = here?.closest(".eo-scroll");
      if (!frame) return;
      const x = here.getBoundingClientRect().left - frame.getBoundingClientRect().left;
      if (x < 60 || x > frame.clientWidth - 60) frame.scrollLeft += x - frame.clientWidth / 2;
    } else if (name === "code" || name === "stores") {
      const line = page.region[name].querySelector(".eo-now-line, .eo-changed");
      const frame = line?.closest(".eo-listing, .eo-shelf");
      if (!frame) return;
      const y = line.getBoundingClientRect().top - frame.getBoundingClientRect().top;
      if (y < 24 || y > frame.clientHeight - 44) frame.scrollTop += y - frame.clientHeight / 2;
    }
  }

  function mark() {
    const last = Math.max(1, model.get("last"));
    root.querySelector(".eo-marks").replaceChildren(...model.get("marks").map((at) => {
      const tick = document.createElement("span");
      tick.textContent = "✖";
      tick.style.left = `calc(8px + (100% - 16px) * ${at / last})`;
      return tick;
    }));
    root.querySelector(".eo-next-fault").hidden = !model.get("marks").length;
  }

  function save({ name, text }) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
    root.querySelector(".eo-saved").textContent = `Saved as ${name}, where your browser keeps what it downloads.`;
  }

  slider.addEventListener("input", () => go(Number(slider.value)));
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.go === "shiviz") return want("shiviz");
    const now = Number(slider.value);
    const places = { first: 0, previous: now - 1, next: now + 1, last: model.get("last") };
    const next = model.get("marks").find((at) => at > now) ?? model.get("marks")[0];
    go(Number(button.dataset.step ?? places[button.dataset.go] ?? next));
  });
  root.addEventListener("keydown", (event) => {
    // In a region that scrolls the arrows scroll; everywhere else they step, as they do on the slider.
    const scrolls = event.target.closest(".eo-scroll, .eo-listing, .eo-shelf, summary");
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!scrolls && plain && (event.key in KEYS || event.key === "Home" || event.key === "End")) {
      const ends = { Home: 0, End: model.get("last") };
      go(ends[event.key] ?? Number(slider.value) + KEYS[event.key]);
      event.preventDefault();
    }
  });

  on("change:at", place);
  on("msg:custom", (answer) => {
    if (answer.text) save(answer);
    waiting = false;
    place();
    ask();
  });
  page.draw();
  place();
  mark();
  watchWidth(page, region.diagram, (what, value) => {
    if (wanted === null) want(what, value);
  });
  return () => undo.forEach((each) => each());
}

export default { render };
