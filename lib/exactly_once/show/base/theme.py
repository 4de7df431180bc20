"""Colours and style sheet of every picture, in one place.

Colours are the Okabe–Ito palette (Okabe and Ito, "Color Universal Design", 2002), told apart by colour-blind readers;
backgrounds and text follow JupyterLab's own variables, so that its light and its dark theme both look right.
"""

# The text of a saved notebook in place of a widget without a kernel. JupyterLab puts "Error displaying
# widget: model not found" there, and no other text; a connected widget has elements in it.
AGAIN = (
    "What stood here ended with its kernel. Choose Run → Run All Above Selected Cell, then run this cell again; your "
    "answers are kept."
)
GONE = f"""
.jp-OutputArea-output.jupyter-widgets:not(:has(*)) {{ font-size: 0; line-height: 0; }}
.jp-OutputArea-output.jupyter-widgets:not(:has(*))::before {{ content: "{AGAIN}"; display: block;
  max-width: 900px; margin: 2px; padding: 8px 14px;
  border-left: 5px solid #0072B2; border-radius: 2px; background: var(--jp-layout-color2, #eee);
  color: var(--jp-ui-font-color1, #111827); font: 13px/1.45 var(--jp-ui-font-family, system-ui, sans-serif); }}
"""

# What a card needs: letters, colours, sentences. The rest of the sheet is for pictures.
CORE = """
.eo, .eo * { box-sizing: border-box; }
.eo {
  --eo-blue: #0072B2; --eo-sky: #2f8fca; --eo-green: #007656; --eo-red: #b34700; --eo-amber: #8a5c00;
  --eo-purple: #a04579; --eo-grey: #646b78; --eo-on: #fff;
  --eo-bg: var(--jp-layout-color0, #fff); --eo-panel: color-mix(in srgb, var(--eo-ink) 3%, var(--eo-bg));
  --eo-ink: var(--jp-ui-font-color0, #111827); --eo-text: color-mix(in srgb, var(--eo-ink) 88%, var(--eo-bg));
  --eo-dim: color-mix(in srgb, var(--eo-ink) 62%, var(--eo-bg));
  --eo-line: color-mix(in srgb, var(--eo-ink) 17%, var(--eo-bg));
  --eo-edge: color-mix(in srgb, var(--eo-ink) 46%, var(--eo-bg));
  font-family: var(--jp-ui-font-family, system-ui, sans-serif); font-size: 13px; line-height: 1.45;
  color: var(--eo-text);
}
body[data-jp-theme-light="false"] .eo, body.vscode-dark .eo, html:is([theme="dark"], [data-theme="dark"]) .eo {
  --eo-blue: #4aa8e8; --eo-sky: #7cc4ef; --eo-green: #2fc598; --eo-red: #ff8a3d; --eo-amber: #e8b23a;
  --eo-purple: #dd92bd; --eo-grey: #9ca3af; --eo-on: #10151c;
  --eo-bg: var(--jp-layout-color0, #111); --eo-ink: var(--jp-ui-font-color0, #fff);
}
.eo .eo-h { font-weight: 600; font-size: 13px; color: var(--eo-dim); margin: 0 0 6px; }
.eo .eo-num, .eo code { font-family: var(--jp-code-font-family, monospace); font-variant-numeric: tabular-nums; }
.eo .eo-good { color: var(--eo-green); } .eo .eo-bad { color: var(--eo-red); } .eo .eo-none { color: var(--eo-dim); }
.eo .eo-dim { color: var(--eo-dim); }

.eo .eo-says { border-left: 5px solid var(--eo-grey); padding: 9px 14px; border-radius: 2px; font-size: 14px;
  line-height: 1.5; background: var(--eo-panel); overflow-wrap: anywhere; }
.eo .eo-says strong { font-size: 15px; }
.eo .eo-says.eo-is-good { --c: var(--eo-green); } .eo .eo-says.eo-is-bad { --c: var(--eo-red); }
.eo .eo-says:is(.eo-is-good, .eo-is-bad) { border-color: var(--c);
  background: color-mix(in srgb, var(--c) 9%, var(--eo-bg)); }
.eo .eo-says:is(.eo-is-good, .eo-is-bad) strong { color: var(--c); }
.eo pre.eo-traceback { margin: 8px 0 0; padding: 8px 10px; max-height: 240px; overflow: auto; font-size: 13px;
  line-height: 1.4; background: var(--eo-bg); border: 1px solid var(--eo-line); border-radius: 4px;
  white-space: pre-wrap; color: var(--eo-text); }
"""

