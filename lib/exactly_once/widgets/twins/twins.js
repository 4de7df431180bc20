// The Twins console's page: fragments of HTML from the kernel, five times a second while twins are at work.

const LAYOUT = `
  <div class="eo-toolbar" data-region="head" role="group" aria-label="The run"></div>
  <div class="eo-twin-row" data-region="nodes"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-status" data-region="status" role="status"></div>
  <div class="eo-verdict" data-region="says"></div>
  <p class="eo-aloud" role="status"></p>
  <div class="eo-twins-board"><div class="eo-pictures" data-region="pictures"></div><div class="eo-events" data-region="events"></div></div>
  <div class="eo-twins-folds" data-region="words"></div>`;

export default screen({ name: "eo-player eo-twins", layout: LAYOUT, wide: ".eo-twins-board" }, (page) => {
  const { root, region } = page;

  // The verdict counts hours five times a second: what is read aloud is its first words, and only when they change.
  page.after = (name) => {
    if (name !== "says") return;
    const words = region.says.querySelector("strong")?.textContent ?? "";
    const aloud = root.querySelector(".eo-aloud");
    if (aloud.textContent !== words) aloud.textContent = words;
  };

  // What the slider says follows the thumb; the kernel hears of it when it is let go.
  root.addEventListener("input", ({ target }) => {
    if (target.matches(".eo-pace") && isOff(target)) target.value = target.getAttribute("value");
  });
});
