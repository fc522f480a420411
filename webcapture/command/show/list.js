// The filter of rows. It hides rows, and files without rows that are left.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const rows = [...document.querySelectorAll("tr[data-kind]")];
  if (rows.length < 2) return;
  const files = [...document.querySelectorAll(".captures")];
  const inputs = [$("search"), $("kind")];
  function filter() {
    const [text, kind] = inputs.map((input) => input.value.toLowerCase());
    const words = text.split(/\s+/).filter(Boolean);
    let n = 0;
    for (const row of rows) {
      const hay = (row.hay ??= row.textContent.toLowerCase());
      const isShown = (!kind || row.dataset.kind === kind) && words.every((word) => hay.includes(word));
      row.hidden = !isShown;
      n += isShown;
    }
    const all = !kind && words.length === 0;
    for (const file of files) file.hidden = !all && !file.querySelector("tr[data-kind]:not([hidden])");
    $("matching").textContent = all ? "" : n + " of " + rows.length + " rows";
  }
  for (const input of inputs) input.addEventListener("input", filter);
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("filters").hidden = false;
  filter();
})();
