"use strict";
// The list of traffic, kept up to date: numbers in place, and the page anew where a proxy comes or ends.

const SECOND = 1000;

function known() {
  const rows = document.querySelectorAll("[data-proxy]");
  return new Map([...rows].map((row) => [Number(row.dataset.proxy), row.dataset.how !== ""]));
}

function isNew(proxies) {
  const shown = known();
  return shown.size !== proxies.length || proxies.some((one) => shown.get(one.number) !== (one.how !== ""));
}

function show(row, name, text) {
  const field = row.querySelector(`[data-field="${name}"]`);
  if (field.textContent !== text) field.textContent = text;
  return field;
}

function update(state) {
  for (const one of state.proxies) {
    const row = document.getElementById(`proxy-${one.number}`);
    show(row, "messages", one.messages.toLocaleString("en"));
    const errors = show(row, "errors", `${one.errors ? "✕ " : ""}${one.errors.toLocaleString("en")}`);
    errors.classList.toggle("bad", one.errors > 0);
  }
  for (const one of state.files) {
    const row = document.getElementById(`file-${one.number}`);
    show(row, "seen", one.seen);
    show(row, "state", one.state);
  }
}

async function look() {
  for (;;) {
    const response = await fetch("/traffic/state");
    if (!response.ok) return;
    const state = await response.json();
    if (isNew(state.proxies)) {
      location.reload();
      return;
    }
    update(state);
    await new Promise((done) => { setTimeout(done, SECOND); });
  }
}

look().catch(() => {});
