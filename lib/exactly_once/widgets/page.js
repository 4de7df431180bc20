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

