// The delivery lab's page: controls that the kernel draws, and a player of steps that is the page's own.

const LAYOUT = `
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <p class="eo-promise" data-region="promise"></p>
  <div class="eo-steps"></div>
  <div class="eo-here" role="status" aria-live="polite" aria-atomic="true"><p class="eo-delivery-step-says"></p><div class="eo-delivery-verdict-place"></div></div>
  <div class="eo-delivery-stage"></div>
  <div class="eo-delivery-folds"><div data-region="four"></div><div data-region="words"></div></div>`;
const REGIONS = ["toolbar", "error", "promise", "four", "words"];

function render({ model, el }) {
  const page = board({ model, el }, {
    name: "eo-delivery", regions: REGIONS, layout: LAYOUT, results: [".eo-promise", ".eo-here", ".eo-delivery-stage", ".eo-delivery-folds"],
  });
  const { root, on, undo } = page;
  const find = (name) => root.querySelector(`.eo-delivery-${name}`);
  const [says, stage, verdict] = ["step-says", "stage", "verdict-place"].map(find);
  const last = () => model.get("says").length - 1;
  const steps = stepper(page, root.querySelector(".eo-steps"), { last, marks: () => model.get("marks"), go: show });

  function show(at) {
    says.innerHTML = model.get("says")[at];
    says.hidden = at === last();
    says.classList.toggle("eo-delivery-hurts", model.get("marks").includes(at));
    stage.innerHTML = model.get("stages")[at];
    verdict.innerHTML = at === last() ? model.get("verdict") : "";
  }

  function anew() {
    steps.reset();
    show(0);
  }

  listen(page, (what, value) => {
    if (what === "reset") anew();
    page.send(what, value);
  });
  on("change:stages", anew);
  page.draw();
  anew();
  return () => undo.forEach((each) => each());
}

export default { render };
