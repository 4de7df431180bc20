// The player's page: its regions stand where the scene's layout puts them; keys press what bears them, u undoes.

export default screen((model) => ({ name: `eo-player ${model.get("name")}`, layout: model.get("page"), wide: ".eo-player" }), (page) => {
  shortcuts(page, "input, select, .eo-opened", /^[1-9a-tv-z,.]$/);
});
