// What is left: causes and sessions of traces, every check and why, limits that cut.

const ROWS_A_PAGE = 100;
const CHECK_WORDS = {
  failed: "failed", warned: "warned", undecided: "undecided", not_testable: "not testable",
  not_declared: "not declared", skipped: "skipped", passed: "passed",
};

function listSection({ id, title, headings, items, noun, row }) {
  if (!items.length) return null;
  const { body, element } = table(headings);
  const pager = new Pager({ size: ROWS_A_PAGE, row, list: body, noun });
  pager.show(items);
  const shown = section(id, title);
  shown.append(pager.bar, element, leftOut(id, noun));
  return shown;
}

function causesSection(causes) {
  return listSection({
    id: "causes", title: counted(causes.length, "cause"), items: causes, noun: "cause",
    headings: ["severity", "at fault", "rule", "what", "findings", "sessions"],
    row: (cause) => row(
      cell(SEVERITY_WORDS[cause.severity], `severity ${cause.severity}`),
      cell(cause.subject),
      cell(`${cause.rule} ${cause.name}`),
      cell(cause.message, "what"),
      number(cause.findings),
      number(cause.sessions)),
  });
}

function sessionsSection(sessions) {
  return listSection({
    id: "sessions", title: counted(sessions.length, "session"), items: sessions, noun: "session",
    headings: ["session", "file", "messages", "errors", "warnings", "revision"],
    row: (one) => row(
      cell(one.key, "what"),
      cell([one.file, one.partial ? make("small", {}, " · judged in part") : ""], "what"),
      number(one.messages),
      number(one.errors),
      number(one.warnings),
      cell(one.revision)),
  });
}

function checksSection(checks) {
  if (!checks.length) return null;
  const shown = section("checks", counted(checks.length, "check"));
  for (const [outcome, words] of Object.entries(CHECK_WORDS)) {
    const some = checks.filter((check) => check.outcome === outcome);
    const body = () => (some.some((check) => check.reason) ? checksTable(some) : checksInWords(some));
    if (some.length) shown.append(fold({ class: "group" }, `${inWords(some.length)} ${words}`, body));
  }
  return shown;
}

function checksTable(checks) {
  const { body, element } = table(["rule", "why"]);
  const pager = new Pager({
    size: ROWS_A_PAGE, list: body, noun: "check", row: (check) => row(cell(check.rule), cell(check.reason, "what")),
  });
  pager.show(checks);
  return [pager.bar, element];
}

function checksInWords(checks) {
  return [make("p", { class: "statement" }, checks.map((check) => check.rule).join(", "))];
}

function limitsSection(limits) {
  const none = section("limits", "Limits");
  none.append(make("p", { class: "more" }, "No limit cut anything."));
  return listSection({
    id: "limits", title: "Limits that cut something", items: limits, noun: "limit",
    headings: ["limit", "value", "times", "what it cut"],
    row: (limit) => row(cell(limit.name), number(limit.value), number(limit.count), cell(limit.effect, "what")),
  }) || none;
}
