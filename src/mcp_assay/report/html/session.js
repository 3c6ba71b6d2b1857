// Calls, the timeline, sessions, causes, checks and limits: each is a list, a page at a time.

const CALLS_A_PAGE = 50;
const MESSAGES_A_PAGE = 100;
const DIRECTIONS = { c2s: "→ sent", s2c: "← came" };
const CHECK_WORDS = { failed: "failed", warned: "warned", undecided: "undecided", not_testable: "not testable", not_declared: "not declared", skipped: "skipped", passed: "passed" };
const NUMERIC = new Set(["no.", "after", "bytes", "findings", "sessions", "messages", "errors", "warnings", "value", "times"]);
const OUTCOME_TONES = { passed: "good", failed: "bad", unproven: "unsure", undecided: "unsure" };

function table(headings) {
  const body = make("tbody");
  const element = make("table", { class: "rows" }, make("thead", {}, make("tr", {}, headings.map((one) => make("th", { scope: "col", class: NUMERIC.has(one) ? "number" : null }, one)))), body);
  return { body, element: make("div", { class: "wide" }, element) };
}

function callsSection() {
  if (!data.calls.length) return null;
  const tools = [...new Set(data.calls.map((call) => call.tool))];
  const outcomes = [...new Set(data.calls.map((call) => call.outcome))];
  const { body, element } = table(["no.", "tool", "scenario, and the exchange", "outcome"]);
  const pager = new Pager({ size: CALLS_A_PAGE, row: callRow, list: body, noun: "call" });
  const paint = () => pager.show(data.calls.filter((call) =>
    (tool.chosen() === null || call.tool === tool.chosen()) && (outcome.chosen() === null || call.outcome === outcome.chosen())));
  const tool = choice("All tools", tools, paint);
  const outcome = choice("All outcomes", outcomes, paint);
  const every = fold({}, callsInWords(outcomes), () => { paint(); return [pager.bar, element]; });
  const shown = section("calls", counted(data.calls.length, "call"), tool, outcome);
  for (const control of [tool, outcome]) control.addEventListener("change", every.unfold);
  shown.append(every, leftOut("calls", "call"));
  if (data.left_out.answers) shown.append(make("p", { class: "more" }, `The answers to ${counted(data.left_out.answers, "call")} are left out here; the JSON report has them.`));
  return shown;
}

function callsInWords(outcomes) {
  return outcomes.map((one) => `${data.calls.filter((call) => call.outcome === one).length.toLocaleString("en")} ${one}`).join(", ");
}

function callRow(call) {
  const words = `${call.outcome}${call.trouble ? `: ${call.trouble.replaceAll("_", " ")}` : ""}`;
  const valid = call.valid === null ? "validity unknown" : call.valid ? "valid arguments" : "invalid arguments";
  return make("tr", {},
    make("td", { class: "number" }, String(call.number)),
    make("td", {}, make("code", {}, call.tool)),
    make("td", { class: "what" }, fold({}, [call.scenario, make("small", {}, ` · ${valid}`)], () => [exchange(call)])),
    make("td", { class: OUTCOME_TONES[call.outcome] }, words));
}

function timelineSection() {
  const messages = data.messages.map(([at, direction, what, id, bytes, milliseconds]) => ({ at, direction, what, id, bytes, milliseconds }));
  if (!messages.length) return null;
  const answers = messages.filter((one) => one.milliseconds !== null);
  const times = answers.map((one) => one.milliseconds).sort((one, other) => one - other);
  const slowest = times.at(-1) || 0;
  const { body, element } = table(["after", "direction", "message", "bytes", "took"]);
  const pager = new Pager({ size: MESSAGES_A_PAGE, row: (one) => messageRow(one, slowest), list: body, noun: "message" });
  const toSlowest = make("button", { type: "button", click: () => pager.reach(messages.findIndex((one) => one.milliseconds === slowest)) }, "To the slowest answer");
  const shown = section("timeline", `Timeline of ${counted(messages.length, "message")}`, answers.length ? toSlowest : null);
  if (answers.length) {
    const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
    shown.append(make("p", { class: "more" }, `${counted(answers.length, "answer")}: half within ${duration(at(0.5))}, 95 of 100 within ${duration(at(0.95))}, the slowest ${duration(slowest)}.`), strip(answers, slowest));
  }
  const every = fold({}, "Every message", () => { pager.show(messages); return [pager.bar, element]; });
  toSlowest.addEventListener("click", every.unfold, { capture: true });
  shown.append(every, leftOut("messages", "message"));
  return shown;
}

