// The table of runs: its newest end first, cells in words, and a way through it by arrow keys.

const KEYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

class Timeline {
  constructor(table) {
    this.table = table;
    this.readout = table.parentElement.previousElementSibling;
    this.readout.hidden = false;
    this.links = [...table.querySelectorAll("a")];
    for (const link of this.links) {
      link.tabIndex = -1;
      if (link.closest("td")) link.setAttribute("aria-label", this.words(link));
    }
    table.setAttribute("role", "grid");
    this.entry = this.links.find((one) => one.closest("tbody td"));
    if (this.entry) this.entry.tabIndex = 0;
    table.parentElement.scrollLeft = table.parentElement.scrollWidth;
    table.addEventListener("keydown", (event) => this.move(event));
    table.addEventListener("focusin", (event) => this.enter(event.target));
    table.addEventListener("pointerover", (event) => this.tell(event.target.closest("a")));
  }

  /** What a cell says, together with its row and its column. */
  words(link) {
    const cell = link.closest("td");
    const run = this.table.tHead.rows[0].cells[cell.cellIndex].firstChild.getAttribute("aria-label");
    return `${cell.parentElement.cells[0].textContent}, ${run}: ${link.textContent}`;
  }

  tell(link) {
    if (link) this.readout.textContent = link.getAttribute("aria-label") || link.textContent;
  }

  /** One link of the table is on the way of the Tab key: the one that was used last. */
  enter(link) {
    this.entry.tabIndex = -1;
    this.entry = link;
    link.tabIndex = 0;
    this.tell(link);
  }

  move(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const cell = event.target.closest("td, th");
    const rows = [...this.table.rows];
    const target = event.key in KEYS
      ? this.next(rows, rows.indexOf(cell.parentElement), cell.cellIndex, KEYS[event.key])
      : this.end(cell.parentElement, event.key);
    if (!target) return;
    event.preventDefault();
    target.focus();
  }

  /** The next link in a direction; cells without one are passed over. */
  next(rows, row, column, [down, right]) {
    do {
      row += down;
      column += right;
      const link = rows[row]?.cells[column]?.querySelector("a");
      if (link) return link;
    } while (rows[row] && column >= 0 && column <= rows[0].cells.length);
    return null;
  }

  end(row, key) {
    const links = [...row.querySelectorAll("td a")];
    if (key === "Home") return links[0];
    return key === "End" ? links.at(-1) : null;
  }
}

for (const table of document.querySelectorAll("table.timeline")) new Timeline(table);
