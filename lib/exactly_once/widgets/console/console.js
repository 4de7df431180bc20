// The crash console's page.

const REGIONS = ["error", "status", "toolbar", "code", "verdict", "tape", "facts", "diagram", "matrix", "proof"];
const LAYOUT = `
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-status" data-region="status" role="status"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-main">
    <div class="eo-code" data-region="code"></div>
    <div class="eo-right">
      <div class="eo-verdict" data-region="verdict" role="status" aria-live="polite"></div>
      <div class="eo-tape" data-region="tape"></div>
      <div class="eo-facts" data-region="facts"></div>
    </div>
  </div>
  <div class="eo-spacetime" data-region="diagram"></div>
  <div class="eo-matrix" data-region="matrix"></div>
  <div class="eo-proving" data-region="proof"></div>
  <div class="eo-opened"></div>`;

function render({ model, el, host }) {
  let wanted = false; // the proof was asked for from above, so its verdict comes into view
  function after(name) {
    if (name === "proof" && wanted) {
      region.proof.scrollIntoView({ block: "start" });
      wanted = !region.proof.querySelector(".eo-proved .eo-says");
    }
    for (const tape of page.region[name].querySelectorAll("[data-follow]")) tape.scrollLeft = tape.scrollWidth;
  }
  const page = board({ model, el }, { name: "eo-console", regions: REGIONS, layout: LAYOUT, after });
  const { root, region, on, undo } = page;
  page.draw();
  listen(page);
  root.addEventListener("click", (event) => {
    wanted = wanted || event.target.closest(".eo-prove-now:not([aria-disabled])") !== null;
  });
  watchWidth(page, region.diagram);
  holdOpened(page, { model, host }, root.querySelector(".eo-opened"));
  const setBusy = () => { root.dataset.busy = model.get("busy"); };
  on("change:busy", setBusy);
  setBusy();
  return () => undo.forEach((each) => each());
}

export default { render };
