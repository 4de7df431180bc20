"use strict";
const questions = JSON.parse(document.getElementById("data").textContent);
const table = document.getElementById("table"), projector = document.getElementById("projector");
let number = 0, part = 0, shown = false, starts = [0];

function make(tag, css, text) {
  const made = document.createElement(tag);
  if (css) made.className = css;
  if (text !== undefined) made.textContent = text; // as text: what learners wrote is no HTML
  return made;
}

function button(css, text, act) {
  const made = make("button", css, text);
  made.addEventListener("click", act);
  return made;
}

function width(chosen, answered) {
  const bar = make("i");
  bar.style.width = `${answered ? Math.min(100, (100 * chosen) / answered) : 0}%`;
  return bar;
}

function isRight(right) {
  return shown && right === true;
}

function option([label, chosen, right], answered) {
  const made = make("div", right ? "option right" : "option"), bar = make("div", "bar");
  bar.append(width(chosen, answered));
  made.append(make("div", "label", (isRight(right) ? "✓ " : "") + label), bar, make("div", "count", String(chosen)));
  return made;
}

function row([name, options], answered, columns) {
  const made = make("div", "row"), chips = make("div", "chips");
  chips.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
  for (const [label, chosen, right] of options) {
    const chip = make("div", right ? "chip right" : "chip"), words = make("span");
    words.textContent = (isRight(right) ? "✓ " : "") + label;
    chip.append(width(chosen, answered), words, make("b", "", String(chosen)));
    chips.append(chip);
  }
  made.append(make("div", "name", name), chips);
  return made;
}

function truth(question) {
  const known = question.rows.some(([, options]) => options.some(([, , right]) => right !== null));
  if (!known) return "What happened is in nobody's file.";
  return shown ? `${question.right} of ${question.answered} answered ${question.rows.length > 1 ? "all rows " : ""}right.` : "";
}

function draw() {
  const question = questions[number], single = question.rows.length === 1 && question.rows[0][0] === "";
  const top = make("div", "top"), bottom = make("div", "bottom"), rows = make("div", shown ? "shown" : "");
  rows.id = "rows";
  top.append(make("span", "", question.name), chapters(),
    make("span", "", `question ${(number + 1).toLocaleString("en")} of ${questions.length.toLocaleString("en")}`));
  const say = make("span", "say");
  bottom.append(button("back", "← back", () => go(-1)), button("show", "What happened (space)", show),
    button("next", "next →", () => go(1)), say, button("leave", "The table (T)", leave));
  projector.replaceChildren(top, make("h2", "", question.text), rows, bottom);
  const options = question.rows.map((each) => each[1]), short = options.flat().every(([label]) => label.length < 7);
  const columns = Math.min(short ? 8 : 4, Math.max(...options.map((each) => each.length)));
  let end = starts[part];
  if (single) {
    rows.append(...question.rows[0][1].map((each) => option(each, question.answered)));
    end = 1;
  } else {
    while (end < question.rows.length) {
      const made = row(question.rows[end], question.answered, columns);
      rows.append(made);
      if (rows.scrollHeight > rows.clientHeight + 1 && end > starts[part]) {
        made.remove();
        break;
      }
      end += 1;
    }
  }
  starts[part + 1] = end;
  const cut = !single && (part || end < question.rows.length);
  say.textContent = `${question.answered} answered. ${truth(question)}` +
    (cut ? ` Rows ${starts[part] + 1} to ${end} of ${question.rows.length}.` : "");
}

function chapters() {
  const select = make("select"), here = questions[number].name.slice(0, 2);
  select.setAttribute("aria-label", "chapter");
  for (const each of new Set(questions.map((question) => question.name.slice(0, 2)))) {
    const made = make("option", "", `chapter ${each}`);
    made.value = each;
    made.selected = each === here;
    select.append(made);
  }
  select.addEventListener("change", () => {
    to(questions.findIndex((question) => question.name.startsWith(select.value)));
    select.blur();
  });
  return select;
}

function to(wanted) {
  [number, part, shown, starts] = [Math.max(0, Math.min(questions.length - 1, wanted)), 0, false, [0]];
  draw();
}

function go(by) {
  const rows = questions[number].rows.length;
  if (by > 0 && starts[part + 1] < rows) {
    part += 1;
    draw();
  } else if (by < 0 && part > 0) {
    part -= 1;
    draw();
  } else if (questions[number + by]) {
    to(number + by);
  }
}

function show() {
  shown = !shown;
  draw();
}

function enter() {
  if (!questions.length) return;
  table.hidden = true;
  projector.hidden = false;
  draw();
}

function leave() {
  projector.hidden = true;
  table.hidden = false;
}

document.getElementById("project").addEventListener("click", enter);
document.getElementById("project").disabled = !questions.length;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
  const keys = projector.hidden
    ? { p: enter, P: enter }
    : { ArrowRight: () => go(1), PageDown: () => go(1), ArrowLeft: () => go(-1), PageUp: () => go(-1),
        Home: () => to(0), End: () => to(questions.length - 1), " ": show, t: leave, T: leave, Escape: leave };
  if (keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
});
window.addEventListener("resize", () => { if (!projector.hidden) { part = 0; starts = [0]; draw(); } });
