// The transaction timeline's page: the kernel draws it all; the stepper goes along what was done, and what is to come.

const LAYOUT = `
  <div class="eo-toolbar" data-region="cluster"></div>
  <div data-region="producers"></div>
  <div class="eo-timeline-row"><div class="eo-timeline-steps"></div><div class="eo-timeline-ahead" data-region="ahead"></div></div>
  <div data-region="error" role="alert"></div>
  <div data-region="says" role="status" aria-live="polite" aria-atomic="true"></div>
  <div class="eo-scroll eo-picture" data-region="picture" tabindex="0" role="region" aria-label="Timeline"></div>
  <p class="eo-timeline-positions"><b>Positions ⚑</b> <span data-region="positions"></span></p>
  <div class="eo-timeline-row eo-timeline-under"><p><i class="eo-timeline-prepare"></i>Prepare…: decided, markers on their way</p>
    <p>– marker, never delivered</p><div class="eo-timeline-folds" data-region="folds"></div></div>`;

export default screen({ name: "eo-player eo-timeline", layout: LAYOUT, wide: "picture" }, (page, model) => {
  const { root } = page;
  const steps = stepper(page, model, root.querySelector(".eo-timeline-steps"), "go");
  root.querySelector(".eo-speed").value = "1300"; // there is a verdict to read at each step
  page.tell = (what, value) => { steps.stop(); page.forget(); page.send(what, value); };
  return () => steps.reset(model.get("at"));
});
