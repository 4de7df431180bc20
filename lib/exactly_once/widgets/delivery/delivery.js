// The delivery lab's page: it plays the steps of a run until the fault and asks, and a record opens the menu of its faults.

const LAYOUT = `
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-here" role="status" aria-live="polite"></div>
  <div class="eo-delivery-picture">
    <div class="eo-delivery-heads" data-region="heads"></div>
    <div class="eo-delivery-stage"></div>
    <div data-region="menus"></div></div>
  <p class="eo-promise" data-region="promise"></p>
  <div class="eo-steps"></div>
  <div class="eo-delivery-faults" data-region="faults"></div>
  <p class="eo-h">The same faults under the four settings</p>
  <div class="eo-delivery-copies"></div>
  <div class="eo-delivery-folds" data-region="tables"></div>`;
const DWELL_MS = 120; // a pointer on its way elsewhere opens nothing
const LEAVE_MS = 250; // a pointer on its way to the menu closes nothing

export default screen({
  name: "eo-delivery", layout: LAYOUT, results: [".eo-here", ".eo-delivery-stage", "promise", ".eo-delivery-copies", "tables"],
}, (page, model) => {
  const { root, on, undo, region } = page;
  const [says, stage, copies] = [".eo-here", ".eo-delivery-stage", ".eo-delivery-copies"].map((each) => root.querySelector(each));
  const last = () => model.get("says").length - 1;
  const steps = stepper(page, root.querySelector(".eo-steps"), { last, marks: () => model.get("marks"), go: show });
  const play = root.querySelector(".eo-play");
  let said = {}; // what the learner said at each fault
  let shown = 0;
  let striking = false; // a fault was chosen from the menu: its run plays at once
  let opener = null; // the record whose menu is open
  let timer = null;
  let pointer = ""; // where the pointer was last
  let leaving = false; // the focus goes back to a record whose menu was closed

  function show(at) {
    close();
    says.innerHTML = model.get("says")[at];
    root.toggleAttribute("data-leaps", at !== shown + 1);
    shown = at;
    stage.innerHTML = model.get("stages")[at];
    copies.innerHTML = model.get("copies")[at];
    for (const group of root.querySelectorAll(".eo-delivery-stage [data-arrows], .eo-delivery-ask")) rove(group);
    for (const chip of says.querySelectorAll("[data-say]")) chip.setAttribute("aria-pressed", String(chip.dataset.say === said[at]));
    for (const each of says.querySelectorAll("[data-of]")) {
      const [mine, { right }] = [said[each.dataset.of], each.dataset];
      each.textContent = mine ? `You said ${mine}: ${mine === right ? "✓ right." : `✗ it is ${right}.`}` : "";
      each.className = mine === right ? "eo-good" : "eo-bad";
    }
    if (model.get("marks").includes(at) && !said[at]) steps.stop();
  }

  function anew(from = shown) {
    said = {};
    const begin = striking ? model.get("begin") : Math.min(from, model.get("begin"));
    steps.reset(begin);
    show(begin);
    if (striking) goOn();
    striking = false;
  }

  function goOn() {
    play.focus({ preventScroll: true });
    if (play.getAttribute("aria-pressed") === "false") play.click();
  }

  // The menu stands beside its record, within the picture.
  function open(packet) {
    if (!packet.isConnected || packet === opener) return;
    close();
    steps.stop();
    opener = packet;
    packet.setAttribute("aria-expanded", "true");
    const menu = region.menus.querySelector(`[data-side="${packet.dataset.side}"]`);
    menu.querySelector("b").textContent = packet.dataset.record;
    menu.hidden = false;
    rove(menu);
    const [here, frame] = [packet, stage.parentElement].map((each) => each.getBoundingClientRect());
    const zoom = zoomOf(root);
    const left = Math.min((here.right - frame.left) / zoom, frame.width / zoom - menu.offsetWidth);
    menu.style.left = `${Math.max(0, left)}px`;
    menu.style.top = `${Math.min((here.top - frame.top) / zoom, frame.height / zoom - menu.offsetHeight)}px`;
  }

  function close() {
    clearTimeout(timer);
    opener?.removeAttribute("aria-expanded");
    opener = null;
    for (const menu of region.menus.children) menu.hidden = true;
  }

  function leave() {
    clearTimeout(timer);
    if (opener && !inMenu(document.activeElement)) timer = setTimeout(close, LEAVE_MS);
  }

  const inMenu = (element) => element?.closest?.(".eo-delivery-menu");
  const record = (element) => element?.closest?.("button.eo-delivery-packet");
  root.addEventListener("pointerover", ({ target, clientX, clientY }) => {
    if (pointer === `${clientX} ${clientY}`) return; // the picture has changed under a pointer at rest
    clearTimeout(timer);
    if (record(target)) timer = setTimeout(open, DWELL_MS, record(target));
    else if (!inMenu(target)) leave();
  });
  root.addEventListener("pointerleave", () => { pointer = ""; leave(); });
  root.addEventListener("pointermove", ({ clientX, clientY }) => { pointer = `${clientX} ${clientY}`; });
  root.addEventListener("focusin", ({ target }) => { if (record(target)?.matches(":focus-visible") && !leaving) open(target); });
  root.addEventListener("focusout", ({ relatedTarget: to }) => { if (opener && to && !inMenu(to) && !record(to)) close(); });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !opener) return;
    const back = opener;
    close();
    leaving = true;
    back.focus();
    leaving = false;
    event.stopPropagation();
  });
  root.addEventListener("click", ({ target, detail }) => {
    if (record(target)) {
      open(record(target));
      if (detail === 0) region.menus.querySelector(".eo-delivery-menu:not([hidden]) button").focus(); // by the keyboard
    }
    const chip = target.closest("[data-say]");
    if (!chip) return;
    said[shown] = chip.dataset.say;
    goOn();
  });

  page.tell = (what, value) => {
    if (what === "reset") anew(0);
    if (what !== "strike") { page.send(what, value); return; }
    striking = true;
    page.send(what, `${value}|${opener.dataset.record}`);
    close();
  };
  page.heard = () => { if (striking) anew(); }; // the same fault again: no run has changed
  on("change:stages", () => anew());
  undo.push(() => clearTimeout(timer));
  return () => anew(0);
});
