// The producer lab's page: controls that the kernel draws, and a player of steps that is the page's own.

const LAYOUT = `
  <div class="eo-producer-top"><div class="eo-producer-steps"></div><div class="eo-outages" data-region="outages"></div></div>
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-producer-faults" data-region="faults"></div>
  <div class="eo-producer-step-says" role="status" aria-live="polite" aria-atomic="true"></div>
  <div class="eo-heads" data-region="heads"></div>
  <div class="eo-producer-stage"></div>
  <p class="eo-producer-foot"><b>One TCP connection keeps order:</b> what is lost or late here was on another one, and a retry
    comes behind what was sent meanwhile.</p>
  <div class="eo-producer-under"><div class="eo-producer-folds" data-region="words"></div><span><code>1@2</code>: sequence 1, offset 2</span></div>`;
const OUTAGES = ["restart", "fail_over"];

const RESULTS = [".eo-producer-step-says", ".eo-producer-stage", ".eo-producer-folds"];

export default screen({ name: "eo-producer", layout: LAYOUT, results: RESULTS }, (page, model) => {
  const { root, on, undo } = page;
  const [says, stage, place] = ["step-says", "stage", "steps"].map((name) => root.querySelector(`.eo-producer-${name}`));
  const ticks = () => model.get("ticks");
  const last = () => ticks().length - 1;
  let tick = 0; // the tick on the screen, which another run keeps
  const steps = stepper(page, place, { last, marks: () => model.get("marks").map(([at]) => at), go: show });

  function show(at) {
    tick = ticks()[at];
    const before = places();
    const focused = stage.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    says.innerHTML = model.get("says")[at];
    mergeChildren(stage, parsed(model.get("stages")[at]));
    if (focused && document.activeElement?.dataset?.key !== focused) focus(focused);
    if (page.gone()) for (const each of stage.querySelectorAll("[data-do]")) each.setAttribute("aria-disabled", "true");
    move(before);
  }

  // What was struck goes, or has another key: the focus goes to the next message, or to the slider.
  function focus(key) {
    const same = stage.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const kin = stage.querySelector(`[data-key^="${CSS.escape(key.replace(/[a-z]+$/, ""))}"]`);
    (same ?? kin ?? root.querySelector(".eo-slider")).focus({ preventScroll: true });
  }

  function places() {
    return new Map([...stage.querySelectorAll(".eo-packet[data-key]")].map((each) => [each.dataset.key, each.getBoundingClientRect().left]));
  }

  function move(before) {
    if (still()) return;
    for (const [key, left] of places()) {
      const far = (before.get(key) ?? left) - left;
      const packet = stage.querySelector(`[data-key="${CSS.escape(key)}"]`);
      if (far) packet.animate([{ transform: `translateX(${far}px)` }, { transform: "none" }], { duration: 260, easing: "ease-out" });
    }
  }

  function anew() {
    const at = ticks().findLastIndex((each) => each <= tick);
    steps.reset(Math.max(0, at));
    root.querySelectorAll(".eo-marks span").forEach((each, number) => { each.textContent = model.get("marks")[number][1]; });
    show(steps.at());
  }

  page.tell = (what, value) => page.send(what, OUTAGES.includes(what) ? String(tick) : value);
  on("change:stages", anew);
  undo.push(() => steps.stop());
  root.addEventListener("eo-kernel", () => show(steps.at()));
  const columns = () => root.style.setProperty("--batches", model.get("columns"));
  on("change:columns", columns);
  columns();
  return anew;
});
