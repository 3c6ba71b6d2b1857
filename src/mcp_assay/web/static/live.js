// Follows one run: shows each note that comes, as text, in the place that the page has for it.
"use strict";
(() => {
  const live = document.getElementById("live");
  if (!live || "over" in live.dataset) return;
  const byId = (id) => document.getElementById(id);
  const TONES = ["good", "bad", "warn", "unsure"];
  const SEVERITIES = ["error", "warning", "info"];

  const fill = (place, note) => {
    const fields = place.matches("[data-field]") ? [place] : place.querySelectorAll("[data-field]");
    for (const field of fields) {
      const text = note[field.dataset.field];
      if (text !== undefined) field.textContent = text;
    }
  };
  const paint = (row, mark, names, name) => {
    const place = row.querySelector(mark);
    place.classList.remove(...names);
    if (names.includes(name)) place.classList.add(name);
  };
  const insert = (list, row, number) => {
    let before = list.lastElementChild;
    while (before && Number(before.dataset.row.split(" ")[1]) > number) {
      before = before.previousElementSibling;
    }
    list.insertBefore(row, before ? before.nextElementSibling : list.firstElementChild);
  };
  const rowOf = (kind, note) => {
    const list = byId(`${kind}s`);
    const name = `${kind} ${Number(note.row)}`;
    let row = list.querySelector(`[data-row="${name}"]`);
    if (!row) {
      row = byId(`${kind}-row`).content.firstElementChild.cloneNode(true);
      row.dataset.row = name;
      insert(list, row, note.row);
    }
    fill(row, note);
    return row;
  };

  const SHOW = {
    server: (note) => fill(byId("server"), note),
    phase: (note) => {
      fill(byId("phase"), note);
      for (const step of document.querySelectorAll("[data-phase]")) {
        if (step.dataset.phase === note.phase) step.setAttribute("aria-current", "step");
        else step.removeAttribute("aria-current");
      }
    },
    counts: (note) => {
      fill(byId("counts"), note);
      byId("more-tools").textContent = note.tools;
      byId("more-findings").textContent = note.findings;
      byId("unread").textContent = note.unread;
    },
    tool: (note) => paint(rowOf("tool", note), "[data-tone]", TONES, note.tone),
    finding: (note) => paint(rowOf("finding", note), "[data-severity]", SEVERITIES, note.severity),
    withdrawn: (note) => {
      const row = byId("findings").querySelector(`[data-row="finding ${Number(note.row)}"]`);
      if (row) row.remove();
    },
    stopping: () => {
      byId("stopping").hidden = false;
      byId("stop").disabled = true;
    },
    end: (note) => {
      source.close();
      fill(byId("end"), note);
      byId("end").querySelector("[data-outcome]").dataset.outcome = note.outcome;
      byId("recorded").hidden = !note.run;
      byId("recorded").querySelector("a").href = `/runs/${Number(note.run)}`;
      byId("complaint").hidden = !note.complaint;
      byId("end").hidden = false;
      byId("under-way").hidden = true;
      document.querySelector(".phases").hidden = true;
      byId("connection").textContent = "";
    },
  };

  const source = new EventSource(live.dataset.events);
  for (const [kind, show] of Object.entries(SHOW)) {
    source.addEventListener(kind, (event) => show(JSON.parse(event.data)));
  }
  source.addEventListener("open", () => { byId("connection").textContent = ""; });
  source.addEventListener("error", () => {
    const isOver = source.readyState === EventSource.CLOSED;
    byId("connection").textContent = isOver
      ? "The connection is closed: load this page again."
      : "The connection was lost; trying again.";
  });
})();
