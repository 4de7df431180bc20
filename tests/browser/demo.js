// What of the demo is too small for a projector, outside the window, or has to be scrolled. Text in a drawing is measured as
// it is drawn.
() => {
  const found = { small: [], out: [], scrolls: [] };
  const name = (each) => `${each.className.baseVal ?? each.className}: ${each.textContent.trim().slice(0, 30)}`;
  const page = document.documentElement;
  if (page.scrollHeight > innerHeight || page.scrollWidth > innerWidth) found.scrolls.push("the page");
  for (const each of document.querySelectorAll(".eo-demo *")) {
    if (!each.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const style = getComputedStyle(each);
    const box = each.getBoundingClientRect();
    const says = each.matches("select, input") || [...each.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (says && box.width && style.color !== "rgba(0, 0, 0, 0)") {
      const scale = each.ownerSVGElement ? each.getScreenCTM().d : each.currentCSSZoom;
      const size = parseFloat(style.fontSize) * scale;
      if (size < 17.9) found.small.push(`${size} ${name(each)}`);
      if (box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1 || box.top < -1) found.out.push(name(each));
    }
    if (/auto|scroll|hidden/.test(style.overflowX + style.overflowY) && !each.ownerSVGElement && each.clientWidth > 1
      && !each.matches(".eo-player-move") // shortened with an ellipsis, as in the notebook
      && (each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)) found.scrolls.push(name(each));
  }
  return found;
}
