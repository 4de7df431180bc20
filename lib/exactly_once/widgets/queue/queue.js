// The queue stepper's page: fragments of HTML from the kernel; 1, 2 and 3 are steps of the pushers, u undoes.

const LAYOUT = `
  <div class="eo-toolbar eo-queue-stepper-choices" data-region="choices"></div>
  <div class="eo-queue-stepper-tools" data-region="tools" role="group" aria-label="All pushers"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-verdict" data-region="says" role="status" aria-live="polite"></div>
  <div class="eo-scroll eo-cells-room" data-region="cells" tabindex="0" role="region" aria-label="The queue"></div>
  <div data-region="pushers"></div>
  <div class="eo-queue-stepper-under"><div data-region="way"></div><div data-region="registers"></div></div>`;

export default screen({ name: "eo-queue-stepper", layout: LAYOUT }, (page) => {
  page.after = (name) => {
    const list = name === "way" && page.region.way.querySelector(".eo-moves");
    if (list) list.scrollTop = list.scrollHeight;
  };
  shortcuts(page, "input");
});
