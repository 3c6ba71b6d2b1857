// All servers, a page at a time: narrowed by words, by verdict, and by a cause that they share.

const ROWS_A_PAGE = 100;
const LABELS = ["tools", "ok", "errors", "warnings"];
const EMPTY = { from: "", change: "", note: "", causes: [], numbers: [], file: "" };
const servers = data.servers.map((one) => {
  const whole = { ...EMPTY, ...one };
  const words = `${whole.name} ${whole.verdict} ${whole.from} ${whole.change} ${whole.note}`;
  return { ...whole, words: words.toLowerCase() };
});
const distinct = (name) => [...new Set(servers.map((one) => one[name]))].filter(Boolean);

function labelledCell(label, content, kind = null) {
  return make("td", { "data-label": label, class: kind }, content);
}

function serverRow(one) {
  const name = one.file ? make("a", { href: one.file }, one.name) : one.name;
  return make("tr", {},
    make("th", { scope: "row" }, name),
    labelledCell("verdict", make("span", { class: `chip ${one.tone}` }, one.verdict)),
    labelledCell("from", one.from),
    one.numbers.map((value, column) => labelledCell(LABELS[column], value, "number")),
    labelledCell("change", one.change),
    labelledCell("note", one.note));
}

const home = document.getElementById("servers");
const heading = home.querySelector("h2");
const pager = new Pager({ size: ROWS_A_PAGE, row: serverRow, noun: "server", list: home.querySelector("tbody") });
const text = make("input", { type: "search", placeholder: "Filter servers", "aria-label": "Filter servers", input: patiently(paint) });
const verdict = choice("any verdict", distinct("verdict"), paint);
const change = choice("any change", distinct("change"), paint);
const cause = choice("any cause", data.causes, paint);

function paint() {
  const wanted = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const number = cause.value === "" ? null : Number(cause.value);
  const shown = servers.filter((one) =>
    wanted.every((word) => one.words.includes(word))
    && (verdict.chosen() ?? one.verdict) === one.verdict
    && (change.chosen() ?? one.change) === one.change
    && (number === null || one.causes.includes(number)));
  pager.show(shown);
  const all = counted(servers.length, "server");
  heading.textContent = shown.length === servers.length ? all : `${inWords(shown.length)} of ${all}`;
}

/** The number of servers of each cause leads to these servers. */
function linkCauses() {
  for (const [number] of data.causes.entries()) {
    const cell = document.querySelector(`#cause-${number} td.number`);
    const show = () => {
      cause.value = String(number);
      paint();
      cause.focus({ preventScroll: true });
      home.scrollIntoView();
    };
    const words = { type: "button", class: "copy", title: "Show these servers", click: show };
    cell.replaceChildren(make("button", words, cell.textContent));
  }
}

heading.parentElement.append(...[cause, change, verdict].filter((one) => one.options.length > 1), text);
home.append(pager.bar);
document.getElementById("rest")?.remove();
if (data.left_out.servers) home.append(leftOut("servers", "server"));
linkCauses();
paint();
document.addEventListener("keydown", (event) => {
  const isTyping = document.activeElement.matches("input, select, textarea");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    text.focus();
  } else if (event.key === "Escape" && document.activeElement === text) {
    text.value = "";
    paint();
  }
});
