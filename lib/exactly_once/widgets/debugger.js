// The debugger's page: a slider and buttons that are its own, and fragments of HTML that the kernel sends for a step.

const MOMENT = ["says", "diagram", "code", "stores", "processes"];
const ONCE = ["about", "faults", "words"];
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
    <button type="button" class="eo-button eo-next-fault" data-do="fault">Next misfortune</button>
  </div>
  <div class="eo-faults" data-region="faults"></div>
  <p class="eo-step-says" data-region="says" role="status" aria-live="polite" aria-atomic="true"></p>
  <div class="eo-spacetime" data-region="diagram"></div>
  <div class="eo-main">
    <div class="eo-code" data-region="code"></div>
    <div class="eo-right">
      <div><p class="eo-h">What the stores hold</p><div data-region="stores"></div></div>
      <div><p class="eo-h">Processes and their Lamport clocks</p><div data-region="processes"></div></div>
    </div>
  </div>
  <div class="eo-words" data-region="words"></div>`;

function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "eo eo-debugger";
  root.innerHTML = LAYOUT;
  el.append(root);
  const region = Object.fromEntries(
    [...MOMENT, ...ONCE].map((name) => [name, root.querySelector(`[data-region=${name}]`)]));
  const slider = root.querySelector(".eo-slider");
  const count = root.querySelector(".eo-count");

  for (const [what, sign, label] of BUTTONS) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `eo-button eo-go-${what}`;
    button.dataset.do = what;
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

  function go(step) {
    const at = Math.max(0, Math.min(model.get("last"), step));
    slider.value = at;
    number(at);
    wanted = { do: "step", value: at };
    ask();
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

  function draw(name) {
    const scrolled = region[name].querySelector(".eo-listing, .eo-scroll");
    const [left, top] = [scrolled?.scrollLeft ?? 0, scrolled?.scrollTop ?? 0];
    region[name].innerHTML = model.get(name);
    const now = region[name].querySelector(".eo-listing, .eo-scroll");
    if (now) {
      now.scrollLeft = left;
      now.scrollTop = top;
    }
    if (name === "diagram") follow();
  }

  function follow() {
    const here = region.diagram.querySelector("[data-here]");
    const frame = here?.closest(".eo-scroll");
    if (!frame) return;
    const x = here.getBoundingClientRect().left - frame.getBoundingClientRect().left;
    if (x < 60 || x > frame.clientWidth - 60) frame.scrollLeft += x - frame.clientWidth / 2;
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

  slider.addEventListener("input", () => go(Number(slider.value)));
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const now = Number(slider.value);
    const places = { first: 0, previous: now - 1, next: now + 1, last: model.get("last") };
    const next = model.get("marks").find((at) => at > now) ?? model.get("marks")[0];
    go(Number(button.dataset.step ?? places[button.dataset.do] ?? next));
  });
  root.addEventListener("keydown", (event) => {
    // In a region that scrolls the arrows scroll; everywhere else they step, as they do on the slider.
    const scrolls = event.target.closest(".eo-scroll, .eo-listing, summary");
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!scrolls && plain && (event.key in KEYS || event.key === "Home" || event.key === "End")) {
      const ends = { Home: 0, End: model.get("last") };
      go(ends[event.key] ?? Number(slider.value) + KEYS[event.key]);
      event.preventDefault();
    }
    // The notebook's own shortcuts must not take what is typed here; Escape leaves to the notebook.
    if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation();
  });

  const listeners = [...MOMENT, ...ONCE].map((name) => {
    const listener = () => draw(name);
    model.on(`change:${name}`, listener);
    draw(name);
    return [`change:${name}`, listener];
  });
  const answered = () => {
    waiting = false;
    place();
    ask();
  };
  listeners.push(["change:at", place], ["msg:custom", answered]);
  model.on("change:at", place);
  model.on("msg:custom", answered);
  place();
  mark();

  let told = 0;
  let timer = null;
  const watcher = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const width = Math.floor(region.diagram.clientWidth / 20) * 20 - 24;
      if (width > 100 && Math.abs(width - told) >= 20) {
        told = width;
        wanted = wanted ?? { do: "width", value: width };
        ask();
      }
    }, 120);
  });
  watcher.observe(region.diagram);

  return () => {
    watcher.disconnect();
    clearTimeout(timer);
    listeners.forEach(([name, listener]) => model.off(name, listener));
  };
}

export default { render };
