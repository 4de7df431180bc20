// The delivery lab's page: controls that the kernel draws, and a player of steps that is the page's own.

const LAYOUT = `
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <p class="eo-promise" data-region="promise"></p>
  <div class="eo-steer" role="group" aria-label="Steps">
    <button type="button" class="eo-button eo-primary eo-play" data-go="play">▶ Play</button>
    <span class="eo-way">
      <button type="button" class="eo-button eo-go-first" data-go="first" aria-label="First step (Home)">|◀</button>
      <button type="button" class="eo-button eo-go-previous" data-go="previous" aria-label="One step back (left arrow)">◀</button>
      <button type="button" class="eo-button eo-go-next" data-go="next" aria-label="One step on (right arrow)">▶</button>
      <button type="button" class="eo-button eo-go-last" data-go="last" aria-label="Last step (End)">▶|</button>
    </span>
    <span class="eo-rail"><input type="range" class="eo-slider" min="0" step="1" aria-label="Step"><span class="eo-marks" aria-hidden="true"></span></span>
    <span class="eo-count"></span>
  </div>
  <div class="eo-here" role="status" aria-live="polite" aria-atomic="true"><p class="eo-step-says"></p><div class="eo-verdict-place"></div></div>
  <div class="eo-stage"></div>
  <div class="eo-folds"><div data-region="four"></div><div data-region="words"></div></div>`;
const REGIONS = ["toolbar", "error", "promise", "four", "words"];
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
const PACE = 650; // ms a step

function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "eo eo-delivery";
  root.innerHTML = LAYOUT;
  el.append(root);
  const region = Object.fromEntries(REGIONS.map((name) => [name, root.querySelector(`[data-region=${name}]`)]));
  const find = (name) => root.querySelector(`.eo-${name}`);
  const [slider, count, says, stage] = ["slider", "count", "step-says", "stage"].map(find);
  let at = 0;
  let timer = null;

  const last = () => model.get("says").length - 1;

  function go(step) {
    at = Math.max(0, Math.min(last(), step));
    slider.max = last();
    slider.value = at;
    slider.setAttribute("aria-valuetext", `step ${at + 1} of ${last() + 1}`);
    count.textContent = `${at + 1} of ${last() + 1}`;
    says.innerHTML = model.get("says")[at];
    says.classList.toggle("eo-hurts", model.get("marks").includes(at));
    stage.innerHTML = model.get("stages")[at];
    find("verdict-place").innerHTML = at === last() ? model.get("verdict") : "";
    says.hidden = at === last();
    if (at === last()) stop();
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    find("play").textContent = "▶ Play";
    find("play").setAttribute("aria-pressed", "false");
  }

  function play() {
    if (timer) return stop();
    if (at === last()) go(0);
    timer = setInterval(() => (el.isConnected ? go(at + 1) : stop()), PACE);
    find("play").textContent = "❚❚ Pause";
    find("play").setAttribute("aria-pressed", "true");
  }

  function draw(name) {
    mergeChildren(region[name], parsed(model.get(name)));
  }

  function anew() {
    stop();
    const ticks = model.get("marks").map((place) => {
      const tick = document.createElement("span");
      tick.textContent = "✖";
      tick.style.left = `calc(8px + (100% - 16px) * ${place / Math.max(1, last())})`;
      return tick;
    });
    find("marks").replaceChildren(...ticks);
    go(0);
  }

  function tell(element, value) {
    model.send({ do: element.dataset.do, value });
  }

  slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.do) tell(button, button.dataset.value ?? null);
    const way = button?.dataset.go;
    if (way === "play") play();
    else if (way) { stop(); go({ first: 0, previous: at - 1, next: at + 1, last: last() }[way]); }
  });
  root.addEventListener("change", (event) => {
    const control = event.target.closest("select[data-do], input[data-do]");
    if (control) tell(control, control.value);
  });
  root.addEventListener("keydown", (event) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const group = event.target.closest("[data-arrows]");
    const typing = event.target.closest(".eo-toolbar, .eo-scroll, summary");
    if (group && plain && event.key in KEYS) {
      const all = [...group.querySelectorAll("button")];
      const next = all[(all.indexOf(event.target) + KEYS[event.key] + all.length) % all.length];
      if (next) { next.focus(); tell(next, next.dataset.value); }
      event.preventDefault();
    } else if (!typing && plain && (event.key in KEYS || event.key === "Home" || event.key === "End")) {
      stop();
      go({ Home: 0, End: last() }[event.key] ?? at + KEYS[event.key]);
      event.preventDefault();
    }
    // The notebook's own shortcuts must not take what is typed here; Escape leaves to the notebook.
    if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation();
  });

  const listeners = REGIONS.map((name) => {
    const listener = () => draw(name);
    draw(name);
    return [`change:${name}`, listener];
  });
  listeners.push(["change:stages", anew]);
  listeners.forEach(([event, listener]) => model.on(event, listener));
  anew();

  return () => {
    stop();
    listeners.forEach(([event, listener]) => model.off(event, listener));
  };
}

export default { render };
