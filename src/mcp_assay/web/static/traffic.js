"use strict";
// Rows of traffic as they come. All that a server said is set as text; addresses are made of numbers.

const place = document.getElementById("traffic");
const rows = document.getElementById("rows");
const statusLine = document.getElementById("status");
const MOST_ROWS = 500;
const MOST_FOUND = 500;
const SECOND = 1000;
document.documentElement.classList.add("scripted");

function field(node, name) {
  return node.querySelector(`[data-field="${name}"]`);
}

function findingItem(found) {
  const item = document.getElementById("finding").content.querySelector("li").cloneNode(true);
  const severity = field(item, "severity");
  severity.textContent = `${found.sign} ${found.word}`;
  severity.className = `severity ${found.severity}`;
  const rule = field(item, "rule");
  rule.textContent = found.rule;
  if (found.url.startsWith("https://")) rule.href = found.url;
  else rule.removeAttribute("href");
  field(item, "words").textContent = found.words;
  return item;
}

function showFound(row, found) {
  field(row, "found").replaceChildren(...found.map(findingItem));
}

function madeRow(value) {
  const row = document.getElementById("row").content.querySelector("tr").cloneNode(true);
  row.id = `message-${value.number}`;
  row.dataset.number = value.number;
  for (const name of ["number", "at", "arrow", "direction", "session", "method", "tool", "kind", "size", "shown"]) {
    field(row, name).textContent = value[name];
  }
  for (const link of row.querySelectorAll("[data-href]")) {
    const start = link.dataset.href.startsWith("?") ? "" : place.dataset.path;
    link.href = `${start}${link.dataset.href}${value.number}`;
  }
  field(row, "whole").hidden = !value.is_cut;
  showFound(row, value.found);
  return row;
}

function noteRow(words) {
  const row = document.createElement("tr");
  const cell = document.createElement("td");
  cell.colSpan = 7;
  cell.className = "more";
  cell.textContent = words;
  row.append(cell);
  return row;
}

function isAtEnd() {
  return window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 60;
}

function appendRows(values, skipped) {
  const follows = isAtEnd();
  const made = values.map(madeRow);
  if (skipped) made.unshift(noteRow(`${skipped.toLocaleString("en")} messages more passed here; they can be found with the filter or by their numbers.`));
  rows.append(...made);
  while (rows.rows.length > MOST_ROWS) rows.rows[0].remove();
  if (follows && made.length) window.scrollTo(0, document.documentElement.scrollHeight);
}

function addLateFindings(found) {
  for (const one of found) {
    const row = document.getElementById(`message-${one.number}`);
    if (!row) continue;
    const list = field(row, "found");
    if (list.children.length < MOST_FOUND) list.append(findingItem(one));
  }
}

function follow() {
  const pause = document.getElementById("pause");
  let after = Number(place.dataset.after);
  let source = null;
  let waiting = 0;
  let paused = false;

  function take(event) {
    const news = JSON.parse(event.data);
    document.getElementById("messages").textContent = news.messages.toLocaleString("en");
    document.getElementById("errors").textContent = news.errors.toLocaleString("en");
    document.getElementById("missed").hidden = !news.missed;
    document.getElementById("missed-count").textContent = news.missed.toLocaleString("en");
    if (news.over) document.getElementById("state").textContent = `■ ended: ${news.over}`;
    addLateFindings(news.found);
    if (paused) {
      waiting += news.rows.length + news.skipped;
      statusLine.textContent = `Paused; ${waiting.toLocaleString("en")} more have passed.`;
    } else {
      appendRows(news.rows, news.skipped);
      after = Math.max(after, Number(event.lastEventId));
      statusLine.textContent = news.over ? "The traffic is over." : "Following.";
    }
    if (news.over) close();
  }

  function open() {
    const separator = place.dataset.events.includes("?") ? "&" : "?";
    source = new EventSource(`${place.dataset.events}${separator}after=${after}`);
    source.addEventListener("message", take);
    source.addEventListener("error", () => { statusLine.textContent = "The connection was lost; trying again."; });
  }

  function close() {
    if (source) source.close();
    source = null;
  }

  pause.addEventListener("click", () => {
    paused = !paused;
    pause.setAttribute("aria-pressed", String(paused));
    pause.textContent = paused ? "Go on" : "Pause";
    statusLine.textContent = paused ? "Paused." : "Following.";
    if (!paused) {
      waiting = 0;
      close();
      open();
    }
  });
  open();
}

async function asked(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

function fileRows(at) {
  const query = new URLSearchParams(new URL(place.dataset.rows, location.href).search);
  query.set("at", at);
  return asked(`${place.dataset.path}/rows?${query}`);
}

// A filter that found too little in one look goes on by itself, until the page is full.
async function searchOn() {
  const stop = document.getElementById("stop");
  const further = document.getElementById("further");
  let at = Number(place.dataset.further);
  let stopped = false;
  let scanned = 0;
  stop.addEventListener("click", () => { stopped = true; });
  stop.hidden = false;
  while (at && !stopped && rows.rows.length < 100) {
    const page = await fileRows(at);
    appendRows(page.rows, 0);
    scanned += page.scanned;
    at = page.after;
    statusLine.textContent = `Looking further: ${(scanned / 1e6).toFixed(0)} MB more were looked through.`;
  }
  stop.hidden = true;
  if (at) {
    const query = new URL(further.href);
    query.searchParams.set("at", at);
    further.href = query.href;
  } else {
    further.hidden = true;
  }
  const end = at ? "Stopped." : "That is all.";
  statusLine.textContent = `${rows.rows.length} found. ${end}`;
}

// Findings come when the file was checked: those of the rows that are shown are put beside them.
async function awaitFindings() {
  const first = rows.querySelector("tr[data-number]");
  let shown = document.getElementById("judged").textContent;
  for (;;) {
    const state = await asked(`${place.dataset.path}/state`);
    if (state.state !== shown) {
      shown = state.state;
      document.getElementById("judged").textContent = shown;
      const page = first ? await fileRows(first.dataset.number) : { rows: [] };
      for (const value of page.rows) {
        const row = document.getElementById(`message-${value.number}`);
        if (row) showFound(row, value.found);
      }
    }
    if (state.is_ready && state.is_judged) return;
    await new Promise((done) => { setTimeout(done, SECOND); });
  }
}

function quietly(work) {
  work.catch(() => { statusLine.textContent = "The pages are not served any more, or this page is too old; load it again."; });
}

if (place && place.dataset.events) follow();
if (place && Number(place.dataset.search) && Number(place.dataset.further) && rows.rows.length < 100) quietly(searchOn());
if (place && place.dataset.settled === "0") quietly(awaitFindings());
