// Downloads the file that the kernel makes, and sends a chosen file to the kernel: in parts, because a server of Jupyter
// closes the line at a message of more than 10 MB.

const PART = 1_000_000; // bytes
const LAYOUT = `<div data-region="says"></div>
  <p class="eo-carry-row"><button class="eo-button eo-primary eo-carry-save" data-do="save">Download my work</button>
  <label>Bring work back: <input class="eo-carry-file" type="file" accept=".zip" data-kernel></label></p>
  <div class="eo-carry-result" data-region="result" role="status"></div>
  <div class="eo-error" data-region="error" role="alert"></div>`;

export default screen({ name: "eo-carry", layout: LAYOUT }, ({ root, on }, model) => {
  const field = root.querySelector(".eo-carry-file");
  let file = null;

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
    if (answer.file) saveFile({ name: answer.file, text: buffers[0], type: "application/zip" });
    if (answer.next != null) part(answer.next);
  });
});