function duration(milliseconds) {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

function messageRow(message, slowest) {
  const took = make("td", { class: "took" });
  if (message.milliseconds !== null) {
    const bar = make("span", { class: "latency" });
    bar.style.width = `${(70 * Math.log1p(message.milliseconds)) / (Math.log1p(slowest) || 1)}px`;
    took.append(duration(message.milliseconds), bar);
  }
  return make("tr", {},
    make("td", { class: "number" }, `${message.at.toFixed(3)} s`),
    make("td", {}, DIRECTIONS[message.direction]),
    make("td", { class: "what" }, message.what, message.id === null ? "" : make("small", {}, ` #${message.id}`)),
    make("td", { class: "number" }, message.bytes.toLocaleString("en")), took);
}

/** All answers at a glance: one stroke each, where it came, as high as it took long. */
function strip(answers, slowest) {
  const space = "http://www.w3.org/2000/svg";
  const end = answers.at(-1).at || 1;
  const height = (one) => 2 + (34 * Math.log1p(one.milliseconds)) / (Math.log1p(slowest) || 1);
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", answers.map((one) => `M${((1000 * one.at) / end).toFixed(1)} 40v-${height(one).toFixed(1)}`).join(""));
  const picture = document.createElementNS(space, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 1000 40", preserveAspectRatio: "none", class: "strip", role: "img", "aria-label": "Answers over time; the higher the stroke, the longer the answer took, on a logarithmic scale" })) picture.setAttribute(key, value);
  picture.append(path);
  return picture;
}

function listSection(id, title, headings, items, row, noun) {
  if (!items.length) return null;
  const { body, element } = table(headings);
  const pager = new Pager({ size: MESSAGES_A_PAGE, row, list: body, noun });
  pager.show(items);
  const shown = section(id, title);
  shown.append(pager.bar, element, leftOut(id, noun));
  return shown;
}

function causesSection() {
  if (data.kind === "server") return null;
  return listSection("causes", counted(data.causes.length, "cause"), ["severity", "at fault", "rule", "what", "findings", "sessions"], data.causes, (cause) => make("tr", {},
    make("td", { class: `severity ${cause.severity}` }, SEVERITY_WORDS[cause.severity]), make("td", {}, cause.subject || ""),
    make("td", {}, `${cause.rule} ${cause.name}`), make("td", { class: "what" }, cause.message),
    make("td", { class: "number" }, cause.findings.toLocaleString("en")), make("td", { class: "number" }, cause.sessions.toLocaleString("en"))), "cause");
}

function sessionsSection() {
  return listSection("sessions", counted(data.sessions.length, "session"), ["session", "file", "messages", "errors", "warnings", "revision"], data.sessions, (one) => make("tr", {},
    make("td", { class: "what" }, one.key), make("td", { class: "what" }, one.file, one.partial ? make("small", {}, " · judged in part") : ""),
    ...["messages", "errors", "warnings"].map((key) => make("td", { class: "number" }, one[key].toLocaleString("en"))),
    make("td", {}, one.revision)), "session");
}

function checksSection() {
  if (!data.checks.length) return null;
  const shown = section("checks", counted(data.checks.length, "check"));
  for (const [outcome, words] of Object.entries(CHECK_WORDS)) {
    const some = data.checks.filter((check) => check.outcome === outcome);
    if (!some.length) continue;
    const { body, element } = table(["rule", "why"]);
    const pager = new Pager({ size: MESSAGES_A_PAGE, list: body, noun: "check", row: (check) => make("tr", {}, make("td", {}, check.rule), make("td", { class: "what" }, check.reason || "")) });
    shown.append(fold({ class: "group" }, `${some.length.toLocaleString("en")} ${words}`, () => {
      if (!some.some((check) => check.reason)) return [make("p", { class: "statement" }, some.map((check) => check.rule).join(", "))];
      pager.show(some);
      return [pager.bar, element];
    }));
  }
  return shown;
}

function limitsSection() {
  if (!data.limits.length) {
    const none = section("limits", "Limits");
    none.append(make("p", { class: "more" }, "No limit cut anything."));
    return none;
  }
  return listSection("limits", counted(data.limits.length, "limit that cut something").replace("somethings", "something"), ["limit", "value", "times", "what it cut"], data.limits, (limit) => make("tr", {},
    make("td", {}, limit.name), make("td", { class: "number" }, limit.value.toLocaleString("en")),
    make("td", { class: "number" }, limit.count.toLocaleString("en")), make("td", { class: "what" }, limit.effect)), "limit");
}
