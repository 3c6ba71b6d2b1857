// All findings, grouped by severity and rule, and the controls that choose among them.

const SEVERITIES = ["error", "warning", "info"];
/** What a rule asks for, so that nobody takes it for what was observed. */
function expected(statement) {
  const first = statement.split(" ", 1)[0];
  const isPlain = first === "A" || /^.[a-z]+$/.test(first);
  return `Expected: ${isPlain ? statement[0].toLowerCase() + statement.slice(1) : statement}`;
}

const SEVERITY_WORDS = { error: "error", warning: "warning", info: "note" };
const FINDINGS_A_PAGE = 25;
const FEW = 12;
const LONGEST_TEASER = 300;

class Findings {
  constructor(all) {
    this.all = all;
    all.forEach((finding, number) => { finding.number = number; });
    const paint = () => this.paint();
    const rules = [...new Set(all.map((finding) => finding.rule))].sort();
    const tools = [...new Set(all.flatMap(toolsOf))].sort();
    const severities = SEVERITIES.filter((one) => all.some((finding) => finding.severity === one));
    this.severity = choice("All severities", severities, paint);
    this.rule = choice("All rules", rules, paint);
    this.tool = choice("All tools", tools, paint);
    this.text = make("input", {
      type: "search", id: "filter", placeholder: "Filter   /", "aria-label": "Filter findings by text",
      input: patiently(paint),
    });
    this.count = make("span", { class: "more", id: "matching", "aria-live": "polite" });
    this.list = make("div", { id: "groups" });
    const title = all.length ? counted(all.length, "finding") : "No findings";
    const controls = [this.count, this.severity, this.rule, tools.length ? this.tool : null, this.text];
    this.element = section("findings", title, all.length ? controls : null);
    this.element.append(this.list, leftOut("findings", "finding"));
    paint();
  }

  chosen() {
    const [severity, rule, tool] = [this.severity, this.rule, this.tool].map((one) => one.chosen());
    const words = this.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    return this.all.filter((finding) =>
      (severity === null || finding.severity === severity) &&
      (rule === null || finding.rule === rule) &&
      (tool === null || toolsOf(finding).includes(tool)) &&
      words.every((word) => haystack(finding).includes(word)));
  }

  paint() {
    const chosen = this.chosen();
    this.count.textContent = chosen.length === this.all.length ? "" : `${inWords(chosen.length)} match`;
    this.groups = grouped(chosen).map((group) => this.group(group));
    const nothing = this.all.length ? "No finding matches." : "Nothing was found.";
    this.list.replaceChildren(...(chosen.length ? this.groups : [make("p", { class: "more" }, nothing)]));
    if (chosen.length <= FEW) for (const group of this.groups) group.unfold();
  }

  group(findings) {
    const [first] = findings;
    const rule = data.rules[first.rule] || {};
    const pager = new Pager({ size: FINDINGS_A_PAGE, row: (finding) => this.row(finding), noun: "finding" });
    const summary = [
      make("span", { class: `severity ${first.severity}` }, SEVERITY_WORDS[first.severity]),
      make("span", { class: "rule" }, libraryOf(first) || `${first.rule} ${rule.name || ""}`),
      findings.length > 1 ? ` · ${counted(findings.length, "finding")}` : "",
      make("span", { class: "teaser" }, first.message.slice(0, LONGEST_TEASER)),
    ];
    const element = fold({ class: "group" }, summary, () => {
      pager.show(findings);
      if (libraryOf(first)) return [pager.bar, pager.list];
      const statement = make("p", { class: "statement" }, expected(rule.statement), " ", link(rule.url, "specification"));
      return [statement, pager.bar, pager.list];
    });
    return Object.assign(element, { findings, pager });
  }

  row(finding) {
    const summary = [finding.message, " ", make("span", { class: "place" }, placeOf(finding))];
    return fold({ class: "finding", id: `finding-${finding.number}` }, summary, () => findingBody(finding));
  }

  clear() {
    for (const control of [this.severity, this.rule, this.tool, this.text]) control.value = "";
  }

  /** Show only the findings about a tool. */
  about(tool) {
    this.clear();
    this.tool.choose(tool);
    this.paint();
    this.groups[0]?.unfold();
  }

  /** Open one finding, wherever it is, by its place in the report or its fingerprint. */
  reveal(name) {
    const finding = this.all[Number(name)] || this.all.find((one) => one.fingerprint === name);
    if (!finding) return;
    this.clear();
    this.paint();
    const group = this.groups.find((one) => one.findings.includes(finding));
    group.unfold();
    group.pager.turnTo(group.findings.indexOf(finding));
    const element = document.getElementById(`finding-${finding.number}`);
    element.unfold();
    focusOn(element.firstChild);
  }
}

/** The library that decides a finding in place of the author. */
function libraryOf(finding) {
  const told = (finding.details || {}).decided_by;
  return told ? [told.library, told.version].filter(Boolean).join(" ") : "";
}

/** Findings of one severity and rule together; errors before warnings before notes, libraries last. */
function grouped(findings) {
  const groups = new Map();
  for (const finding of findings) {
    const key = libraryOf(finding) || `${finding.severity} ${finding.rule}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(finding);
  }
  const rank = ([first]) => SEVERITIES.indexOf(first.severity) + (libraryOf(first) ? SEVERITIES.length : 0);
  return [...groups.values()].sort((one, other) => rank(one) - rank(other));
}
