"use strict";
// Everything that a server wrote is set as text: nothing in this page makes markup of a text.

const { facts: [known], ...lists } = JSON.parse(document.getElementById("data").textContent);
const data = { ...lists, ...known };
const HIDDEN = new RegExp(`[${data.hidden}]`, "gu");
const LONGEST_PAINTED = 20000;
const LONGEST_OPTION = 60;
const NUMERIC = new Set([
  "no.", "after", "bytes", "findings", "sessions", "messages", "errors", "warnings", "value", "times",
]);

/** The text with every hidden character as its code. */
function visible(text) {
  return String(text).replace(HIDDEN, (found) => {
    if (found === "\n") return found;
    const code = found.codePointAt(0).toString(16);
    if (code.length <= 2) return `\\x${code.padStart(2, "0")}`;
    return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
  });
}

/** An element with attributes, listeners and children; strings among the children become text. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  const present = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== "");
  element.append(...present.map((child) => (child instanceof Node ? child : visible(child))));
  return element;
}

function inWords(number) {
  return number.toLocaleString("en");
}

function counted(number, noun) {
  return `${inWords(number)} ${noun}${number === 1 ? "" : "s"}`;
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
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1200);
}

function copyButton(text) {
  const attributes = { type: "button", class: "copy", click: (event) => copy(text, event.currentTarget) };
  return make("button", attributes, "Copy");
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b/g;

/** JSON text in colours: keys, strings, and the words true, false and null. */
function painted(text) {
  if (text.length > LONGEST_PAINTED) return text;
  const pieces = [];
  let end = 0;
  for (const token of text.matchAll(TOKEN)) {
    const [whole, string, colon, literal] = token;
    const kind = colon ? "key" : string ? "string" : "literal";
    pieces.push(text.slice(end, token.index), make("span", { class: kind }, string || literal), colon);
    end = token.index + whole.length;
  }
  return [...pieces, text.slice(end)];
}

/** The value as indented JSON, null where it is a text that is none. */
function asJson(value) {
  try {
    return JSON.stringify(typeof value === "string" ? JSON.parse(value) : value, null, 2);
  } catch {
    return null;
  }
}

/** A message or a value as it can be read and copied; a `line` is a command, shown as it is. */
function quoted(value, { line = false } = {}) {
  const json = line ? null : asJson(value);
  const shown = json === null ? String(value) : painted(json);
  const original = typeof value === "string" ? value : JSON.stringify(value);
  return make("div", { class: line ? "quoted line" : "quoted" },
    make("pre", { tabindex: "0" }, shown), copyButton(original));
}

/** A label and what it labels; nothing where there is nothing to label. */
function labelled(label, value, options) {
  if (value === undefined || value === null) return [];
  return [make("span", { class: "label" }, label), quoted(value, options)];
}

/** A fold whose content is made when it is opened, and gone when it is closed. */
function fold(attributes, summary, body) {
  const element = make("details", attributes, make("summary", {}, summary));
  const fill = () => { if (element.children.length === 1) element.append(...body()); };
  element.unfold = () => { fill(); element.open = true; };
  element.addEventListener("toggle", () => {
    if (element.open) fill();
    else while (element.children.length > 1) element.lastChild.remove();
  });
  return element;
}

/** Rows of a long list, a page at a time: there are never more than `size` in the document. */
class Pager {
  constructor({ size, row, noun, list = make("div") }) {
    Object.assign(this, { size, row, noun, list, start: 0, items: [] });
    this.before = make("button", { type: "button", click: () => this.turnTo(this.start - size) }, "Earlier");
    this.after = make("button", { type: "button", click: () => this.turnTo(this.start + size) }, "Later");
    this.words = make("span", { "aria-live": "polite" });
    this.bar = make("div", { class: "pager" }, this.before, this.words, this.after);
  }
  show(items) {
    this.items = items;
    this.turnTo(0);
  }
  /** Show the page on which the item of this position is. */
  turnTo(position) {
    this.start = Math.max(0, Math.floor(position / this.size) * this.size);
    const shown = this.items.slice(this.start, this.start + this.size);
    const end = this.start + shown.length;
    this.list.replaceChildren(...shown.map((item) => this.row(item)));
    this.words.textContent = `${inWords(this.start + 1)}–${inWords(end)} of ${counted(this.items.length, this.noun)}`;
    this.before.disabled = this.start === 0;
    this.after.disabled = end >= this.items.length;
    this.bar.hidden = this.items.length <= this.size;
  }
}

/** A choice among values, or none of them. */
function choice(label, values, changed) {
  const options = values.map((value, number) => make("option", { value: String(number) }, value.slice(0, LONGEST_OPTION)));
  const select = make("select", { "aria-label": label, change: changed }, make("option", { value: "" }, label), options);
  select.chosen = () => (select.value === "" ? null : values[Number(select.value)]);
  select.choose = (value) => { select.value = String(values.indexOf(value)); };
  return select;
}

function section(id, title, ...controls) {
  return make("section", { id }, make("div", { class: "bar" }, make("h2", {}, title), controls));
}

function table(headings) {
  const body = make("tbody");
  const cells = headings.map((one) => make("th", { scope: "col", class: NUMERIC.has(one) ? "number" : null }, one));
  const whole = make("table", { class: "rows" }, make("thead", {}, make("tr", {}, cells)), body);
  return { body, element: make("div", { class: "wide" }, whole) };
}

function row(...cells) {
  return make("tr", {}, cells);
}

function cell(content, kind = null) {
  return make("td", { class: kind }, content);
}

function number(value) {
  return cell(inWords(value), "number");
}

/** What of a list is not in this page. */
function leftOut(name, noun) {
  const missing = data.left_out[name];
  if (!missing) return "";
  return make("p", { class: "more" }, `${counted(missing, noun)} more: not in this page; the JSON report has them.`);
}

/** Bring an element to the top, and let the keyboard go on from it. */
function focusOn(element) {
  element.scrollIntoView({ block: "start" });
  element.focus({ preventScroll: true });
}

/** Do something once nothing was typed for a moment. */
function patiently(work) {
  let timer = 0;
  return () => { clearTimeout(timer); timer = setTimeout(work, 120); };
}
