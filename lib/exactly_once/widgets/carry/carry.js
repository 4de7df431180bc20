// Downloads the file that the kernel makes, and sends a chosen file to the kernel: in parts, because a server of Jupyter
// closes the line at a message of more than 10 MB.

const PART = 1_000_000; // bytes
const LAYOUT = `<div data-region="says"></div>
  <p class="eo-carry-row"><button class="eo-button eo-primary eo-carry-save" data-do="save">Download my work</button>
  <label>Bring work back: <input class="eo-carry-file" type="file" accept=".zip" data-kernel></label></p>
  <div class="eo-carry-result" data-region="result" role="status"></div>
  <div class="eo-error" data-region="error" role="alert"></div>`;

function render({ model, el }) {
  const page = board({ model, el }, { name: "eo-carry", regions: ["says", "result", "error"], layout: LAYOUT });
  const { root, on, undo } = page;
  const field = root.querySelector(".eo-carry-file");
  let file = null;

  function download(name, content) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type: "application/zip" }));
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  async function part(start) {
    const content = await file.slice(start, start + PART).arrayBuffer();
    const last = start + content.byteLength >= file.size;
    model.send({ do: "part", value: { start, size: file.size, last } }, undefined, [content]);
    if (last) field.value = ""; // the same file can be chosen again
  }

  field.addEventListener("change", () => {
    file = field.files[0] ?? null;
    if (file) part(0);
  });
  on("msg:custom", (answer, buffers) => {
    if (answer.file) download(answer.file, buffers[0]);
    if (answer.next != null) part(answer.next);
  });
  page.draw();
  listen(page);
  return () => undo.forEach((each) => each());
}

export default { render };
