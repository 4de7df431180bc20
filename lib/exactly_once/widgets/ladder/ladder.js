// The ladder's page: a grid of cells that fills when it is seen, and beside it the proof of the cell under the pointer.

const LAYOUT = `<div class="eo-ladder-body">
  <div class="eo-ladder-left">
    <div class="eo-ladder-top"><div class="eo-toolbar" data-region="toolbar"></div>
      <div class="eo-status" data-region="status" role="status"></div></div>
    <div class="eo-error" data-region="error" role="alert"></div>
    <div class="eo-ladder-ask" data-region="ask"></div>
    <div data-region="grid"></div>
    <div data-region="words"></div></div>
  <div class="eo-ladder-right">
    <div class="eo-opened-head" data-region="head"></div>
    <div class="eo-opened-proof" data-region="proof" role="region" aria-label="The proof of the open cell" tabindex="0"></div></div></div>`;
const DWELL_MS = 120; // a pointer on its way to the proof opens nothing

export default screen({ name: "eo-ladder", layout: LAYOUT, wide: "proof" }, (page) => {
  const { root, region, undo } = page;
  const seen = new IntersectionObserver((all) => {
    if (!all.some((each) => each.isIntersecting)) return;
    seen.disconnect();
    page.send("shown");
  }, { threshold: 0.4 });
  let dwelling = null;
  root.addEventListener("pointerover", ({ target }) => {
    clearTimeout(dwelling);
    const cell = target.closest(".eo-rung");
    if (cell && !isOff(cell)) dwelling = setTimeout(() => page.latest("look", cell.dataset.value), DWELL_MS);
  });
  root.addEventListener("focusin", ({ target }) => {
    if (target.matches(".eo-rung:focus-visible") && !isOff(target)) page.latest("focus", target.dataset.value);
  });
  undo.push(() => seen.disconnect(), () => clearTimeout(dwelling));
  return () => seen.observe(region.grid);
});
