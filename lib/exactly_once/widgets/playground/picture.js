// The playground's picture: from the data that the kernel sends to the text of an SVG. It knows no clicks and no kernel.

const TOP = 44;
const LEFT = 14;
const RADIUS = 13;
const GRID = 0.5;

function places(picture) {
  const longest = Math.max(0, ...picture.events.map((event) => event.row.length));
  const unit = picture.vector ? Math.max(46, 12 + 6.4 * longest) : 46;
  const lane = picture.vector ? 88 : 76;
  return {
    unit, lane,
    x: (column) => LEFT + column * unit,
    y: (row) => TOP + row * lane,
    column: (x) => Math.max(GRID, Math.round((x - LEFT) / unit / GRID) * GRID),
    height: TOP + (picture.lines.length - 1) * lane + (picture.vector ? 46 : 36),
    width: LEFT + (2 + Math.max(0, ...picture.events.map((event) => event.x))) * unit,
  };
}

function escaped(text) {
  return String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
}

// An arrow from centre to centre, cut short at both ends; `bow` is how far, in pixels, it is bent to one side.
function arrowSvg([x1, y1], [x2, y2], kind, gap = RADIUS + 2, bow = 0) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [mx, my] = [(x1 + x2) / 2 - (2 * bow * (y2 - y1)) / length, (y1 + y2) / 2 + (2 * bow * (x2 - x1)) / length];
  const [out, into] = [Math.hypot(mx - x1, my - y1) || 1, Math.hypot(x2 - mx, y2 - my) || 1];
  const [dx, dy] = [(x2 - mx) / into, (y2 - my) / into];
  const [ax, ay] = [x1 + (RADIUS * (mx - x1)) / out, y1 + (RADIUS * (my - y1)) / out];
  const [tx, ty] = [x2 - dx * gap, y2 - dy * gap];
  const [bx, by] = [tx - dx * 9, ty - dy * 9];
  const tip = [[tx, ty], [bx - dy * 4.2, by + dx * 4.2], [bx + dy * 4.2, by - dx * 4.2]];
  const line = [ax, ay, mx, my, bx, by].map((n) => n.toFixed(1));
  return `<g class="eo-arrow ${kind}"><path d="M${line[0]} ${line[1]}Q${line[2]} ${line[3]} ${line[4]} ${line[5]}"/>` +
    `<polygon points="${tip.map((point) => point.map((n) => n.toFixed(1)).join(",")).join(" ")}"/></g>`;
}

// How far an arrow is to be bent so that it passes no event that is not its own.
function bowOf([x1, y1], [x2, y2], centres) {
  const others = centres.filter(([x, y]) => (y - y1) * (y - y2) < 0);
  const length = Math.hypot(x2 - x1, y2 - y1);
  const clear = (bow) => Math.min(...others.map(([x, y]) => {
    const part = (y - y1) / (y2 - y1);
    return Math.abs(((y - y1) * (x2 - x1) - (x - x1) * (y2 - y1)) / length - 4 * bow * part * (1 - part));
  }));
  return [0, 8, -8, 14, -14, 20, -20, 28, -28, 38, -38].find((bow) => !others.length || clear(bow) > RADIUS + 5) ?? 0;
}

function eventSvg(event, at, y, right) {
  const kinds = ["eo-playground-event", event.receives ? "eo-playground-open" : "eo-full", event.how && `eo-how-${event.how}`,
    event.chosen && "eo-chosen", event.picked && "eo-picked", event.on && "eo-on", event.refused && "eo-playground-refused",
    event.mark && `eo-playground-${event.mark}`].filter(Boolean).join(" ");
  const x = at.x(event.x);
  const ring = event.chosen || event.refused ? `<circle class="eo-halo" cx="${x}" cy="${y}" r="${RADIUS + 4.5}"/>` : "";
  const lost = event.lost
    ? `<path class="eo-playground-lost" d="M${x + 9} ${y - 9}l9 -9m-4.5 -4.5l9 9m0 -9l-9 9"><title>received by nobody</title></path>` : "";
  const small = event.stamp.length > 2 ? " eo-small" : "";
  return `<g class="${kinds}" data-name="${event.name}">${lost}${ring}<circle cx="${x}" cy="${y}" r="${RADIUS}"/>` +
    `<text class="eo-stamp${small}" x="${x}" y="${y + 4.2}">${escaped(event.stamp)}</text>` +
    `<text class="eo-event-name" x="${x + (right ? 15 : -9)}" y="${y - 18}">${event.name}<tspan class="eo-sign" dx="3">${event.sign}</tspan></text>` +
    (event.row ? `<text class="eo-vector-row" x="${x}" y="${y + 30}">${event.row}</text>` : "") +
    (event.text ? `<title>${escaped(event.text)}</title>` : "") + "</g>";
}

