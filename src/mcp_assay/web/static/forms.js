// Sends forms that change something, with an Origin, and shows behind each what was answered.
"use strict";
(() => {
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
  const send = async (form) => {
    say(form, "");
    const answer = await answerTo(form).catch(() => ({ sentence: "The pages are not served any more." }));
    if (answer.sentence) say(form, answer.sentence);
    else if (!("stay" in form.dataset)) location.assign(answer.location);
  };
  document.addEventListener("submit", (event) => {
    if (event.target.method !== "post") return;
    event.preventDefault();
    send(event.target);
  });
})();
