// The transaction timeline's page: the kernel draws it all; the stepper goes along what was done, and what is to come.

const LAYOUT = `
  <div class="eo-toolbar" data-region="cluster"></div>
  <div class="eo-toolbar eo-pair" data-region="producers"></div>
  <div class="eo-way-row"><div class="eo-timeline-steps"></div><div class="eo-timeline-ahead" data-region="ahead"></div></div>
  <div data-region="error" role="alert"></div>
  <div data-region="says" role="status" aria-live="polite" aria-atomic="true"></div>
  <div class="eo-scroll eo-picture" data-region="picture" tabindex="0" role="region" aria-label="Timeline"></div>
  <p class="eo-positions"><b>Positions ⚑</b> <span data-region="positions"></span></p>
  <div class="eo-timeline-under"><p class="eo-timeline-legend"><span><i class="eo-key-prepare"></i>Prepare…: decided, markers on their way</span>
    <span>– marker, never delivered</span></p>
    <div class="eo-timeline-folds" data-region="folds"></div></div>`;
const REGIONS = ["cluster", "producers", "ahead", "error", "says", "picture", "positions", "folds"];

function render({ model, el }) {
  let sync = () => {};
  const page = board({ model, el }, { name: "eo-timeline", regions: REGIONS, layout: LAYOUT, heard: () => sync() });
  const { root, on, undo } = page;
  const steps = stepper(page, root.querySelector(".eo-timeline-steps"), {
    last: () => model.get("last"), marks: () => [], go: (at) => page.latest("go", at), kernel: true,
  });
  root.querySelector(".eo-speed").value = "1300"; // there is a verdict to read at each step
  sync = () => { if (!page.waiting()) steps.show(model.get("at")); };
  on("change:at", sync);
  on("change:last", sync);
  listen(page, (what, value) => { steps.stop(); page.send(what, value); });
  watchWidth(page, root.querySelector(".eo-picture"));
  page.draw();
  steps.reset(model.get("at"));
  return () => undo.forEach((each) => each());
}

export default { render };
