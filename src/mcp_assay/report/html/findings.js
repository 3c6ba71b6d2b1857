// Findings, grouped by severity and rule; groups and findings are made when they are opened.

const SEVERITIES = ["error", "warning", "info"];
const SEVERITY_WORDS = { error: "error", warning: "warning", info: "note" };
const FINDINGS_A_PAGE = 25;
const FEW = 12;
const callsByNumber = new Map(data.calls.map((call) => [call.number, call]));

function toolsOf(finding) {
  const places = [finding.where || {}, ...(finding.examples || [])];
  return places.map((place) => place.tool).filter((tool) => tool !== undefined);
}

/** What the free text is looked for in, made once for each finding. */
function haystack(finding) {
  if (finding.hay === undefined) {
    const rule = data.rules[finding.rule] || {};
    finding.hay = [finding.message, finding.rule, rule.name, toolsOf(finding).join(" "), finding.pointer,
      finding.evidence, finding.cause, (finding.where || {}).file, finding.fingerprint].join("\n").toLowerCase();
  }
  return finding.hay;
}

function place(finding) {
  const where = finding.where || {};
  const file = where.file ? [where.file, where.line, where.column].filter((one) => one !== undefined).join(":") : "";
  return [where.tool, file, where.session && data.kind !== "server" ? where.session : ""].filter(Boolean).join(" · ");
}

/** What was asked in a call, as far as it differs from call to call. */
function asked(call) {
  return { method: "tools/call", params: { name: call.tool, arguments: call.arguments } };
}

function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A label and what it labels. */
function labelled(label, value, options) {
  return value === undefined || value === null ? [] : [make("span", { class: "label" }, label), quoted(value, options)];
}

/** The request and the response that show it, side by side. */
function exchange(call) {
  const words = call.ending === "answered" ? "The answer is not in this page; the JSON report has it." : `No answer: ${call.ending.replace("_", " ")}.`;
  const response = call.answer ? labelled("response", call.answer) : [make("span", { class: "label" }, "response"), make("p", { class: "more" }, words)];
  return make("div", { class: "exchange" }, make("div", {}, labelled("request", asked(call))), make("div", {}, response));
}

function facts(rows) {
  const kept = rows.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return kept.length ? make("dl", { class: "facts" }, kept.map(([label, value]) => [make("dt", {}, label), make("dd", {}, value)])) : null;
}

function findingBody(finding) {
  const details = finding.details || {};
  const rule = data.rules[finding.rule] || {};
  const call = callsByNumber.get((finding.where || {}).call);
  const scenario = (finding.where || {}).scenario;
  const others = (finding.examples || []).length;
  return [
    facts([
      ["at", finding.pointer],
      ["seen", finding.evidence],
      ["scenario", scenario],
      ["said", details.answer],
      ["stderr", details.stderr],
      ["exit", details.exit],
      ["clients", rule.clients],
      ["fix", finding.fix],
      ["at fault", finding.subject],
      ["counted", finding.count > 1 ? `${counted(finding.count, "time")}${others ? `, also ${finding.examples.map((one) => one.scenario || one.tool || [one.file, one.line].filter(Boolean).join(":")).filter(Boolean).join("; ")}` : ""}` : ""],
    ]),
    call ? exchange(call) : null,
    call && isSame(call.arguments, details.smallest) ? [] : labelled("smallest arguments that show it", details.smallest),
    labelled("repeat", details.repeat, { line: true }),
    labelled("repeat, as a message", details.raw, { line: true }),
    labelled("repeat, with curl", details.curl, { line: true }),
    make("p", { class: "more" }, `fingerprint ${finding.fingerprint}`),
  ].flat().filter(Boolean);
}

/** A fold whose content is made when it is opened, and gone when it is closed. */
function fold(attributes, summary, body) {
  const element = make("details", attributes, make("summary", {}, summary));
  element.addEventListener("toggle", () => {
    if (element.open && element.children.length === 1) element.append(...body());
    else if (!element.open) while (element.children.length > 1) element.lastChild.remove();
  });
  element.unfold = () => { if (element.children.length === 1) element.append(...body()); element.open = true; };
  return element;
}

