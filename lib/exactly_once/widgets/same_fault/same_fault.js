// The page of the same fault: lanes that the kernel draws, and the arrival, which is dragged here.

const LAYOUT = `
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-scroll eo-same-fault-run"><div class="eo-rail"><span class="eo-same-fault-rail-says" aria-hidden="true"></span>
    <input type="range" class="eo-same-fault-arrival" min="1" step="1" aria-label="The late request arrives" data-kernel></div>
  <div class="eo-same-fault-stage"><div class="eo-lanes" data-region="stage"></div><div class="eo-same-fault-line" aria-hidden="true"></div></div></div>
  <div class="eo-folds" data-region="words"></div>`;
const THUMB = 8; // half of a slider's thumb, by which its first and last place are inside its box

export default screen({ name: "eo-same-fault", layout: LAYOUT, wide: ".eo-same-fault-stage" }, (page, model) => {
  const { root, on } = page;
  const [slider, says, line, stage] = ["arrival", "rail-says", "line", "stage"].map((each) => root.querySelector(`.eo-same-fault-${each}`));
  const rail = () => model.get("rail");

  function place(at) {
    const { left, step, most } = rail();
    Object.assign(slider, { max: most, value: at });
    slider.style.marginLeft = `${left - THUMB}px`;
    slider.style.width = `${step * (most - 1) + 2 * THUMB}px`;
    line.style.left = `${left + step * (at - 1)}px`;
    const words = `arrives ${at} step${at === 1 ? "" : "s"} later`;
    says.textContent = words;
    slider.setAttribute("aria-valuetext", words);
  }

  function drag(at) {
    if (isOff(slider)) { place(rail().at); return; }
    place(at);
    page.latest("until", at);
  }

  function to({ clientX }) {
    const { left, step, most } = rail();
    const at = Math.round((clientX - stage.getBoundingClientRect().left - left) / step) + 1;
    drag(Math.max(1, Math.min(most, at)));
  }

  slider.addEventListener("input", () => drag(Number(slider.value)));
  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.offsetX < 0) return;
    stage.setPointerCapture(event.pointerId);
    slider.focus({ preventScroll: true });
    to(event);
    event.preventDefault();
  });
  stage.addEventListener("pointermove", (event) => { if (stage.hasPointerCapture(event.pointerId)) to(event); });
  on("change:rail", () => { if (!page.waiting()) place(rail().at); });
  return () => place(rail().at);
});
