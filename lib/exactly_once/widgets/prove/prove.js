// The page of the prove console.

const REGIONS = ["toolbar", "status", "error", "code", "verdict", "found"];
const LAYOUT = `
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-status" data-region="status" role="status"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-console-main">
    <div class="eo-console-code" data-region="code"></div>
    <div class="eo-console-right"><div class="eo-proved" data-region="verdict" role="status" aria-live="polite"></div></div>
  </div>
  <div class="eo-found" data-region="found"></div>
  <div class="eo-opened"></div>`;

function render({ model, el, host }) {
  const page = board({ model, el }, {
    name: "eo-console eo-prover", regions: REGIONS, layout: LAYOUT, results: ["verdict", "found"],
  });
  const { root, region, undo } = page;
  page.draw();
  listen(page);
  watchWidth(page, region.found);
  holdOpened(page, { model, host }, root.querySelector(".eo-opened"));
  return () => undo.forEach((each) => each());
}

export default { render };
