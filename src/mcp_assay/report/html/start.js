// Put the page together, and listen.

const MOST_PRINTED = 200;
const findings = new Findings(data.findings);
const sections = [
  findings.element,
  data.kind === "server" ? null : causesSection(data.causes),
  sessionsSection(data.sessions),
  callsSection(data.calls),
  timelineSection(data.messages),
  checksSection(data.checks),
  limitsSection(data.limits),
].filter(Boolean);
const links = sections.map((one) => make("a", { href: `#${one.id}` }, one.querySelector("h2").textContent));
document.getElementById("more").append(make("nav", { class: "contents", "aria-label": "Contents" }, links), ...sections);
document.documentElement.classList.add("scripted");

/** What shows a finding by its place in the report or its fingerprint, a call or a message by its number. */
const linked = { finding: findings, call: document.getElementById("calls"), message: document.getElementById("timeline") };

/** Follow a link to something that may not be in the document yet. */
function follow() {
  const [, kind, name] = /^#(finding|call|message)-([0-9a-f]+)$/.exec(location.hash) || [];
  if (kind) linked[kind]?.reveal(kind === "finding" ? name : Number(name));
  else document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function identityText() {
  const rows = [...document.querySelectorAll("#identity dt")];
  return rows.map((one) => `${one.textContent}: ${one.nextElementSibling.textContent}`).join("\n");
}

function filterTools(wanted) {
  for (const one of document.querySelectorAll(".tools tbody tr")) {
    one.hidden = !one.textContent.toLowerCase().includes(wanted.toLowerCase());
  }
}

document.querySelector("[data-copy]").addEventListener("click", (event) => copy(identityText(), event.currentTarget));
document.getElementById("tool-filter")?.addEventListener("input", (event) => filterTools(event.currentTarget.value));
document.addEventListener("click", (event) => {
  const target = event.target.closest("a");
  if (target?.dataset.tool) findings.about(data.tools[Number(target.dataset.tool)]);
  else if (target?.hash && target.hash === location.hash) follow();
});
document.addEventListener("keydown", (event) => {
  const isTyping = document.activeElement.matches("input, select, textarea");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    findings.text.focus();
  } else if (event.key === "Escape" && document.activeElement === findings.text) {
    findings.text.value = "";
    findings.paint();
  }
});
window.addEventListener("hashchange", follow);
window.addEventListener("beforeprint", () => {
  for (const group of document.querySelectorAll("details.group")) group.unfold();
  const shown = [...document.querySelectorAll("details.finding")].slice(0, MOST_PRINTED);
  for (const finding of shown) finding.unfold();
});
follow();
