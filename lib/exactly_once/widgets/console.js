// The crash console's page: draws the fragments of HTML that the kernel sends, and reports clicks, keys and changes.

const REGIONS = ["error", "status", "toolbar", "code", "verdict", "tape", "facts", "diagram", "matrix"];
const LAYOUT = `
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-status" data-region="status" role="status"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-main">
    <div class="eo-code" data-region="code"></div>
    <div class="eo-right">
      <div class="eo-verdict" data-region="verdict" role="status" aria-live="polite"></div>
      <div class="eo-tape" data-region="tape"></div>
      <div class="eo-facts" data-region="facts"></div>
    </div>
  </div>
  <div class="eo-spacetime" data-region="diagram"></div>
  <div class="eo-matrix" data-region="matrix"></div>`;

function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "eo eo-console";
  root.innerHTML = LAYOUT;
  el.append(root);
  const region = Object.fromEntries(REGIONS.map((name) => [name, root.querySelector(`[data-region=${name}]`)]));

  function draw(name) {
    const focused = root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    mergeChildren(region[name], parsed(model.get(name)));
    if (focused && document.activeElement?.dataset?.key !== focused) {
      root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    }
    for (const tape of region[name].querySelectorAll("[data-follow]")) tape.scrollLeft = tape.scrollWidth;
  }

  function tell(element, value) {
    model.send({ do: element.dataset.do, value });
  }

  root.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-do]");
    if (button && !isOff(button)) tell(button, button.dataset.value ?? null);
  });
  root.addEventListener("mousedown", (event) => {
    const list = event.target.closest("select");
    if (list && isOff(list)) event.preventDefault();
  });
  root.addEventListener("change", (event) => {
    const field = event.target.closest("select[data-do], input[data-do]");
    if (field && field.dataset.do !== "replay") tell(field, field.value);
  });
  root.addEventListener("keydown", (event) => {
    const field = event.target;
    if (field.matches("select, input") && isOff(field) && event.key !== "Tab") event.preventDefault();
    if (field.matches("input[data-do=replay]") && event.key === "Enter" && !isOff(field)) tell(field, field.value);
    const group = field.closest("[data-arrows]");
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (group && way) {
      const all = [...group.querySelectorAll("button")];
      const next = all[(all.indexOf(field) + way + all.length) % all.length];
      next.focus();
      if (next.dataset.do !== "arm" && !isOff(next)) tell(next, next.dataset.value);
      event.preventDefault();
    }
    // The notebook's own shortcuts must not take what is typed here; Escape leaves to the notebook.
    if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation();
  });

  const listeners = REGIONS.map((name) => {
    const listener = () => draw(name);
    model.on(`change:${name}`, listener);
    draw(name);
    return [name, listener];
  });
  const setBusy = () => { root.dataset.busy = model.get("busy"); };
  model.on("change:busy", setBusy);
  setBusy();

  let told = 0;
  let timer = null;
  const watcher = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const width = Math.floor(region.diagram.clientWidth / 20) * 20 - 24;
      if (width > 100 && Math.abs(width - told) >= 20) {
        told = width;
        model.send({ do: "width", value: width });
      }
    }, 120);
  });
  watcher.observe(region.diagram);

  return () => {
    watcher.disconnect();
    clearTimeout(timer);
    listeners.forEach(([name, listener]) => model.off(`change:${name}`, listener));
    model.off("change:busy", setBusy);
  };
}

export default { render };
