// The debugger's page: a row of steps that is its own, and fragments of HTML that the kernel sends for a step.

const LAYOUT = `
  <div class="eo-debugger-about" data-region="about"></div>
  <div class="eo-steps"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <p class="eo-debugger-step-says" data-region="says" role="status" aria-live="polite" aria-atomic="true"></p>
  <div class="eo-debugger-spacetime" data-region="diagram"></div>
  <div class="eo-debugger-main">
    <div class="eo-debugger-code" data-region="code" data-sight=".eo-debugger-now-line" data-frame=".eo-listing"></div>
    <div class="eo-holds"><p class="eo-h">What the stores hold</p>
      <div class="eo-debugger-shelf" tabindex="0" role="region" aria-label="What the stores hold" data-region="stores"
        data-sight=".eo-debugger-changed"></div></div>
    <div class="eo-debugger-clocks"><p class="eo-h">Processes and their Lamport clocks</p><div data-region="processes"></div></div>
  </div>
  <div class="eo-debugger-faults" data-region="faults"></div>
  <div data-region="other"></div>
  <div class="eo-words" data-region="words"></div>
  <div class="eo-opened"></div>`;

export default screen({ name: "eo-debugger", layout: LAYOUT, wide: "diagram" }, (page, model) => {
  const steps = stepper(page, model, page.root.querySelector(".eo-steps"), "step", true);

  // What the step is about comes into view by itself, within its own frame: the page does not move.
  page.after = (name) => {
    const here = name === "diagram" ? page.region.diagram.querySelector("[data-here]") : null;
    const frame = here?.closest(".eo-scroll");
    if (!frame) return;
    frame.onscroll = () => {
      const lanes = frame.querySelector(".lanes"); // what a row is called stays in view
      if (frame.scrollLeft > 2) lanes.setAttribute("transform", `translate(${frame.scrollLeft})`);
      else lanes.removeAttribute("transform");
    };
    const x = here.getBoundingClientRect().left - frame.getBoundingClientRect().left;
    if (x < 190 || x > frame.clientWidth - 60) frame.scrollLeft += x - frame.clientWidth / 2;
    frame.onscroll();
  };

  return () => steps.reset(model.get("at"));
});
