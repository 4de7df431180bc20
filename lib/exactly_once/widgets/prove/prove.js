// The page of the prove console.

const LAYOUT = `
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-status" data-region="status" role="status"></div>
  <div class="eo-error" data-region="error" role="alert"></div>
  <div class="eo-console-main">
    <div class="eo-console-code" data-region="code"></div>
    <div class="eo-console-right"><div class="eo-proved" data-region="verdict" role="status" aria-live="polite"></div></div>
  </div>
  <div class="eo-found" data-region="found"></div>
  <div class="eo-opened"></div>`;

export default screen({ name: "eo-console eo-prover", layout: LAYOUT, results: ["verdict", "found"], wide: "found" });
