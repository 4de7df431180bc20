// The page of an exercise's panel.

const LAYOUT = `
  <div class="eo-exercise-head" data-region="head"></div>
  <div class="eo-exercise-tools" role="group" aria-label="This exercise" data-region="tools"></div>
  <div class="eo-status" data-region="status" role="status"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-hints" data-region="hints" role="status"></div>
  <div class="eo-result" data-region="result"></div>
  <div class="eo-opened"></div>`;

export default screen({ name: "eo-exercise", layout: LAYOUT, results: ["result"] });
