// The Twins console's page: fragments of HTML from the kernel, five times a second while twins are at work.

const LAYOUT = `
  <div class="eo-toolbar" data-region="head" role="group" aria-label="The run"></div>
  <div class="eo-twin-row" data-region="nodes"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-status" data-region="status" role="status"></div>
  <div class="eo-verdict" data-region="says"></div>
  <p class="eo-aloud" data-region="aloud" role="status"></p>
  <div class="eo-twins-board"><div class="eo-pictures" data-region="pictures"></div><div class="eo-events" data-region="events"></div></div>
  <div class="eo-twins-folds" data-region="words"></div>`;

export default screen({ name: "eo-player eo-twins", layout: LAYOUT, wide: ".eo-twins-board" }, ({ root }) => {
  // Without a kernel the slider stays where it is.
  root.addEventListener("input", ({ target }) => {
    if (target.matches(".eo-pace") && isOff(target)) target.value = target.getAttribute("value");
  });
});
