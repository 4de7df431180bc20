// The transfer lab's page: fragments of HTML from the kernel; arrows go from button to button, Backspace undoes.

const LAYOUT = `
  <div class="eo-toolbar" data-region="head"></div>
  <div class="eo-verdict" data-region="says" role="status" aria-live="polite"></div>
  <div class="eo-transfer-tools" data-region="tools" role="group" aria-label="The way"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-transfer-board">
    <div class="eo-floor"><div data-region="bank"></div><div class="eo-transfer-nodes" data-region="nodes"></div></div>
    <div class="eo-transfer-side"><div data-region="code"></div><div data-region="claims"></div></div>
  </div>
  <div class="eo-transfer-way-made" data-region="way"></div>
  <div class="eo-opened"></div>`;

export default screen({ name: "eo-transfer", layout: LAYOUT }, (page, model) => {
  const { root, region, on } = page;

  // The innermost line at which somebody stands stays in view, and so does the newest move.
  page.after = (name) => {
    if (name === "code") {
      const listing = region.code.querySelector(".eo-listing");
      const line = [...region.code.querySelectorAll(".eo-transfer-next")].at(-1);
      if (!line) return;
      const y = line.getBoundingClientRect().top - listing.getBoundingClientRect().top;
      if (y < 0 || y > listing.clientHeight - 40) listing.scrollTop += y - listing.clientHeight / 2;
    }
    if (name !== "way") return;
    const frame = region.way.querySelector(".eo-transfer-moves-made");
    const here = region.way.querySelector("[aria-current]");
    if (!frame || !here) return;
    const x = here.offsetLeft - frame.offsetLeft;
    if (x < frame.scrollLeft || x + here.offsetWidth > frame.scrollLeft + frame.clientWidth) {
      frame.scrollLeft = x + here.offsetWidth - frame.clientWidth;
    }
  };

  shortcuts(page, ".eo-opened, select");
  const count = () => { root.dataset.nodes = model.get("count"); };
  on("change:count", count);
  count();
});
