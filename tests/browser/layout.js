// What is wrong with the geometry of one widget, as sentences: text that is cut or printed over other text, parts that lie
// over each other, parts outside the widget, and inner scroll bars. What counts is what can be seen.
(root) => {
  // What may scroll: code, long tables, and a drawing of a run, which is as long as the run, but not the console's.
  let SCROLLS = "pre, textarea, .eo-listing, .eo-scroll:has(table), .eo-debugger-shelf, .eo-scroll:has(> svg.eo-st:not(.eo-quiet)), .eo-debugger-code";
  // A drawing that grows with what the learner does may, too, where there is less room than JupyterLab has at 1280 pixels.
  if (root.clientWidth < 800) SCROLLS += ", .eo-canvas, .eo-scroll.eo-tapes, .eo-player-picture, .eo-picture, .eo-strip-room";
  const FLOATS = ".lanes[transform], .eo-menu-body, .eo-kill-says, .eo-kill, .eo-tick, .eo-marks"; // what floats over the rest on purpose
  const SLACK = 2 * root.currentCSSZoom;
  const faults = new Set();
  const box = (e) => e.getBoundingClientRect();
  const named = (e) => {
    const text = (e.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 34);
    const css = [...(e.classList ?? [])].join(".");
    return `<${e.nodeName.toLowerCase()}${css ? `.${css}` : ""}>${text ? ` “${text}”` : ""}`;
  };
  const style = (e) => getComputedStyle(e);
  const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !e.closest(".eo-aloud, [hidden]");
  const inSvg = (e) => e.ownerSVGElement !== undefined && e.ownerSVGElement !== null;
  const own = (e) => e.closest(".eo") === root || root.matches(".eo-demo");

  const all = [...root.querySelectorAll("*")].filter((e) => own(e) && !["STYLE", "TITLE", "DESC", "DEFS", "OPTION"].includes(e.nodeName.toUpperCase()) && seen(e));

  // The lines of text and the controls: each is content, of which nothing may be hidden.
  const contents = [];
  for (const e of all) {
    if (e.matches("input, select, textarea, progress, button")) contents.push({ e, box: box(e), control: true });
    if (e.matches("select")) continue;
    if (e.nodeName === "text") {
      const line = box(e);
      if (line.width > 1) contents.push({ e, box: line });
      continue;
    }
    if (inSvg(e) || (e.matches("details") && !e.open)) continue;
    for (const node of e.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) if (line.width > 1 && line.height > 1) contents.push({ e, box: line });
    }
  }

  // Where an element can be seen: within each ancestor that clips.
  const clips = new Map();
  function clip(e) {
    if (!e || e === root.parentElement) return null;
    if (clips.has(e)) return clips.get(e);
    let found = clip(e.parentElement);
    if (!inSvg(e)) {
      const { overflowX, overflowY } = style(e);
      if (overflowX !== "visible" || overflowY !== "visible") found = { e, up: found, x: overflowX !== "visible", y: overflowY !== "visible" };
    }
    clips.set(e, found);
    return found;
  }
  const scrolls = (e) => /auto|scroll/.test(style(e).overflowX + style(e).overflowY);
  const mayScroll = (e) => e.matches(SCROLLS) && scrolls(e);

  function visible(content) {
    let { left, top, right, bottom } = content.box;
    for (let at = clip(content.control ? content.e.parentElement : content.e); at; at = at.up) {
      const pane = box(at.e);
      if (at.x) { left = Math.max(left, pane.left); right = Math.min(right, pane.right); }
      if (at.y) { top = Math.max(top, pane.top); bottom = Math.min(bottom, pane.bottom); }
    }
    return { left, top, right, bottom };
  }

  const frame = box(root);
  const cell = box(root.closest(".jp-OutputArea-output") ?? root.parentElement);
  for (const content of contents) {
    const shown = visible(content);
    const whole = content.box;
    content.shown = shown;
    let free = false; // inside what may scroll
    for (let at = clip(content.e); at; at = at.up) free ||= mayScroll(at.e);
    const lost = [shown.left - whole.left, whole.right - shown.right, shown.top - whole.top, whole.bottom - shown.bottom];
    // a token is for copying: its button stands beside it
    const most = [SLACK, SLACK, whole.height * 0.25, whole.height * 0.25];
    if (!free && !content.e.matches("code.eo-token") && lost.some((px, side) => px > most[side])) faults.add(`cut: ${named(content.e)} in ${named(clip(content.e).e).slice(0, 40)}`);
    if (shown.left < Math.min(frame.left, cell.left) - SLACK || shown.right > Math.max(frame.right, cell.right) + SLACK) {
      faults.add(`outside the widget: ${named(content.e)}`);
    }
    const svg = content.e.ownerSVGElement;
    if (svg && svg.closest("svg") && !free) {
      const page = box(svg);
      if (whole.left < page.left - SLACK || whole.right > page.right + SLACK || whole.top < page.top - 3 || whole.bottom > page.bottom + 3) {
        faults.add(`cut by its picture: ${named(content.e)}`);
      }
    }
  }
  for (const e of all) {
    if (e.matches("input:not([type=range], [type=checkbox], [type=file])") && e.scrollWidth > e.clientWidth + 1) faults.add(`cut: what is typed in ${named(e)}`);
    if (e.matches("select") && e.selectedOptions[0]) {
      const pen = (window.eoPen ??= document.createElement("canvas").getContext("2d"));
      pen.font = style(e).font;
      const room = e.clientWidth - parseFloat(style(e).paddingLeft) - parseFloat(style(e).paddingRight) - 14;
      if (pen.measureText(e.selectedOptions[0].text).width > room + SLACK) faults.add(`cut: what is chosen in ${named(e).slice(0, 60)}`);
    }
  }

  // Text over text. A line of text is as high as its letters; a fifth at either end is air.
  const tight = ({ shown, e, control }) => {
    const air = control ? 0 : (shown.bottom - shown.top) * 0.2;
    return { left: shown.left + 1, right: shown.right - 1, top: shown.top + air, bottom: shown.bottom - air };
  };
  const overlap = (a, b) => [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
  const known = contents.map((each) => ({ ...each, tight: tight(each) })).filter(({ tight: t }) => t.right > t.left && t.bottom > t.top);
  known.sort((a, b) => a.tight.top - b.tight.top);
  known.forEach((one, number) => {
    for (let next = number + 1; next < known.length && known[next].tight.top < one.tight.bottom; next += 1) {
      const other = known[next];
      if (one.e === other.e || one.e.contains(other.e) || other.e.contains(one.e)) continue;
      if (one.e.closest(FLOATS) || other.e.closest(FLOATS)) continue;
      const same = one.e.textContent === other.e.textContent && Math.abs(one.box.left - other.box.left) < 1 && Math.abs(one.box.top - other.box.top) < 1;
      if (same) continue; // drawn a second time on top of a veil
      const [x, y] = overlap(one.tight, other.tight);
      if (x > SLACK && y > SLACK) faults.add(`printed over: ${named(one.e)} and ${named(other.e)}`);
    }
  });

  // Regions: the parts that stand beside and below each other.
  const flows = (e) => !inSvg(e) && !["absolute", "fixed"].includes(style(e).position) && !style(e).display.startsWith("inline") && box(e).width > 1 && box(e).height > 1;
  for (const parent of [root, ...all.filter((e) => !inSvg(e) && e.nodeName !== "svg")]) {
    const parts = [...parent.children].filter((e) => own(e) && seen(e) && flows(e) && !/^(TR|TD|TH|TBODY|THEAD)$/.test(e.nodeName));
    const shown = parts.map((e) => ({ e, box: visible({ e: e.parentElement, box: box(e) }) }));
    shown.forEach((one, number) => {
      for (const other of shown.slice(number + 1)) {
        const [x, y] = overlap(one.box, other.box);
        if (x > SLACK && y > SLACK) faults.add(`over each other: ${named(one.e)} and ${named(other.e)} (${x.toFixed()} × ${y.toFixed()} px)`);
      }
    });
    const bar = [parent.scrollWidth - parent.clientWidth, parent.scrollHeight - parent.clientHeight];
    const { overflowX, overflowY } = style(parent);
    if (((bar[0] > 1 && /auto|scroll/.test(overflowX)) || (bar[1] > 1 && /auto|scroll/.test(overflowY))) && !parent.matches(SCROLLS)) {
      faults.add(`an inner scroll bar: ${named(parent).slice(0, 60)} (${bar} px)`);
    }
    if (overflowX === "visible" && parent === root && bar[0] > SLACK) faults.add(`wider than its place by ${bar[0]} px`);
  }
  const region = [...root.querySelectorAll("[data-region]")].filter((e) => own(e) && seen(e) && box(e).height > 1 && box(e).width > 1);
  region.forEach((one, number) => {
    for (const other of region.slice(number + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const [x, y] = overlap(visible({ e: one.parentElement, box: box(one) }), visible({ e: other.parentElement, box: box(other) }));
      if (x > SLACK && y > SLACK) faults.add(`over each other: ${one.dataset.region} and ${other.dataset.region} (${x.toFixed()} × ${y.toFixed()} px)`);
    }
  });
  return [...faults];
}
