// The queue stepper's page: fragments of HTML from the kernel; 1, 2 and 3 are steps of the pushers, u undoes.

const REGIONS = ["choices", "tools", "says", "error", "cells", "pushers", "way", "registers"];
const LAYOUT = `
  <div class="eo-toolbar eo-queue-stepper-choices" data-region="choices"></div>
  <div class="eo-queue-stepper-tools" data-region="tools" role="group" aria-label="All pushers"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-verdict" data-region="says" role="status" aria-live="polite"></div>
  <div class="eo-scroll eo-cells-room" data-region="cells" tabindex="0" role="region" aria-label="The queue"></div>
  <div data-region="pushers"></div>
  <div class="eo-queue-stepper-under"><div data-region="way"></div><div data-region="registers"></div></div>`;

function render({ model, el }) {
  const page = board({ model, el }, { name: "eo-queue-stepper", regions: REGIONS, layout: LAYOUT, after });
  const { root, region, undo } = page;

  function after(name) {
    const list = name === "way" && region.way.querySelector(".eo-moves");
    if (list) list.scrollTop = list.scrollHeight;
  }

  shortcuts(page, "input");
  copies(root);
  page.draw();
  listen(page);
  return () => undo.forEach((each) => each());
}

export default { render };
