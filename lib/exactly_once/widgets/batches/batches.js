// The page of the micro-batch timeline: fragments of HTML from the kernel; arrows go from letter to letter, Backspace undoes.

const LAYOUT = `
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-batch-timeline-says" data-region="says" role="status" aria-live="polite"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-batch-timeline-stage eo-scroll" data-region="stage"></div>
  <div class="eo-batch-timeline-sink" data-region="tape"></div>
  <div class="eo-folds" data-region="words"></div>`;

export default screen({ name: "eo-batch-timeline", layout: LAYOUT, wide: "stage" }, (page) => shortcuts(page, "select"));
