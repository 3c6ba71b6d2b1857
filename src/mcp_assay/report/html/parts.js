"use strict";
// Everything a server wrote is set as text, never as markup: there is no innerHTML in this page.

const data = JSON.parse(document.getElementById("data").textContent);
const HIDDEN = new RegExp(`[${data.hidden}]`, "gu");
const LONGEST_PAINTED = 20000;

/** The text with every hidden character as its code. */
function visible(text) {
  return String(text).replace(HIDDEN, (found) => {
    if (found === "\n") return found;
    const point = found.codePointAt(0);
    if (point <= 0xff) return `\\x${point.toString(16).padStart(2, "0")}`;
    return `\\u${point <= 0xffff ? point.toString(16).padStart(4, "0") : `{${point.toString(16)}}`}`;
  });
}

/** An element with attributes and children; strings among the children become text. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== "") {
      element.append(child instanceof Node ? child : visible(child));
    }
  }
  return element;
}

function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** A link to the specification; anything but https stays text. */
function link(address, text) {
  if (!/^https:\/\//.test(address || "")) return make("span", {}, text);
  return make("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, text);
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { readonly: true });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const before = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = before; }, 1200);
}

function copyButton(text) {
  return make("button", { type: "button", class: "copy", click: (event) => copy(text, event.currentTarget) }, "Copy");
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON text in colours: keys, strings, and the words true, false and null. */
function painted(text) {
  if (text.length > LONGEST_PAINTED) return [text];
  const pieces = [];
  let end = 0;
  for (const token of text.matchAll(TOKEN)) {
    pieces.push(text.slice(end, token.index));
    const kind = token[2] ? "key" : token[1] ? "string" : token[3] ? "literal" : "";
    pieces.push(kind ? make("span", { class: kind }, token[1] || token[0]) : token[0]);
    if (token[2]) pieces.push(token[2]);
    end = token.index + token[0].length;
  }
  return [...pieces, text.slice(end)];
}

/** A message, a value or a command as it can be read and copied. */
function quoted(value, { line = false } = {}) {
  let text = value;
  let isJson = typeof value !== "string";
  try {
    if (!line) {
      text = JSON.stringify(isJson ? value : JSON.parse(value), null, 2);
      isJson = true;
    }
  } catch { /* what is cut or broken is shown as it is */ }
  return make("div", { class: line ? "quoted line" : "quoted" },
    make("pre", { tabindex: "0" }, isJson && !line ? painted(text) : text),
    copyButton(typeof value === "string" ? value : JSON.stringify(value)));
}

/** Rows of a long list, a page at a time: there are never more rows than `size` in the document. */
class Pager {
  constructor({ size, row, list = make("div"), noun = "row" }) {
    this.size = size;
    this.row = row;
    this.noun = noun;
    this.list = list;
    this.start = 0;
    this.items = [];
    this.before = make("button", { type: "button", click: () => this.turn(-1) }, "Earlier");
    this.after = make("button", { type: "button", click: () => this.turn(1) }, "Later");
    this.words = make("span", { "aria-live": "polite" });
    this.bar = make("div", { class: "pager" }, this.before, this.words, this.after);
  }
  show(items, start = 0) {
    this.items = items;
    this.start = start;
    this.paint();
  }
  turn(by) {
    this.start = Math.max(0, this.start + by * this.size);
    this.paint();
  }
  reach(position) {
    this.start = Math.floor(position / this.size) * this.size;
    this.paint();
  }
  paint() {
    const shown = this.items.slice(this.start, this.start + this.size);
    this.list.replaceChildren(...shown.map((item, number) => this.row(item, this.start + number)));
    const end = this.start + shown.length;
    this.words.textContent = `${(this.start + 1).toLocaleString("en")}–${end.toLocaleString("en")} of ${counted(this.items.length, this.noun)}`;
    this.before.disabled = this.start === 0;
    this.after.disabled = end >= this.items.length;
    this.bar.hidden = this.items.length <= this.size;
  }
}

/** A labelled choice; the first is "all". */
function choice(label, options, changed) {
  const select = make("select", { "aria-label": label, change: changed },
    make("option", { value: "" }, label),
    options.map((one, number) => make("option", { value: String(number) }, one.length > 60 ? `${one.slice(0, 60)}…` : one)));
  select.chosen = () => (select.value === "" ? null : options[Number(select.value)]);
  select.choose = (value) => { const at = options.indexOf(value); select.value = at < 0 ? "" : String(at); };
  return select;
}

function section(id, title, ...controls) {
  return make("section", { id }, make("div", { class: "bar" }, make("h2", {}, title), controls));
}

/** Call once nothing was typed for a moment. */
function patiently(work) {
  let timer = 0;
  return () => { clearTimeout(timer); timer = setTimeout(work, 120); };
}
