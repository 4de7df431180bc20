// The page of a question, and what it uncovers: prose that was folded under a `details` element of the question's class.

const LAYOUT = `<div data-region="card"></div><div class="eo-error" data-region="error" role="alert"></div>`;

export default screen({ name: "eo-ask", layout: LAYOUT }, (page, model) => {
  const { root, on, undo } = page;
  const opened = new WeakSet();
  let timer = null;

  function folds() {
    return (root.closest(".jp-Notebook") ?? document).querySelectorAll(`details.${CSS.escape(model.get("opens"))}`);
  }

  // Each fold is opened once: who closes it again finds it closed.
  function unfold() {
    timer = null;
    if (!model.get("answered")) return;
    for (const fold of folds()) {
      if (!opened.has(fold)) fold.open = true;
      opened.add(fold);
    }
  }

  function follow() {
    if (model.get("answered")) return unfold();
    for (const fold of folds()) {
      if (opened.delete(fold)) fold.open = false;
    }
  }

  // JupyterLab draws cells as they come into view, and draws a text anew when it was edited.
  const watcher = new MutationObserver(() => (timer ??= setTimeout(unfold, 150)));
  watcher.observe(document.body, { childList: true, subtree: true });
  undo.push(() => watcher.disconnect(), () => clearTimeout(timer));

  on("change:answered", follow);
  return follow;
});
