// One finding: what it says, the exchange that shows it, and how to repeat it.

const definitions = new Map(data.definitions.map((tool) => [tool.name, tool]));
const callsByNumber = new Map(data.calls.map((call) => [call.number, call]));

function toolsOf(finding) {
  const places = [finding.where || {}, ...(finding.examples || [])];
  const shared = (finding.details || {}).tools || [];
  const tools = [...places.map((place) => place.tool), ...shared];
  return [...new Set(tools.filter((tool) => tool !== undefined))];
}

/** What free text is looked for in, made once for each finding. */
function haystack(finding) {
  if (finding.hay === undefined) {
    const rule = data.rules[finding.rule] || {};
    const texts = [
      finding.message, finding.rule, rule.name, finding.pointer, finding.evidence, finding.cause,
      (finding.where || {}).file, finding.fingerprint, ...toolsOf(finding),
    ];
    finding.hay = texts.join("\n").toLowerCase();
  }
  return finding.hay;
}

function fileAndLine(where) {
  return [where.file, where.line, where.column].filter((one) => one !== undefined).join(":");
}

function placeOf(finding) {
  const where = finding.where || {};
  const session = data.kind === "server" ? "" : where.session;
  return [where.tool, where.file ? fileAndLine(where) : "", session].filter(Boolean).join(" · ");
}

function repeats(finding) {
  if (!(finding.count > 1)) return "";
  const places = (finding.examples || []).map((one) => one.scenario || one.tool || (one.file ? fileAndLine(one) : ""));
  const also = [...new Set(places.filter(Boolean))].join("; ");
  return counted(finding.count, "time") + (also ? `, also: ${also}` : "");
}

/** What was asked and what came back, side by side. */
function exchange(call) {
  const request = { method: "tools/call", params: { name: call.tool, arguments: call.arguments } };
  const missing = call.ending === "answered"
    ? "The answer is not in this page; the JSON report has it."
    : `No answer: ${call.ending.replaceAll("_", " ")}.`;
  const response = call.answer
    ? labelled("response", call.answer)
    : [make("span", { class: "label" }, "response"), make("p", { class: "more" }, missing)];
  return make("div", { class: "exchange" }, make("div", {}, labelled("request", request)), make("div", {}, response));
}

/** The end of the conversation of a probe: what was sent, and what came of it. */
function dialogue(steps) {
  const side = (label, text) => make("div", {}, labelled(label, text));
  const rows = steps.map((step) => make("div", { class: "exchange" }, side("sent", step.sent), side("came", step.came)));
  return rows.length ? [make("span", { class: "label" }, "the end of the conversation that shows it"), ...rows] : [];
}

function facts(rows) {
  const known = rows.filter(([, value]) => value !== undefined && value !== null && value.length !== 0);
  if (!known.length) return null;
  return make("dl", { class: "facts" }, known.map(([label, value]) => [make("dt", {}, label), make("dd", {}, value)]));
}

/** What is said of one of several tools that share a fault, and what to do there. */
function ownWords(one) {
  return make("p", {}, one.fix ? `${one.message} Fix: ${one.fix}` : one.message);
}

function findingBody(finding) {
  const details = finding.details || {};
  const where = finding.where || {};
  const call = callsByNumber.get(where.call);
  const isSmallest = call && JSON.stringify(call.arguments) === JSON.stringify(details.smallest);
  const told = facts([
    ["at", finding.pointer],
    ["seen", finding.evidence],
    ["scenario", where.scenario],
    ["proof", details.proof],
    ["said", details.answer],
    ["stderr", details.stderr],
    ["exit", details.exit],
    ["clients", (data.rules[finding.rule] || {}).clients],
    ["fix", finding.fix],
    ["at fault", finding.subject],
    ["needs", details.needs],
    ["tools", (details.tools || []).join(", ")],
    ["each", (details.each || []).map(ownWords)],
    ["counted", repeats(finding)],
  ]);
  return [
    told,
    call ? exchange(call) : null,
    dialogue(details.dialogue || []),
    call || details.dialogue ? null : labelled("the tool as it is listed", definitions.get(where.tool)),
    isSmallest ? null : labelled("smallest arguments that show it", details.smallest),
    labelled("repeat", details.repeat, { line: true }),
    labelled("repeat, as a message", details.raw, { line: true }),
    labelled("repeat, with curl", details.curl, { line: true }),
    make("p", { class: "more" }, `fingerprint ${finding.fingerprint}`),
  ].flat().filter(Boolean);
}
