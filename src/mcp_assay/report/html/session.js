// What was said to the server and by it: calls, and the timeline of all messages.

const CALLS_A_PAGE = 50;
const MESSAGES_A_PAGE = 100;
const WIDEST_BAR = 70;
const DIRECTIONS = { c2s: "→ sent", s2c: "← received" };
const OUTCOME_TONES = {
  passed: "good", rejected: "good", crashed: "bad", "timed out": "bad", "dependency unavailable": "unsure",
  "not decided": "unsure", "error without isError": "warn",
};
const UNFLAGGED_ERROR = "unflagged_error";
const BREAKDOWNS = ["crashed", "died", "timed_out", "no_content"];
const TROUBLE_WORDS = {
  accepted: "accepted invalid arguments", crashed: "crashed", died: "crashed", timed_out: "timed out",
  environment: "dependency unavailable", faulty_answer: "faulty result", no_content: "no usable content",
};

function callsSection(calls) {
  if (!calls.length) return null;
  const outcomes = [...new Set(calls.map(outcomeOf))];
  const { body, element } = table(["no.", "tool", "scenario and messages", "outcome"]);
  const pager = new Pager({ size: CALLS_A_PAGE, row: callRow, list: body, noun: "call" });
  const paint = () => pager.show(calls.filter((call) =>
    (tool.chosen() === null || call.tool === tool.chosen()) &&
    (outcome.chosen() === null || outcomeOf(call) === outcome.chosen())));
  const tool = choice("All tools", [...new Set(calls.map((call) => call.tool))], () => { every.unfold(); paint(); });
  const outcome = choice("All outcomes", outcomes, () => { every.unfold(); paint(); });
  const every = fold({}, callsInWords(calls, outcomes), () => { paint(); return [pager.bar, element]; });
  const shown = section("calls", counted(calls.length, "call"), tool, outcome);
  shown.append(every, leftOut("calls", "call"), leftOut("answers", "answer"));
  return Object.assign(shown, { reveal: (wanted) => {
    const position = calls.findIndex((call) => call.number === wanted);
    if (position < 0) return;
    tool.value = outcome.value = "";
    every.unfold();
    paint();
    pager.turnTo(position);
    const found = document.getElementById(`call-${wanted}`).querySelector("details");
    found.unfold();
    focusOn(found.firstChild);
  } });
}

function callsInWords(calls, outcomes) {
  const number = (outcome) => inWords(calls.filter((call) => outcomeOf(call) === outcome).length);
  return outcomes.map((outcome) => `${number(outcome)} ${outcome}`).join(", ");
}

/** What became of a call, in the words of the tool table. */
function outcomeOf(call) {
  if (call.sign === UNFLAGGED_ERROR && !BREAKDOWNS.includes(call.trouble)) return "error without isError";
  if (call.trouble) return TROUBLE_WORDS[call.trouble] || call.trouble.replaceAll("_", " ");
  if (call.outcome === "undecided") return "not decided";
  return call.outcome === "passed" && call.valid !== false ? "passed" : "rejected";
}

function callRow(call) {
  const outcome = outcomeOf(call);
  const valid = call.valid === null ? "validity unknown" : call.valid ? "valid arguments" : "invalid arguments";
  const shown = row(
    number(call.number),
    cell(make("code", {}, call.tool)),
    cell(fold({}, [call.scenario, make("small", {}, ` · ${valid}`)], () => [exchange(call)]), "what"),
    cell(outcome, OUTCOME_TONES[outcome] || "bad"));
  return Object.assign(shown, { id: `call-${call.number}` });
}

function timelineSection(rows) {
  if (!rows.length) return null;
  const messages = rows.map(([at, direction, what, id, bytes, milliseconds], position) => (
    { number: position + 1, at, direction, what, id, bytes, milliseconds }));
  const answers = messages.filter((one) => one.milliseconds !== null);
  const slowest = answers.reduce((most, one) => (one.milliseconds > most.milliseconds ? one : most), answers[0]);
  const { body, element } = table(["after", "direction", "message", "bytes", "took"]);
  const pager = new Pager({
    size: MESSAGES_A_PAGE, list: body, noun: "message", row: (one) => messageRow(one, slowest?.milliseconds || 0),
  });
  const every = fold({}, "Every message", () => { pager.show(messages); return [pager.bar, element]; });
  const find = () => { every.unfold(); pager.turnTo(messages.indexOf(slowest)); };
  const button = slowest ? make("button", { type: "button", click: find }, "To the slowest answer") : null;
  const shown = section("timeline", `Timeline of ${counted(messages.length, "message")}`, button);
  if (slowest) shown.append(make("p", { class: "more" }, timesInWords(answers)), strip(answers, slowest.milliseconds));
  shown.append(every, leftOut("messages", "message"));
  return Object.assign(shown, { reveal: (wanted) => {
    if (!messages[wanted - 1]) return;
    every.unfold();
    pager.turnTo(wanted - 1);
    focusOn(document.getElementById(`message-${wanted}`));
  } });
}

function timesInWords(answers) {
  const times = answers.map((one) => one.milliseconds).sort((one, other) => one - other);
  const within = (share) => duration(times[Math.min(times.length - 1, Math.floor(share * times.length))]);
  return `${counted(times.length, "answer")}: half within ${within(0.5)}, 95 of 100 within ${within(0.95)}, `
    + `the slowest ${within(1)}.`;
}

function duration(milliseconds) {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

/** From 0 to 1, so that short and long times can be seen side by side. */
function share(milliseconds, slowest) {
  return slowest > 0 ? Math.log1p(milliseconds) / Math.log1p(slowest) : 0;
}

function messageRow(message, slowest) {
  const took = cell("", "took");
  if (message.milliseconds !== null) {
    const bar = make("span", { class: "latency" });
    bar.style.width = `${WIDEST_BAR * share(message.milliseconds, slowest)}px`;
    took.append(duration(message.milliseconds), bar);
  }
  const id = message.id === null ? "" : make("small", {}, ` #${message.id}`);
  const shown = row(
    cell(`${message.at.toFixed(3)} s`, "number"),
    cell(DIRECTIONS[message.direction]),
    cell([message.what, id], "what"),
    number(message.bytes),
    took);
  return Object.assign(shown, { id: `message-${message.number}`, tabIndex: -1 });
}

/** All answers at a glance: one stroke each, where it came, as high as it took long. */
function strip(answers, slowest) {
  const end = answers.at(-1).at || 1;
  const stroke = (one) => {
    const height = 2 + 36 * share(one.milliseconds, slowest);
    return `M${((1000 * one.at) / end).toFixed(1)} 40v-${height.toFixed(1)}`;
  };
  const words = "Answers over time; the higher a stroke, the longer it took, on a logarithmic scale";
  const picture = drawn("svg", {
    viewBox: "0 0 1000 40", preserveAspectRatio: "none", class: "strip", role: "img", "aria-label": words,
  });
  picture.append(drawn("path", { d: answers.map(stroke).join("") }));
  return picture;
}

function drawn(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
