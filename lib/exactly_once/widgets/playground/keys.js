// The playground's keyboard: a cursor that goes along the lines and from one to the next, and what the keys do there.

function keyboard(page) {
  const here = () => {
    const line = page.picture.lines[page.cursor.row].key;
    const name = page.picture.events.find((event) => event.line === line && event.x === page.cursor.x)?.name;
    return { line, name, column: page.cursor.x, x: page.at.x(page.cursor.x), y: page.at.y(page.cursor.row) };
  };
  const onRow = () => page.picture.events.filter((event) => event.line === page.picture.lines[page.cursor.row].key);
  // The next event on the cursor's line, to the left of the cursor or to its right.
  const beside = (way) => (way < 0 ? onRow().filter(({ x }) => x < page.cursor.x).pop() : onRow().find(({ x }) => x > page.cursor.x));

  function describe() {
    const place = here();
    if (place.name) return page.picture.events.find((event) => event.name === place.name).words;
    const [before, after] = [beside(-1), beside(1)];
    const between = [before && `after ${before.name}`, after && `before ${after.name}`].filter(Boolean).join(", ");
    return `${page.picture.lines[page.cursor.row].name}, ${between || "no events"}, an empty place`;
  }

  function go(changes) {
    Object.assign(page.cursor, changes);
    page.cursor.name = here().name;
    page.local.cursor = page.cursor;
    if (page.pending) page.rope(page.pending, here());
    page.draw();
    page.say(describe());
    const x = page.at.x(page.cursor.x);
    if (x < page.canvas.scrollLeft + 30 || x > page.canvas.scrollLeft + page.canvas.clientWidth - 60) page.canvas.scrollLeft = x - page.canvas.clientWidth / 2;
  }

  function along(way) {
    const event = beside(way)?.x;
    if (!page.drawing()) return event ?? page.cursor.x;
    const next = Math.max(GRID, page.cursor.x + way);
    return event === undefined ? Math.min(next, page.at.column(page.svg.clientWidth) - 1) : way < 0 ? Math.max(next, event) : Math.min(next, event);
  }

  function push(way) {
    const { name } = here();
    if (!name) { page.say("No event is here to move."); return; }
    const next = beside(way);
    const close = next && Math.abs(next.x - page.cursor.x) <= 1;
    page.tell("move", [name, close ? next.x - (way < 0 ? GRID : 0) : Math.max(GRID, page.cursor.x + way * GRID)]);
    page.cursor.name = name;
  }

  function press(event) {
    const way = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const command = event.ctrlKey || event.metaKey;
    const letter = event.key.toLowerCase();
    if (command && (letter === "z" || letter === "y")) page.tell(letter === "y" || event.shiftKey ? "redo" : "undo");
    else if (command || event.altKey) return false;
    else if (way && event.key.match(/Left|Right/)) event.shiftKey && page.drawing() ? push(way) : go({ x: along(way) });
    else if (way) go({ row: Math.max(0, Math.min(page.picture.lines.length - 1, page.cursor.row + way)) });
    else if (event.key === "Home" || event.key === "End") go({ x: onRow().at(event.key === "Home" ? 0 : -1)?.x ?? 1 });
    else if (event.key === "Enter" || event.key === " ") page.act(here());
    else if (letter === "m" && page.drawing()) page.pending ? page.send(page.pending, here()) : page.begin(here());
    else if ((event.key === "Delete" || event.key === "Backspace") && page.drawing()) page.tell("delete", here().name ?? null);
    else if (event.key === "Escape") { if (!page.giveUp() && !chosen()) return false; if (chosen()) page.tell("clear_choice"); }
    else return false;
    if (!page.local.cursor) { page.local.cursor = page.cursor; page.draw(); }
    return true;
  }

  const chosen = () => page.drawing() && page.picture.events.some((event) => event.chosen);

  return { press, go };
}

