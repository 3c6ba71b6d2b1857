// Forms that change something. Under no-referrer a browser sends a form without its Origin, and such
// a request is refused: a request of a script has its Origin.

const GONE = "The pages do not answer: is mcp-assay ui still running?";

async function send(form) {
  const button = form.querySelector("button");
  const said = form.querySelector("[role=alert]");
  button.disabled = true;
  said.textContent = "";
  try {
    const body = new URLSearchParams(new FormData(form));
    const response = await fetch(form.action, { method: "POST", body });
    if (response.ok) return show(new URL(response.url), form.closest("section").id);
    said.textContent = `That did not work: ${response.status} ${response.statusText}.`;
  } catch {
    said.textContent = GONE;
  }
  button.disabled = false;
}

/** Where the change is seen; on the same page, as it is looked at now, and at the same place. */
function show(target, place) {
  if (target.pathname !== location.pathname) return location.assign(target);
  location.hash = place;
  location.reload();
}

for (const form of document.querySelectorAll("form.deed")) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