class Findings {
  constructor() {
    const rules = [...new Set(data.findings.map((finding) => finding.rule))].sort();
    const tools = [...new Set(data.findings.flatMap(toolsOf))].sort();
    this.change = () => this.paint();
    this.severity = choice("All severities", SEVERITIES.filter((one) => data.findings.some((finding) => finding.severity === one)), this.change);
    this.rule = choice("All rules", rules, this.change);
    this.tool = choice("All tools", tools, this.change);
    this.text = make("input", { type: "search", id: "filter", placeholder: "Filter   /", "aria-label": "Filter findings by text", input: patiently(this.change) });
    this.count = make("span", { class: "more", "aria-live": "polite", id: "matching" });
    this.list = make("div", { id: "groups" });
    const controls = [this.count, this.severity, rules.length > 1 ? this.rule : null, tools.length > 1 ? this.tool : null, this.text];
    this.element = section("findings", data.findings.length ? counted(data.findings.length, "finding") : "No findings", data.findings.length ? controls : null);
    this.element.append(this.list, leftOut("findings", "finding"));
    data.findings.forEach((finding, number) => { finding.number = number; });
    this.paint();
  }
  wanted() {
    const [severity, rule, tool] = [this.severity.chosen(), this.rule.chosen(), this.tool.chosen()];
    const words = this.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    return data.findings.filter((finding) =>
      (!severity || finding.severity === severity) && (!rule || finding.rule === rule) &&
      (tool === null || toolsOf(finding).includes(tool)) && words.every((word) => haystack(finding).includes(word)));
  }
  paint() {
    const wanted = this.wanted();
    const groups = new Map();
    for (const finding of wanted) {
      const key = `${SEVERITIES.indexOf(finding.severity)} ${finding.rule}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(finding);
    }
    const ordered = [...groups.entries()].sort(([one], [other]) => Number(one[0]) - Number(other[0]) || 0).map(([, group]) => group);
    this.count.textContent = wanted.length === data.findings.length ? "" : `${wanted.length.toLocaleString("en")} match`;
    this.groups = ordered.map((group) => this.group(group));
    this.list.replaceChildren(...(ordered.length ? this.groups : [make("p", { class: "more" }, data.findings.length ? "No finding matches." : "Nothing was found.")]));
    if (wanted.length <= FEW) for (const group of this.groups) group.unfold();
  }
  group(findings) {
    const [first] = findings;
    const rule = data.rules[first.rule] || {};
    const pager = new Pager({ size: FINDINGS_A_PAGE, row: (finding) => this.row(finding), noun: "finding" });
    const number = findings.length > 1 ? ` · ${counted(findings.length, "finding")}` : "";
    const summary = [make("span", { class: `severity ${first.severity}` }, SEVERITY_WORDS[first.severity]), make("span", { class: "rule" }, `${first.rule} ${rule.name || ""}`), number];
    const element = fold({ class: "group" }, summary, () => {
      pager.show(findings);
      return [make("p", { class: "statement" }, rule.statement || "", " ", link(rule.url, "specification")), pager.bar, pager.list];
    });
    element.findings = findings;
    element.pager = pager;
    return element;
  }
  row(finding) {
    const summary = [finding.message, " ", make("span", { class: "place" }, place(finding))];
    return fold({ class: "finding", id: `finding-${finding.number}` }, summary, () => findingBody(finding));
  }
  /** Show only the findings about a tool. */
  about(tool) {
    this.clear();
    this.tool.choose(tool);
    this.paint();
    if (this.groups[0]) this.groups[0].unfold();
  }
  clear() {
    for (const control of [this.severity, this.rule, this.tool, this.text]) control.value = "";
  }
  /** Open one finding, wherever it is. */
  reveal(number) {
    const finding = data.findings[number];
    if (!finding) return;
    this.clear();
    this.paint();
    const group = this.groups.find((one) => one.findings.includes(finding));
    group.unfold();
    group.pager.reach(group.findings.indexOf(finding));
    const element = document.getElementById(`finding-${number}`);
    element.unfold();
    element.scrollIntoView({ block: "start" });
    element.firstChild.focus({ preventScroll: true });
  }
}

function leftOut(name, noun) {
  const number = data.left_out[name];
  return number > 0 ? make("p", { class: "more" }, `${counted(number, noun)} more: not in this page; the JSON report has them.`) : "";
}
