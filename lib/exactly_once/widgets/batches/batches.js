// The page of the micro-batch timeline: fragments of HTML from the kernel; arrows go from letter to letter, Backspace undoes.

const REGIONS = ["toolbar", "says", "error", "stage", "tape", "words"];
const LAYOUT = `
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-batch-timeline-says" data-region="says" role="status" aria-live="polite"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-batch-timeline-stage eo-scroll" data-region="stage"></div>
  <div class="eo-batch-timeline-sink" data-region="tape"></div>
  <div class="eo-folds" data-region="words"></div>`;

function render({ model, el }) {
  const page = board({ model, el }, { name: "eo-batch-timeline", regions: REGIONS, layout: LAYOUT });
  shortcuts(page, "select");
  page.draw();
  listen(page);
  watchWidth(page, page.region.stage);
  return () => page.undo.forEach((each) => each());
}

export default { render };
