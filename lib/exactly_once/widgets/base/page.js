// What the page of every widget has, a card's as well as an instrument's; it stands before their own code. A fragment of HTML
// that the kernel sends is merged into what stands there, so that focus, scrolling and unfolded tables survive.

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
  const value = from.getAttribute("value"); // what is typed stays until the kernel wants something else there
  for (const { name } of [...from.attributes]) {
    const kept = name === "open" && from.nodeName === "DETAILS";
    if (!kept && !to.hasAttribute(name)) from.removeAttribute(name);
  }
  for (const { name, value } of [...to.attributes]) {
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  mergeChildren(from, to);
  if (from.nodeName === "INPUT" && to.hasAttribute("value") && to.getAttribute("value") !== value) from.value = to.getAttribute("value");
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

const isOff = (element) => element.getAttribute("aria-disabled") === "true";

const added = []; // what another file adds to every page: functions of the page, the model, the host, and `parts`

// Makes the front-end module of a widget: its page is `parts`, see `board`, and what `start(page, model)` adds to it.
// `parts` may be a function of the model; `start` is called before the first drawing; it may set `page.after`, `page.heard`
// and `page.tell`, which gets what is done on the page in the place of `page.send`, and may return what is to be called after
// the first drawing. Of the model a page uses get, on and send, and what else a notebook has only where it is there.
function screen(parts, start = () => {}) {
  function render({ model, el, host }) {
    const given = typeof parts === "function" ? parts(model) : parts;
    const page = board({ model, el }, given);
    for (const add of added) add(page, model, host, given);
    const drawn = start(page, model);
    page.draw();
    listen(page, (what, value) => (page.tell ?? page.send)(what, value));
    drawn?.();
    return () => page.undo.forEach((each) => each());
  }
  return { render };
}

// Puts the regions of a widget on the page and keeps them drawn: the elements of `layout` with `data-region`.
// Returns { root, region, on, undo, draw, send, gone, drew, after, answers, heard }.
//   undo: takes what is to happen when the widget leaves the page.   drew: functions of a region's name, called when it
//   was drawn anew, the last of them `after`.   answers: functions of each answer of the kernel, the last of them `heard`.
function board({ model, el }, { name, layout }) {
  const root = document.createElement("div");
  root.className = `eo ${name}`;
  root.innerHTML = `<p class="eo-gone-says" role="alert"></p><p class="eo-waits-says" role="status"></p>${layout}`;
  el.append(root);
  const region = Object.fromEntries([...root.querySelectorAll("[data-region]")].map((each) => [each.dataset.region, each]));
  const page = { root, region, on, undo: [], drew: [], answers: [], draw: () => Object.keys(region).forEach(draw),
    after() {}, heard() {} };
  const keyed = (key) => root.querySelector(`[data-key="${CSS.escape(key)}"]`);

  function on(event, listener) {
    model.on(event, listener);
    page.undo.push(() => model.off?.(event, listener));
  }

  function draw(each) {
    const focused = root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    mergeChildren(region[each], parsed(model.get(each) ?? ""));
    if (focused && document.activeElement?.dataset?.key !== focused) keyed(focused)?.focus({ preventScroll: true });
    for (const group of region[each].querySelectorAll("[data-arrows='']")) rove(group);
    for (const drawn of page.drew) drawn(each);
    page.after(each);
  }

  for (const each of Object.keys(region)) on(`change:${each}`, () => draw(each));
  const busy = () => { root.dataset.busy = model.get("busy"); };
  on("change:busy", busy);
  busy();
  // The notebook's own shortcuts must not take what is typed here; Escape leaves to the notebook.
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation();
  });
  root.addEventListener("focusin", ({ target }) => {
    const group = target.closest("[data-arrows='']");
    if (group) rove(group, target.closest("button"));
  });
  return Object.assign(page, line(model, page, (answer) => {
    for (const each of page.answers) each(answer);
    page.heard(answer);
    if (answer.field) keyed(answer.field)?.focus({ preventScroll: true });
  }));
}

// Of a row of buttons one can be reached with Tab: the one that had the focus last, or else the first.
function rove(group, chosen) {
  const all = [...group.querySelectorAll("button")];
  const key = chosen?.dataset.key ?? group.stop;
  const one = all.find((each) => each === chosen || (key && each.dataset.key === key)) ?? all[0];
  group.stop = one?.dataset.key;
  for (const each of all) each.setAttribute("tabindex", each === one ? "0" : "-1");
}

// The line to the kernel. It notices when the kernel is gone, which nobody else would tell: everything that acts is then
// off, and a sentence says what to do. An answer brings it all back. Returns
//   send(do, value): tell the kernel what was done; returns the number of the message.   gone(): why the kernel is gone, or "".
const ANSWER_MS = 6000;
const LOST_MS = 3000; // how long a connection may be away before the page says so

