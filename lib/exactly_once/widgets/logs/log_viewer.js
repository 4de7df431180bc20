// The log viewer's page: the kernel draws it all; the page adds the key that is typed to what is sent.

const LAYOUT = `
  <div class="eo-toolbar" data-region="toolbar"></div>
  <div class="eo-log-viewer-producer" data-region="producer"></div>
  <div data-region="ahead"></div>
  <div data-region="error" role="alert"></div>
  <div class="eo-brokers" data-region="brokers"></div>
  <div data-region="partitions"></div>
  <div class="eo-told" data-region="says" role="status" aria-live="polite"></div>
  <div data-region="lost"></div>
  <p class="eo-log-viewer-legend"><span class="eo-key eo-committed"></span>committed <span class="eo-key eo-open"></span>not yet
    <span class="eo-key eo-parts"></span>✗ not in the leader’s log <span class="eo-key-hw"></span>high watermark of each replica
    <span class="eo-signs">· not acknowledged, ◐ by the leader alone, ● by all in sync</span>
    <span class="eo-signs">e1: written in leader epoch 1,</span> <span class="eo-key-epoch"></span>the first of its epoch</p>
  <div data-region="notes"></div>
  <div data-region="table"></div>`;

export default screen({ name: "eo-log-viewer", layout: LAYOUT }, (page) => {
  const { root } = page;
  page.after = (name) => {
    if (name !== "partitions") return;
    for (const tape of root.querySelectorAll(".eo-tapes")) tape.scrollLeft = tape.scrollWidth;
  };
  const key = () => root.querySelector("input.eo-send");
  page.tell = (what, value) => (what === "send_key" ? page.send("send", key().value) : page.send(what, value));
});
