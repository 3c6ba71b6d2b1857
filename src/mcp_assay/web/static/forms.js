// Sends forms that change something, with an Origin, and shows behind each what was answered.
"use strict";
(() => {
  const GONE = "The pages do not answer: is mcp-assay ui still running?";
  const sending = new WeakSet();
  const say = (form, sentence) => {
    let place = form.nextElementSibling;
    if (!place || place.className !== "refusal") {
      place = document.createElement("p");
      place.className = "refusal";
      place.setAttribute("role", "alert");
      form.after(place);
    }
    place.textContent = sentence ? `✕ ${sentence}` : "";
  };
  const answerTo = async (form) => {
    const body = new URLSearchParams(new FormData(form));
    const response = await fetch(form.getAttribute("action"), { method: "POST", body });
    const isOurs = response.headers.get("Content-Type")?.startsWith("application/json");
    return isOurs ? response.json() : { sentence: `This was refused (${response.status}).` };
  };
  /** Where the change is seen: the page that is looked at is loaded anew. */
  const show = (address) => {
    const target = new URL(address, location.origin);
    if (target.pathname !== location.pathname) return location.assign(target);
    location.hash = target.hash;
    location.reload();
  };
  const send = async (form) => {
    if (sending.has(form)) return;
    sending.add(form);
    say(form, "");
    const answer = await answerTo(form).catch(() => ({ sentence: GONE }));
    sending.delete(form);
    if (answer.sentence) say(form, answer.sentence);
    else if (!("stay" in form.dataset)) show(answer.location);
  };
  document.addEventListener("submit", (event) => {
    if (event.target.method !== "post") return;
    event.preventDefault();
    send(event.target);
  });
})();