function line(model, { root, undo, on }, heard) {
  const [goneSays, waitsSays] = root.children;
  const kernel = () => model.widget_manager?.kernel ?? null;
  let number = 0;
  let answered = 0;
  let why = "";
  let timer = null;
  let losing = null;

  function set(words) {
    why = words;
    root.classList.toggle("eo-gone", why !== "");
    goneSays.textContent = why && `✖ ${why}`;
    waitsSays.textContent = "";
    for (const each of root.querySelectorAll("[data-do], [data-kernel]")) {
      const was = each.dataset.offBefore;
      if (why) {
        each.dataset.offBefore = was ?? each.getAttribute("aria-disabled") ?? "";
        each.setAttribute("aria-disabled", "true");
      } else if (was !== undefined) {
        if (was) each.setAttribute("aria-disabled", was);
        else each.removeAttribute("aria-disabled");
        delete each.dataset.offBefore;
      }
    }
    root.dispatchEvent(new CustomEvent("eo-kernel", { detail: why }));
  }

  const session = model.widget_manager?.context?.sessionContext; // a page without code, such as Voilà's, has none
  const RUN_AGAIN = `Nothing here works any more: ${session ? "run this cell" : "load this page"} again.`;
  const AGAIN = `The kernel was restarted. ${RUN_AGAIN}`;
  const LOST = "The connection to the kernel is lost; this goes on by itself when it is back.";
  const WORDS = {
    restarting: AGAIN, autorestarting: `The kernel died, and was started anew. ${RUN_AGAIN}`, dead: `The kernel died. ${RUN_AGAIN}`,
    terminating: `The kernel was shut down. ${session ? "Start it, and run this cell again." : RUN_AGAIN}`,
  };

  function send(what, value = null, patience = ANSWER_MS) {
    if (why && what !== "ping") return 0;
    number += 1;
    try {
      model.send({ do: what, value, number });
    } catch {
      set(`The kernel is gone. ${RUN_AGAIN}`);
      return 0;
    }
    root.toggleAttribute("data-waits", true); // for whoever looks on: there is an answer to come
    clearTimeout(timer);
    timer = setTimeout(unanswered, patience);
    return number;
  }

  function unanswered() {
    if (answered >= number || !root.isConnected) return;
    const { status, connectionStatus } = kernel() ?? {};
    if (connectionStatus && connectionStatus !== "connected") set(LOST);
    else if (status === "busy") {
      waitsSays.textContent = "The kernel is busy with another cell; what you did here is done when that is through.";
      timer = setTimeout(unanswered, ANSWER_MS);
    } else set(`The kernel does not answer; perhaps it was restarted. ${RUN_AGAIN}`);
  }

  on("msg:custom", (answer) => {
    if (answer.heard == null) return;
    answered = Math.max(answered, answer.heard);
    root.toggleAttribute("data-waits", answered < number);
    if (why) set("");
    waitsSays.textContent = "";
    if (answered >= number) clearTimeout(timer);
    heard(answer);
  });

  // What the notebook knows of its kernel; other front ends than JupyterLab may have nothing of it.
  function follow(signal, listener) {
    if (!signal?.connect) return;
    signal.connect(listener);
    undo.push(() => signal.disconnect(listener));
  }
  follow((session ?? kernel())?.statusChanged, (_, status) => { if (status in WORDS) set(WORDS[status]); });
  follow((session ?? kernel())?.connectionStatusChanged, (_, status) => {
    clearTimeout(losing);
    if (status === "connected") {
      if (why === LOST) send("ping");
    } else losing = setTimeout(() => { if (!why) set(LOST); }, status === "connecting" ? LOST_MS : 0);
  });
  follow(session?.kernelChanged, (_, { oldValue, newValue }) => {
    if (oldValue && oldValue !== newValue) set(newValue ? AGAIN : WORDS.terminating);
  });
  on("comm_live_update", () => { if (!why) send("ping", null, 2000); });
  undo.push(() => clearTimeout(timer), () => clearTimeout(losing));
  function hello() {
    try {
      model.send({ do: "hello", value: model.get("drawn") ?? null }); // what was drawn before this page listened comes again
    } catch {
      // whatever is done here next says that the kernel is gone
    }
  }
  hello();
  hearLate(model, () => { hello(); if (answered < number) send("ping"); });
  return { send, gone: () => why };
}

// anywidget 0.11 gives a model two seconds to load its page. A model that took longer, on a busy machine, never hears its kernel
// again, though its page works: a message without effect, which waits for the page, then fails. Such a model gets its messages past
// anywidget here, from the class below; `then` is called when it does. A page of the book has no notebook's model, and the page
// around the demo's widgets none with a name.
async function hearLate(model, then) {
  let whole;
  try {
    whole = await model.widget_manager.get_model(model.get("comm_id"));
    await whole._handle_comm_msg({ content: { data: { method: "" } } });
  } catch {
    if (!whole) return;
    const { _handle_comm_msg: hear } = Object.getPrototypeOf(whole.constructor.prototype);
    whole.comm.on_msg((message) => hear.call(whole, message));
    then();
  }
}

// Reports what is clicked, chosen and typed with `page.send`, or `tell(do, value)`. A field with `data-enter` reports when
// Enter is pressed. In a group with `data-arrows` the arrow keys go from button to button; with "choose" they press it.
function listen(page, tell = page.send) {
  const { root } = page;
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
    if (field && !isOff(field) && !("enter" in field.dataset)) report(field, field.value);
  });
  root.addEventListener("keydown", (event) => {
    const field = event.target;
    if (field.matches("select, input") && isOff(field) && event.key !== "Tab") event.preventDefault();
    if (field.matches("input[data-enter]") && event.key === "Enter" && !isOff(field)) report(field, field.value);
    const group = field.closest("[data-arrows]");
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const ends = { Home: 0, End: -1 }[event.key];
    if (!group || !field.matches("button") || (step === undefined && ends === undefined)) return;
    const all = [...group.querySelectorAll("button")];
    const next = ends === undefined ? all[(all.indexOf(field) + step + all.length) % all.length] : all.at(ends);
    next.focus();
    if (group.dataset.arrows === "choose" && next.dataset.do !== "arm" && !isOff(next)) report(next, next.dataset.value);
    event.preventDefault();
  });
}
