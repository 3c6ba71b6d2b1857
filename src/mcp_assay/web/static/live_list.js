// The list of live runs: what becomes of each, and the page anew where another was started.
"use strict";
(() => {
  const SECOND = 1000;
  const rows = new Map([...document.querySelectorAll("#states [data-run]")].map((row) => [Number(row.dataset.run), row]));
  const isOver = (row) => row.querySelector("[data-outcome]").dataset.outcome !== "";

  const show = (row, run) => {
    const state = row.querySelector("[data-outcome]");
    if (state.textContent !== run.state) state.textContent = run.state;
    state.dataset.outcome = run.outcome;
    if (!run.recorded) return;
    const report = row.querySelector("td:last-child a");
    report.href = `/runs/${Number(run.recorded)}`;
    report.textContent = `run ${run.recorded}`;
    report.hidden = false;
  };
  const look = async () => {
    while (![...rows.values()].every(isOver)) {
      await new Promise((done) => { setTimeout(done, SECOND); });
      const response = await fetch("/live/state");
      if (!response.ok) return;
      const runs = await response.json();
      if (runs[0]?.number !== Math.max(...rows.keys())) return location.reload();
      for (const run of runs) if (rows.has(run.number)) show(rows.get(run.number), run);
    }
  };
  look().catch(() => {});
})();