// `local` is what the page knows before the kernel does: a dragged event, the cursor, ghosts of what is being drawn.
function pictureSvg(picture, at, width, local) {
  const rows = new Map(picture.lines.map((line, row) => [line.key, row]));
  const events = picture.events.map((event) =>
    event.name === local.drag?.name ? { ...event, x: local.drag.x, refused: local.drag.refused } : event);
  const named = new Map(events.map((event) => [event.name, event]));
  const y = (event) => at.y(rows.get(event.line));
  let svg = "";
  picture.lines.forEach((line, row) => {
    const to = local.target === line.key ? " eo-target" : "";
    svg += `<line class="eo-playground-lane${to}" x1="0" x2="${width}" y1="${at.y(row)}" y2="${at.y(row)}"/>`;
  });
  for (const [one, other] of picture.steps) {
    const [from, to] = [named.get(one), named.get(other)];
    svg += `<line class="eo-playground-step" x1="${at.x(from.x)}" x2="${at.x(to.x)}" y1="${y(from)}" y2="${y(to)}"/>`;
  }
  const centres = events.map((event) => [at.x(event.x), y(event)]);
  for (const on of [false, true]) {
    for (const arrow of picture.arrows.filter((each) => each.on === on)) {
      const [from, to] = [named.get(arrow.from), named.get(arrow.to)];
      const ends = [from, to].map((event) => [at.x(event.x), y(event)]);
      svg += arrowSvg(...ends, on ? "eo-on" : "", RADIUS + (to.chosen ? 6 : 2), bowOf(...ends, centres));
    }
  }
  // A name stands where no arrow goes: to the right when an arrow comes from the upper left.
  const fromLeft = new Set(picture.arrows.map((arrow) => [named.get(arrow.from), named.get(arrow.to)])
    .filter(([from, to]) => y(from) < y(to) && from.x < to.x).map(([, to]) => to.name));
  svg += events.map((event) => eventSvg(event, at, y(event), fromLeft.has(event.name))).join("");
  for (const ghost of local.ghosts) {
    svg += `<circle class="eo-ghost" cx="${at.x(ghost.x)}" cy="${at.y(rows.get(ghost.line))}" r="${RADIUS}"/>`;
  }
  if (local.rope) {
    svg += arrowSvg(local.rope.from, local.rope.to, "eo-rope", local.rope.gap);
  }
  if (local.cursor) {
    const [x, row] = [at.x(local.cursor.x), at.y(local.cursor.row)];
    svg += `<rect class="eo-playground-cursor" x="${x - 19}" y="${row - 19}" width="38" height="38" rx="7"/>`;
  }
  return svg;
}

function namesHtml(picture, at) {
  const { add, remove } = picture.can;
  const off = (can) => (can ? "" : ' aria-disabled="true"');
  const rows = picture.lines.map((line, number) => {
    const name = escaped(line.name);
    const inside = picture.mode === "draw"
      ? `<input class="eo-name eo-name-${line.key}" value="${name}" data-line="${line.key}" spellcheck="false" aria-label="Name of process ${name}">` +
        `<button type="button" class="eo-remove-process" data-do="remove_process" data-value="${line.key}" data-key="remove-${line.key}" title="Remove ${name}" aria-label="Remove process ${name}"${off(remove)}>×</button>`
      : `<span class="eo-name">${name}</span>`;
    return `<div class="eo-name-row" style="top:${at.y(number)}px" data-key="line-${line.key}">${inside}</div>`;
  });
  const more = `<button type="button" class="eo-add-process" data-do="add_process" data-key="add_process" style="top:${at.height - 8}px"${off(add)}>+ process</button>`;
  return rows.join("") + (picture.mode === "draw" ? more : "");
}

