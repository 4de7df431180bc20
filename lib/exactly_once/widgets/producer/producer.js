// The producer lab's page: controls that the kernel draws, and a player of steps that is the page's own.

const LAYOUT = `
  <div class="eo-producer-top"><div class="eo-producer-steps"></div><div class="eo-outages" data-region="outages"></div></div>
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <p class="eo-producer-says" role="status" aria-live="polite" aria-atomic="true"></p>
  <div class="eo-heads" data-region="heads"></div>
  <div class="eo-producer-stage"></div>
  <p class="eo-producer-foot"><b>One TCP connection keeps order:</b> what is lost or late here was on another one, and a retry
    comes behind what was sent meanwhile.</p>
  <div class="eo-producer-under"><div class="eo-producer-folds" data-region="words"></div>
    <span><b>Click a packet</b> to ✖ drop or ◷ delay it</span><span><code>1@2</code>: sequence 1, offset 2</span></div>`;
const RESULTS = [".eo-producer-says", ".eo-producer-stage", ".eo-producer-folds"];

export default screen({ name: "eo-producer", layout: LAYOUT, results: RESULTS }, (page, model) => {
  const { root, on } = page;
  const [says, stage, place] = ["says", "stage", "steps"].map((name) => root.querySelector(`.eo-producer-${name}`));
  const ticks = () => model.get("ticks");
  let tick = 0; // the tick on the screen, which another run keeps
  const steps = stepper(page, place, {
    last: () => ticks().length - 1, marks: () => model.get("marks").map(([at]) => at), pause: () => model.get("differs"), go: show,
  });

  const places = () => new Map([...stage.querySelectorAll(".eo-packet[data-key]")].map((each) => [each, each.getBoundingClientRect().left]));

  function show(at) {
    tick = ticks()[at];
    const before = new Map([...places()].map(([each, left]) => [each.dataset.key, left]));
    const focused = stage.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    says.innerHTML = model.get("says")[at];
    mergeChildren(stage, parsed(model.get("stages")[at]));
    if (focused && document.activeElement?.dataset?.key !== focused) { // what was struck goes, or has another key
      const same = stage.querySelector(`[data-key="${focused}"]`) ?? stage.querySelector(`.eo-packet[data-key^="${focused.replace(/[a-z]+$/, "")}"]`);
      (same ?? root.querySelector(".eo-slider")).focus({ preventScroll: true });
    }
    if (page.gone()) for (const each of stage.querySelectorAll("[data-do]")) each.setAttribute("aria-disabled", "true");
    for (const [each, left] of still() ? [] : places()) {
      const far = (before.get(each.dataset.key) ?? left) - left;
      if (far) each.animate([{ transform: `translateX(${far}px)` }, { transform: "none" }], { duration: 260, easing: "ease-out" });
    }
  }

  function anew() {
    root.style.setProperty("--batches", model.get("batches"));
    steps.reset(Math.max(0, ticks().findLastIndex((each) => each <= tick)));
    root.querySelectorAll(".eo-marks span").forEach((each, number) => { each.textContent = model.get("marks")[number][1]; });
    show(steps.at());
  }

  page.tell = (what, value) => page.send(what, value ?? String(tick)); // a broker goes down after the tick on the screen
  on("change:stages", anew);
  root.addEventListener("toggle", ({ target }) => { if (target.matches(".eo-menu[open]")) steps.stop(); }, true);
  root.addEventListener("eo-kernel", () => show(steps.at()));
  return anew;
});
