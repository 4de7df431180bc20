// The player's page: its regions stand where the scene's layout puts them; keys press what bears them, Backspace and u undo.

export default screen((model) => ({ name: `eo-player ${model.get("name")}`, layout: model.get("page"), wide: ".eo-player" }), (page) => {
  const { root } = page;
  root.tabIndex = -1;
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, .eo-opened")) return;
    if (/^[1-9]$/.test(event.key)) {
      root.querySelector(`[data-number="${event.key}"]`)?.click();
    } else if (event.key === "Backspace" || event.key === "u") {
      page.send("undo");
      event.preventDefault();
    }
  });
});
