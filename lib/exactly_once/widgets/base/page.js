// What the widgets' pages share; it stands before their own code. A fragment of HTML that the kernel sends is merged into
// what stands there, so that focus, scrolling and unfolded tables survive.

function merge(from, to) {
  if (from.nodeType !== to.nodeType || from.nodeName !== to.nodeName || from.dataset?.key !== to.dataset?.key) {
    from.replaceWith(to);
    return;
  }
  if (from.nodeType === Node.TEXT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return;
  }
  if (from.isEqualNode(to)) return;
  for (const { name } of [...from.attributes]) {
    const kept = name === "open" && from.nodeName === "DETAILS";
    if (!kept && !to.hasAttribute(name)) from.removeAttribute(name);
  }
  for (const { name, value } of [...to.attributes]) {
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  mergeChildren(from, to);
  if (from.nodeName === "INPUT" && to.hasAttribute("value")) from.value = to.getAttribute("value");
  if (from.nodeName === "SELECT") from.value = to.value;
}

function mergeChildren(from, to) {
  const wanted = [...to.childNodes];
  const found = [...from.childNodes];
  wanted.forEach((child, number) => (number < found.length ? merge(found[number], child) : from.append(child)));
  found.slice(wanted.length).forEach((child) => child.remove());
}

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function isOff(element) {
  return element.getAttribute("aria-disabled") === "true";
}

// Puts the regions of a widget on the page and keeps them drawn. `after(name)` is called when one was drawn anew; `undo`
// takes what is to happen when the widget leaves the page.
function board({ model, el }, { name, regions, layout, after = () => {} }) {
  const root = document.createElement("div");
  root.className = `eo ${name}`;
  root.innerHTML = layout;
  el.append(root);
  const region = Object.fromEntries(regions.map((each) => [each, root.querySelector(`[data-region=${each}]`)]));
  const undo = [];

  function on(event, listener) {
    model.on(event, listener);
    undo.push(() => model.off(event, listener));
  }

  function draw(each) {
    const focused = root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    mergeChildren(region[each], parsed(model.get(each)));
    if (focused && document.activeElement?.dataset?.key !== focused) {
      root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    }
    after(each);
  }

  for (const each of regions) on(`change:${each}`, () => draw(each));
  // The notebook's own shortcuts must not take what is typed here; Escape leaves to the notebook.
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation();
  });
  return { root, region, on, undo, draw: () => regions.forEach(draw) };
}

// Reports what is clicked, chosen and typed: `tell(do, value)`. A field with `data-enter` reports when Enter is pressed.
function listen(root, tell) {
  const report = (element, value) => tell(element.dataset.do, value);
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-do]");
    if (button && !isOff(button)) report(button, button.dataset.value ?? null);
  });
  root.addEventListener("mousedown", (event) => {
    const list = event.target.closest("select");
    if (list && isOff(list)) event.preventDefault();
  });
  root.addEventListener("change", (event) => {
    const field = event.target.closest("select[data-do], input[data-do]");
    if (field && !("enter" in field.dataset)) report(field, field.value);
  });
  root.addEventListener("keydown", (event) => {
    const field = event.target;
    if (field.matches("select, input") && isOff(field) && event.key !== "Tab") event.preventDefault();
    if (field.matches("input[data-enter]") && event.key === "Enter" && !isOff(field)) report(field, field.value);
    const group = field.closest("[data-arrows]");
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (group && way) {
      const all = [...group.querySelectorAll("button")];
      const next = all[(all.indexOf(field) + way + all.length) % all.length];
      next.focus();
      if (next.dataset.do !== "arm" && !isOff(next)) report(next, next.dataset.value);
      event.preventDefault();
    }
  });
}

// Reports the width that diagrams have, in pixels, now and after each change of it.
function watchWidth({ undo }, place, tell) {
  let told = 0;
  let timer = null;
  const watcher = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const width = Math.floor(place.clientWidth / 20) * 20 - 24;
      if (width > 100 && Math.abs(width - told) >= 20) {
        told = width;
        tell("width", width);
      }
    }, 120);
  });
  watcher.observe(place);
  undo.push(() => watcher.disconnect(), () => clearTimeout(timer));
}

// Keeps another widget, which the trait `opened` names, in its place below.
function holdOpened({ on, undo }, { model, host }, place) {
  let holding = new AbortController();
  async function hold() {
    holding.abort();
    holding = new AbortController();
    const { signal } = holding;
    place.replaceChildren();
    const name = model.get("opened");
    if (!name) return;
    const child = await host.getWidget(name);
    if (signal.aborted) return;
    await child.render({ el: place, signal });
    place.scrollIntoView({ block: "start", behavior: "smooth" });
  }
  on("change:opened", hold);
  undo.push(() => holding.abort());
  hold();
}

// Hands a text to the browser as a file to be saved.
function saveFile({ name, text }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

