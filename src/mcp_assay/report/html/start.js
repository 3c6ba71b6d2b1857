// Put the page together, and listen.

const MOST_PRINTED = 200;
const findings = new Findings();
const sections = [findings.element, causesSection(), sessionsSection(), callsSection(), timelineSection(), checksSection(), limitsSection()].filter(Boolean);
const contents = make("nav", { class: "contents", "aria-label": "Contents" }, sections.map((one) => make("a", { href: `#${one.id}` }, one.querySelector("h2").textContent)));
document.getElementById("more").append(contents, ...sections);
document.documentElement.classList.add("scripted");

/** Follow a link to a finding, which may not be in the document yet. */
function follow() {
  const found = /^#finding-(\d+)$/.exec(location.hash);
  if (found) findings.reveal(Number(found[1]));
  else if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function identityText() {
  const rows = [...document.querySelectorAll("#identity dt")];
  return rows.map((row) => `${row.textContent}: ${row.nextElementSibling.textContent}`).join("\n");
}

document.querySelector("[data-copy]")?.addEventListener("click", (event) => copy(identityText(), event.currentTarget));
document.getElementById("tool-filter")?.addEventListener("input", (event) => {
  const wanted = event.currentTarget.value.toLowerCase();
  for (const row of document.querySelectorAll(".tools tbody tr")) row.hidden = !row.textContent.toLowerCase().includes(wanted);
});
document.addEventListener("click", (event) => {
  const target = event.target.closest?.("a");
  if (target?.dataset.tool !== undefined) findings.about(data.tools[Number(target.dataset.tool)]);
  else if (target?.hash && target.hash === location.hash) follow();
});
document.addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName);
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
  for (const group of findings.groups) group.unfold();
  for (const one of [...document.querySelectorAll("details.finding")].slice(0, MOST_PRINTED)) one.unfold();
});
follow();
