// The page for a projector: three screens, each as large as the window. Console and scrubber are the same widget, in two
// arrangements (demo.css): what was done on one screen is there on the other.

const SCREENS = {
  console: ["Console", "The room calls a letter, A to E; whoever has the mouse clicks it: the process dies there. What is in the output?"],
  scrubber: ["Scrubber", "The speaker drags the ✖ until the room calls “stop!”. Each tick is a place to die."],
  adversary: ["Adversary", "Break it: the room calls a move, the speaker clicks."],
};
const LAYOUT = `
  <header class="eo-demo-head">
    <h1>Exactly once</h1>
    <div class="eo-demo-tabs" aria-label="Screens">${Object.entries(SCREENS).map(([name, [title]]) =>
      `<button class="eo-demo-tab-${name}" data-tab="${name}">${title}</button>`).join("")}</div>
    <button type="button" class="eo-button eo-demo-dark" aria-pressed="false">Dark</button>
  </header>
  <main>${Object.entries(SCREENS).map(([name, [, says]]) =>
    `<section data-panel="${name}"><p class="eo-demo-says">${says}</p></section>`).join("")}</main>
  <div class="eo-demo-over" hidden><div role="alertdialog" aria-labelledby="eo-demo-over-title" aria-describedby="eo-demo-over-says">
    <h2 id="eo-demo-over-title">The demo has stopped</h2><p id="eo-demo-over-says"></p>
    <button type="button" class="eo-button eo-primary eo-demo-again">Start the demo again</button></div></div>`;
const WIDTH = 853; // the room in which demo.css arranges the widgets, whose smallest letters are 12 pixels high:
const HEIGHT = 480; // on 1280 × 720 they are 18 pixels high
const ASK_MS = 10000; // longer than an answer may take (base/page.js)

function render({ model, el, host }) {
  const page = board({ model, el }, { name: "eo-demo", layout: LAYOUT });
  const { root, undo } = page;
  const panel = (name) => root.querySelector(`[data-panel="${name}"]`);
  const ended = new AbortController();
  undo.push(() => ended.abort());

  function fit() {
    const zoom = Math.min(window.innerWidth / WIDTH, window.innerHeight / HEIGHT);
    root.style.zoom = zoom;
    root.style.width = `${window.innerWidth / zoom}px`;
    root.style.height = `${window.innerHeight / zoom}px`;
  }
  window.addEventListener("resize", fit, { signal: ended.signal });
  fit();

  for (const name of ["console", "adversary"]) {
    const place = document.createElement("div");
    place.className = `eo-demo-${name}`;
    panel(name).append(place);
    host.getWidget(model.get(name)).then((child) => child.render({ el: place, signal: ended.signal }));
  }
  // Where a verdict has no room for the story of the incarnations, the story is left out whole.
  const shown = root.querySelector(".eo-demo-console");
  function shorten() {
    const verdict = shown.querySelector(".eo-console-verdict");
    root.classList.remove("eo-brief");
    if (verdict) root.classList.toggle("eo-brief", verdict.scrollHeight > verdict.clientHeight + 1);
  }
  const changes = new MutationObserver(shorten);
  changes.observe(shown, { childList: true, subtree: true, characterData: true });
  undo.push(() => changes.disconnect());
  tabs(page, root.querySelector(".eo-demo-tabs"), (name) => {
    root.dataset.screen = name;
    if (name !== "adversary") panel(name).append(shown);
    shorten();
  });

  const dark = root.querySelector(".eo-demo-dark");
  dark.addEventListener("click", () => {
    const now = dark.getAttribute("aria-pressed") !== "true";
    dark.setAttribute("aria-pressed", String(now));
    document.body.dataset.jpThemeLight = String(!now);
  });

  ending(root, undo);
  page.send("ping");
  // A kernel that is shut down elsewhere says nothing: it has to be asked.
  const asking = setInterval(() => { if (!document.hidden && !page.gone()) page.send("ping"); }, ASK_MS);
  undo.push(() => clearInterval(asking));
  return () => undo.forEach((each) => each());
}

// Says in plain words that the demo has ended, over controls that nothing stands behind any more.
function ending(root, undo) {
  const over = root.querySelector(".eo-demo-over");
  const says = over.querySelector("p");
  const again = over.querySelector("button");
  const covered = [root.querySelector("header"), root.querySelector("main")];
  const gone = new Map(); // by widget, why its kernel is gone; "" when it answers
  const WORDS = [
    [/connection/, "The connection to the demo is lost. The demo goes on by itself when the connection is back; if it does not come back, start again."],
    [/died/, "The process behind this page died. All that was done here is lost; a new demo starts in a few seconds."],
    [/./, "The process behind this page was stopped, or does not answer. A new demo starts in a few seconds."],
  ];

  function tell() {
    const why = [...gone.values()].find((each) => each) ?? "";
    says.textContent = WORDS.find(([pattern]) => pattern.test(why))?.[1] ?? "";
    if (over.hidden === !why) return;
    over.hidden = !why;
    for (const each of covered) each.inert = Boolean(why);
    if (why) again.focus();
  }

  root.addEventListener("eo-kernel", ({ target, detail }) => { gone.set(target, detail); tell(); }, true);
  again.addEventListener("click", async () => {
    again.setAttribute("aria-disabled", "true");
    try {
      await fetch(`${document.body.dataset.baseUrl}static/voila.js`, { method: "HEAD", cache: "no-store" }); // any answer will do
      location.reload();
    } catch {
      says.textContent = "The server of the demo does not run. Start it in its terminal (make demo), and open the address that it prints.";
      again.removeAttribute("aria-disabled");
    }
  });
}

export default { render };
