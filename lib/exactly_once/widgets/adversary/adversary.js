// The adversary's page: fragments of HTML from the kernel; keys make moves, arrows go from one to the next.

const LAYOUT = `
  <div class="eo-head" data-region="head"></div>
  <div class="eo-verdict" data-region="says" role="status" aria-live="polite"></div>
  <div class="eo-adversary-tools" data-region="tools" role="group" aria-label="The way"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-adversary-board">
    <div class="eo-adversary-nodes" data-region="nodes"></div>
    <div class="eo-adversary-side"><div data-region="stores"></div><div data-region="network"></div></div>
  </div>
  <div class="eo-adversary-way-made" data-region="way"></div>
  <div class="eo-opened"></div>`;

export default screen({ name: "eo-adversary", layout: LAYOUT, wide: ".eo-adversary" }, (page, model) => {
  const { root, region } = page;

  page.after = (name) => {
    if (name === "nodes") {
      region.nodes.querySelectorAll(".eo-listing").forEach((frame) => {
        const line = frame.querySelector(".eo-adversary-next") ?? frame.querySelector(".eo-guilty");
        if (!line) return;
        const y = (line.getBoundingClientRect().top - frame.getBoundingClientRect().top) / zoomOf(frame);
        if (y < 20 || y > frame.clientHeight - 40) frame.scrollTop += y - frame.clientHeight / 2;
      });
    } else if (name === "way") {
      const frame = region.way.querySelector(".eo-strip-room");
      const here = region.way.querySelector("[aria-current]");
      if (frame && here) {
        const x = here.offsetLeft + here.offsetWidth;
        if (x + 110 > frame.scrollLeft + frame.clientWidth || here.offsetLeft < frame.scrollLeft) {
          frame.scrollLeft = x + 110 - frame.clientWidth;
        }
      }
    } else if (name === "stores") {
      const tape = region.stores.querySelector("ol.eo-cells");
      if (tape) tape.scrollLeft = tape.scrollWidth;
    }
  };

  shortcuts(page, ".eo-opened", /^[1-9a-tv-z,.]$/);
  root.dataset.nodes = model.get("count");
});
