// The ladder's page: a grid of cells, and the proof of the one that is open.

const REGIONS = ["toolbar", "status", "of", "error", "grid", "head", "proof", "words"];
const LAYOUT = `
  <div class="eo-ladder-top"><div class="eo-toolbar" data-region="toolbar"></div>
    <div class="eo-status" data-region="status" role="status"></div><p class="eo-ladder-of" data-region="of"></p></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div data-region="grid"></div>
  <div class="eo-opened-head" data-region="head"></div>
  <div class="eo-opened-proof" data-region="proof" role="region" aria-label="The proof of the open cell" aria-live="polite" tabindex="0"></div>
  <div data-region="words"></div>`;

function render({ model, el }) {
  const page = board({ model, el }, { name: "eo-ladder", regions: REGIONS, layout: LAYOUT });
  page.draw();
  listen(page);
  watchWidth(page, page.region.proof);
  return () => page.undo.forEach((each) => each());
}

export default { render };
