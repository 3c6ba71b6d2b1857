"use strict";
// The slash leads to the search, as in the report.

document.addEventListener("keydown", (event) => {
  const isTyping = document.activeElement.matches("input, select, textarea");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.getElementById("search").focus();
});