CSS = (
    GONE
    + CORE
    + """
.eo ol.eo-cells.eo-cells { display: flex; flex-wrap: wrap; gap: 4px 0; padding: 2px; list-style: none; margin: 0; }
.eo ol.eo-cells.eo-cells.eo-one-line { flex-wrap: nowrap; overflow-x: auto; }
.eo .eo-cell { flex: 0 0 auto; min-width: 58px; padding: 6px 3px 5px; text-align: center; margin: 0 0 0 -1px;
  border: 1px solid color-mix(in srgb, var(--eo-sky) 45%, var(--eo-bg));
  background: color-mix(in srgb, var(--eo-sky) 9%, var(--eo-bg)); }
.eo .eo-cell b { display: block; font-family: var(--jp-code-font-family, monospace); font-size: 14px;
  color: var(--eo-ink); }
.eo .eo-cell small { display: block; font-size: 13px; color: var(--eo-dim); line-height: 1.35; }
.eo .eo-cell small.eo-mark { font-weight: 700; white-space: nowrap; }
.eo .eo-cell:is(.eo-again, .eo-odd, .eo-gap) { position: relative; border: 2px solid var(--eo-red);
  padding: 5px 2px 4px; }
.eo .eo-cell:is(.eo-again, .eo-parts) { background: repeating-linear-gradient(45deg,
  color-mix(in srgb, var(--eo-red) 20%, var(--eo-bg)) 0 6px,
  color-mix(in srgb, var(--eo-red) 7%, var(--eo-bg)) 6px 12px); }
.eo .eo-cell.eo-odd:not(.eo-again) { background: color-mix(in srgb, var(--eo-red) 13%, var(--eo-bg)); }
.eo .eo-cell.eo-again small.eo-mark, .eo .eo-cell.eo-odd small.eo-mark { color: var(--eo-red); }
.eo .eo-cell.eo-gap { border: 2px dashed var(--eo-amber);
  background: color-mix(in srgb, var(--eo-amber) 9%, var(--eo-bg)); }
.eo .eo-cell.eo-gap b, .eo .eo-cell.eo-gap small.eo-mark { color: var(--eo-amber); }
.eo .eo-cell.eo-before { align-self: center; border: 0; background: none; }
.eo .eo-cell.eo-before small.eo-mark { color: var(--eo-red); }
.eo table.eo-tape { border-collapse: collapse; font-size: 13px; margin: 0; }
.eo table.eo-tape :is(th, td) { padding: 1px 0; background: none; font-weight: 400; color: var(--eo-dim);
  text-align: center; white-space: nowrap; }
.eo table.eo-tape :is(th[scope="row"], th:first-child) { text-align: left; padding-right: 14px; }
.eo table.eo-tape thead th:not(:first-child) { min-width: 46px; } .eo .eo-tape th small { font-size: 13px; }
.eo p:has(+ .eo-log), .eo .eo-log ~ p { margin: 4px 0 0; }
.eo .eo-tape th b { color: var(--eo-ink); } .eo .eo-tape th b.eo-bad { color: var(--eo-red); }
.eo .eo-tape .eo-cell { display: flex; flex-direction: column; justify-content: center; min-height: 38px;
  margin: 0; padding: 2px 7px; line-height: 1.3; border-color: color-mix(in srgb, var(--eo-sky) 55%, var(--eo-bg));
  background-color: color-mix(in srgb, var(--eo-sky) 15%, var(--eo-bg)); }
.eo .eo-tape .eo-cell b { font-weight: 600; font-size: 13px; line-height: 1.35; }
.eo .eo-tape .eo-cell.eo-open { border: 1px dashed var(--eo-grey); background: none; }
.eo .eo-tape .eo-cell.eo-deleted { border: 1px dotted var(--eo-line); background: none; }
.eo .eo-tape .eo-cell.eo-done { border-color: var(--eo-green);
  background: color-mix(in srgb, var(--eo-green) 13%, var(--eo-bg)); }
.eo .eo-tape .eo-cell.eo-missing { border: 2px dashed var(--eo-red); background: none; }
.eo .eo-cell.eo-missing small { color: var(--eo-red); font-weight: 600; }
.eo .eo-tape .eo-cell.eo-empty { border: 0; background: none; }
.eo .eo-tape .eo-cell.eo-parts { border: 1.5px dashed var(--eo-red); }
.eo .eo-tape .eo-cell.eo-parts b { color: var(--eo-red); }
.eo .eo-tape .eo-cell.eo-first { box-shadow: inset 4px 0 0 var(--eo-purple); }
.eo .eo-tape .eo-high { border-left: 3px solid var(--eo-amber); min-height: 38px; }
.eo .eo-tape .eo-flag { display: block; width: 0; margin-left: 40%; color: var(--eo-green); font-weight: 600; }

.eo :is(.eo-says, .eo-cells) + .eo-fact-row { margin-top: 12px; } .eo .eo-says + .eo-scroll { margin-top: 8px; }
.eo .eo-fact-row { display: flex; flex-wrap: wrap; gap: 12px 34px; }
.eo .eo-fact p { margin: 0; } .eo .eo-fact .eo-big { font-size: 19px; font-weight: 700; color: var(--eo-ink); }
.eo .eo-tag { font-family: var(--jp-code-font-family, monospace); font-size: 13px; padding: 1px 6px;
  border-radius: 4px; background: color-mix(in srgb, var(--eo-ink) 8%, var(--eo-bg)); user-select: all; }

.eo .eo-scroll { overflow-x: auto; max-width: 100%; } .eo .eo-folded .eo-scroll { max-height: 300px; overflow: auto; }
.eo .eo-folded { margin-top: 6px; font-size: 13px; } .eo .eo-folded summary { cursor: pointer; color: var(--eo-dim);
  width: max-content; max-width: 100%; }
.eo .eo-banner { margin: 0 0 8px; } .eo .eo-offer { color: var(--eo-blue); font-weight: 600; }
.eo .eo-more > summary { cursor: pointer; color: var(--eo-dim); width: max-content; }
.eo .eo-more[open] > summary { margin-bottom: 8px; }
.jp-OutputArea-output.jp-RenderedText pre { word-break: normal; overflow-wrap: anywhere; }
.eo table.eo-table { border-collapse: collapse; font-size: 13px; margin: 6px 0; color: var(--eo-text); }
.eo table.eo-table th, .eo table.eo-table td { padding: 2px 12px 2px 0; text-align: left; white-space: nowrap;
  border-bottom: 1px solid var(--eo-line); background: none; }
.eo table.eo-table th { color: var(--eo-dim); font-weight: 600; position: sticky; top: 0; background: var(--eo-bg); }
.eo table.eo-table thead th { white-space: normal; }
@media (max-width: 900px) { .eo table.eo-table td { white-space: normal; } }
.eo table.eo-table.eo-wraps td, .eo table.eo-table.eo-wraps th { white-space: normal; vertical-align: top;
  padding: 5px 16px 5px 0; line-height: 1.4; overflow-wrap: break-word; }
.eo table.eo-table.eo-wraps { width: 100%; table-layout: fixed; }
.eo table.eo-table.eo-wraps tbody th { position: static; font-weight: 400; color: var(--eo-text); }
.eo table.eo-table.eo-wraps :is(p, caption) { margin: 0 0 4px; text-align: left; }
.eo table.eo-table.eo-wraps .eo-heading { font-size: 14px; font-weight: 600; padding-top: 16px; }
.eo table.eo-wraps :is(.eo-quote, .eo-token) { overflow-wrap: anywhere; } .eo table .eo-quote { font-style: italic; }
.eo .eo-many .eo-word { min-width: 0; padding: 4px; }
.eo table.eo-wraps .eo-word { display: inline-block; width: auto; min-width: 0; padding: 1px 7px; margin-right: 4px; }

.eo .eo-listing { margin: 0; padding: 8px 0; border: 1px solid var(--eo-line); border-radius: 6px;
  background: var(--eo-panel);
  overflow-x: auto; font-family: var(--jp-code-font-family, monospace); font-size: 13px; line-height: 1.35; }
.eo .eo-src { width: max-content; min-width: 100%; }
.eo .eo-src > div { display: flex; align-items: center; min-height: 20px; padding: 0 12px 0 0;
  border-left: 4px solid transparent; white-space: pre; }
.eo .eo-src .eo-gutter { flex: 0 0 33px; display: flex; justify-content: center; }
.eo .eo-src .eo-point-line { color: var(--eo-dim); min-height: 27px; }
.eo .eo-src .eo-last-line { background: color-mix(in srgb, var(--eo-sky) 18%, var(--eo-bg));
  border-left-color: var(--eo-blue); }
.eo .eo-src .eo-last-line::after { content: "◂ ran last"; margin-left: auto; padding-left: 12px; font-size: 13px;
  color: var(--eo-blue); font-family: var(--jp-ui-font-family, sans-serif); }
.eo .eo-src .eo-death-line { background: color-mix(in srgb, var(--eo-red) 13%, var(--eo-bg)); color: var(--eo-red);
  font-weight: 700; font-family: var(--jp-ui-font-family, sans-serif); }
.eo .eo-src .eo-step-line { font-weight: 400; font-family: inherit; color: var(--eo-text); }
.eo .eo-src .eo-dies i { font-style: normal; }
.eo .eo-src .eo-dies { margin-left: auto; padding-left: 8px; color: var(--eo-red); position: sticky; right: 4px;
  font-family: var(--jp-ui-font-family, sans-serif); }
.eo .eo-src .eo-armed-line { background: color-mix(in srgb, var(--eo-amber) 15%, var(--eo-bg));
  color: var(--eo-amber); font-weight: 700; }
.eo .eo-letter { width: 23px; height: 23px; padding: 0; border-radius: 50%; border: 1.5px solid var(--eo-grey);
  background: var(--eo-bg); color: var(--eo-text); font: 700 12px/1 var(--jp-ui-font-family, sans-serif);
  display: inline-flex; align-items: center; justify-content: center; }
.eo button.eo-letter { cursor: pointer; }
.eo button.eo-letter:not(.eo-chosen, .eo-armed):hover { border-color: var(--eo-red); color: var(--eo-red); }
.eo .eo-letter.eo-chosen { background: var(--eo-red); border-color: var(--eo-red); color: var(--eo-on); }
.eo .eo-letter.eo-armed { background: var(--eo-amber); border-color: var(--eo-amber); color: var(--eo-on); }

.eo table.eo-grid { border-collapse: separate; border-spacing: 3px; font-size: 13px; margin: 0; }
.eo table.eo-grid th { font-weight: 600; color: var(--eo-dim); padding: 2px 8px; text-align: center;
  background: none; }
.eo table.eo-grid th[scope="row"] { text-align: left; font-weight: 400; color: var(--eo-text); white-space: nowrap;
  padding-left: 0; }
.eo table.eo-grid td { padding: 0; background: none; }
.eo .eo-word { display: block; width: 100%; min-width: 92px; padding: 5px 6px; border: 0; border-radius: 4px;
  text-align: center; font: 13px/1.3 var(--jp-ui-font-family, sans-serif); white-space: nowrap; color: var(--eo-dim);
  background: color-mix(in srgb, var(--eo-ink) 5%, var(--eo-bg)); }
.eo button.eo-word { cursor: pointer; } .eo button.eo-word:hover { filter: brightness(0.96); }
.eo .eo-word i { font-style: normal; font-weight: 700; display: inline-block; min-width: 1.3em; }
.eo .eo-word:is(.eo-harmless, .eo-doubles, .eo-corrupts, .eo-fails, .eo-loses, .eo-holds) {
  color: color-mix(in srgb, var(--c) 75%, var(--eo-ink));
  background: color-mix(in srgb, var(--c) 18%, var(--eo-bg)); }
.eo .eo-harmless { --c: var(--eo-green); } .eo .eo-doubles { --c: var(--eo-red); }
.eo .eo-loses { --c: var(--eo-amber); } .eo .eo-holds { --c: var(--eo-sky); }
.eo :is(.eo-corrupts, .eo-fails) { --c: var(--eo-purple); }
.eo .eo-word.eo-here { outline: 2.5px solid var(--eo-blue); outline-offset: 0; }

.eo svg.eo-st { display: block; font-family: var(--jp-ui-font-family, sans-serif); }
/* JupyterLab shrinks a picture that is wider than its output, but no widget's; below four fifths, it scrolls. */
.jp-RenderedHTMLCommon .eo svg.eo-st { min-width: calc(0.8 * var(--wide)); }
.eo .eo-scroll.eo-ends { direction: rtl; } .eo .eo-scroll.eo-ends > * { direction: ltr; }
.eo svg.eo-st text { fill: var(--eo-text); font-size: 13px; } .eo svg.eo-st .sub { fill: var(--eo-dim); }
.eo svg.eo-st .ground { fill: none; }
.eo svg.eo-st .bad { fill: var(--eo-red); font-weight: 700; } .eo svg.eo-st .say { fill: var(--eo-dim);
  font-style: italic; }
.eo svg.eo-st .line { stroke: var(--eo-line); stroke-width: 1.5; } .eo svg.eo-st .gone { stroke: var(--eo-line);
  stroke-width: 1.5; stroke-dasharray: 1.5 5; }
.eo svg.eo-st .ask { stroke: var(--eo-grey); stroke-width: 1.4; } .eo svg.eo-st .answer { stroke: var(--eo-grey);
  stroke-width: 1; stroke-dasharray: 3 3; opacity: .8; }
.eo svg.eo-st .halo { paint-order: stroke; stroke: var(--eo-bg); stroke-width: 3px; }
.eo svg.eo-st .way { stroke: var(--eo-blue); stroke-width: 4; opacity: .75; }
.eo svg.eo-st .ask-tip { fill: var(--eo-grey); } .eo svg.eo-st .faulty { stroke: var(--eo-red); stroke-width: 1.7; }
  .eo svg.eo-st .faulty-tip { fill: var(--eo-red); }
.eo svg.eo-st .over { stroke: var(--eo-red); stroke-width: 1.7; stroke-dasharray: 6 4; }
  .eo svg.eo-st .cross { stroke: var(--eo-red); stroke-width: 4; }
.eo svg.eo-st .stamp { font-size: 12px; font-weight: 700; text-anchor: middle; }
.eo svg.eo-st .full .stamp { fill: var(--eo-on); }
.eo svg.eo-st .full rect { fill: var(--c); stroke: var(--c); stroke-width: 1.5; }
  .eo svg.eo-st .open rect { fill: var(--eo-bg); stroke: var(--c); stroke-width: 1.7; }
.eo svg.eo-st .open .stamp { fill: var(--c); }

.eo svg.eo-quiet .name, .eo svg.eo-quiet .bad { font-weight: 700; paint-order: stroke;
  stroke: var(--eo-bg); stroke-width: 4px; }
.eo svg.eo-quiet .say { paint-order: stroke; stroke: var(--eo-bg); stroke-width: 4px; }
.eo svg.eo-quiet .name { fill: var(--eo-ink); } .eo svg.eo-quiet .bad { fill: var(--eo-red); }
.eo svg.eo-quiet .life { stroke: var(--c); stroke-width: 1.8; opacity: .55; }
.eo svg.eo-quiet g > rect, .eo svg.eo-quiet g > path:not(.cross) { fill: var(--c); }
.eo svg.eo-quiet .ask { stroke-width: 1; opacity: .75; } .eo svg.eo-quiet .answer { opacity: .6; }
.eo svg.eo-quiet .hit { stroke: transparent; stroke-width: 11; }
.eo svg.eo-quiet .there { fill: var(--eo-grey); }
.eo svg.eo-quiet .bold { stroke: var(--c); stroke-width: 2.6; } .eo svg.eo-quiet .tip { fill: var(--c); }
.eo svg.eo-quiet .bold.again, .eo svg.eo-quiet .bold.wrong { stroke: var(--eo-red); }
.eo svg.eo-quiet .tip.again, .eo svg.eo-quiet .tip.wrong { fill: var(--eo-red); }
.eo svg.eo-quiet .box rect { fill: color-mix(in srgb, var(--eo-sky) 12%, var(--eo-bg)); stroke: var(--eo-sky);
  stroke-width: 1.5; }
.eo svg.eo-quiet .box:is(.again, .wrong) rect { stroke: var(--eo-red); stroke-width: 2.5;
  fill: color-mix(in srgb, var(--eo-red) 16%, var(--eo-bg)); }
.eo svg.eo-quiet .box text { text-anchor: middle; font-weight: 700; fill: var(--eo-ink);
  font-family: var(--jp-code-font-family, monospace); }
.eo svg.eo-quiet .stamped text { text-anchor: middle; font-weight: 700; fill: var(--eo-on); }
.eo svg.eo-quiet .cross { fill: none; } .eo svg.eo-quiet .cross.small { stroke-width: 2.5; }
.eo svg.eo-quiet :is(.trip:hover, .eo-lit) :is(.ask, .answer) { stroke: var(--eo-blue);
  stroke-width: 2.4; opacity: 1; }
.eo svg.eo-quiet .eo-lit :is(.bold) { stroke-width: 4; }
.eo svg.eo-quiet .eo-lit > :is(rect, path:not(.cross), .there) { stroke: var(--eo-blue); stroke-width: 3; }
.eo .eo-src > div.eo-lit { background: color-mix(in srgb, var(--eo-blue) 24%, var(--eo-bg)); }

.eo table.eo-windows { border-spacing: 0 2px; }
.eo table.eo-windows :is(th, td) { padding: 0; text-align: center; vertical-align: top; color: var(--eo-text); }
.eo table.eo-windows thead th { max-width: 84px; }
.eo table.eo-windows .eo-word { width: 58px; margin: auto; } .eo table.eo-windows svg { margin: auto; }
.eo table.eo-levels { border-spacing: 0 2px; }
.eo table.eo-levels td { text-align: center; min-width: 42px; padding: 0 3px; }
.eo table.eo-levels .eo-heading { text-align: left; }
.eo table.eo-levels tbody tr:not(:has(.eo-heading)) td { border-top: 1px solid var(--eo-line); color: var(--eo-dim); }

.eo .eo-rights { display: flex; flex-wrap: wrap; gap: 10px; margin: 2px 0 8px; }
.eo .eo-outcome { border: 1px solid var(--eo-line); border-radius: 6px; padding: 6px 6px 5px; }
.eo .eo-outcome p { margin: 0 4px; }
"""
)
