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
  const page = board({ model, el }, { name: "eo-delivery", regions: REGIONS, layout: LAYOUT });
  const { root, on, undo } = page;
  const find = (name) => root.querySelector(`.eo-${name}`);
  const [slider, count, says, stage] = ["slider", "count", "step-says", "stage"].map(find);
  const last = () => model.get("says").length - 1;
  let at = 0;
  let timer = null;

  function go(step) {
    at = Math.max(0, Math.min(last(), step));
    slider.max = last();
    slider.value = at;
    slider.setAttribute("aria-valuetext", `step ${at + 1} of ${last() + 1}`);
    count.textContent = `${at + 1} of ${last() + 1}`;
    says.innerHTML = model.get("says")[at];
    says.hidden = at === last();
    says.classList.toggle("eo-hurts", model.get("marks").includes(at));
    stage.innerHTML = model.get("stages")[at];
    find("verdict-place").innerHTML = at === last() ? model.get("verdict") : "";
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
    timer = setInterval(() => (root.isConnected ? go(at + 1) : stop()), PACE);
    find("play").textContent = "❚❚ Pause";
    find("play").setAttribute("aria-pressed", "true");
  }

  function anew() {
    stop();
    find("marks").replaceChildren(...model.get("marks").map((place) => {
      const tick = document.createElement("span");
      tick.textContent = "✖";
      tick.style.left = `calc(8px + (100% - 16px) * ${place / Math.max(1, last())})`;
      return tick;
    }));
    go(0);
  }

  slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const way = button?.dataset.do === "reset" ? "first" : button?.dataset.go;
    if (way === "play") play();
    else if (way) { stop(); go({ first: 0, previous: at - 1, next: at + 1, last: last() }[way]); }
  });
  root.addEventListener("keydown", (event) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const other = event.target.closest(".eo-toolbar, .eo-scroll, summary");
    if (!other && plain && (event.key in KEYS || event.key === "Home" || event.key === "End")) {
      stop();
      go({ Home: 0, End: last() }[event.key] ?? at + KEYS[event.key]);
      event.preventDefault();
    }
  });
  listen(root, (what, value) => model.send({ do: what, value }));

  on("change:stages", anew);
  page.draw();
  anew();
  undo.push(stop);
  return () => undo.forEach((each) => each());
}

export default { render };
