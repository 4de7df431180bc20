// Stands in for the kernel's side of a widget: what its page uses of a model is get, set, on and send. `answer(do, value, model)`
// changes the model, for each thing that is done on the page; it may return a promise.
export class Recorded {
  constructor(state, answer) {
    this.state = state;
    this.answer = answer;
    this.listeners = new Map();
    this.last = Promise.resolve();
  }
  get(name) { return this.state[name]; }
  set(name, value) {
    if (typeof name === "object") { Object.entries(name).forEach((each) => this.set(...each)); return; }
    if (JSON.stringify(this.state[name]) === JSON.stringify(value)) return;
    this.state[name] = value;
    this.tell(`change:${name}`, value);
  }
  on(event, listener) { this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]); }
  tell(event, value) { for (const each of this.listeners.get(event) ?? []) each(value); }
  send({ do: what, value, number }) {
    if (what === "hello") return;
    this.last = this.last.then(async () => { // one after the other, as a kernel does it
      if (what !== "ping" && what !== "width") await this.answer(what, value, this);
      this.tell("msg:custom", { heard: number });
    });
  }
}
