// The filter of findings, the buttons that copy commands, and links in frames.
"use strict";
(() => {
  document.documentElement.classList.add("js");

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const code = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch { // a page that may not: the reader copies what is selected
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
  });

  // In a frame without an address of its own, a link to a part of the page would leave the page.
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    const part = link && document.getElementById(link.getAttribute("href").slice(1));
    if (!part || location.protocol !== "about:") return;
    event.preventDefault();
    part.scrollIntoView();
  });

  // Shows the rows that have all words, in groups of the levels, and the files that have such rows.
  const form = document.getElementById("filter");
  const search = form.querySelector("input[type=search]");
  const lower = new WeakMap(); // texts of elements in lower case
  const textOf = (element) => {
    if (!lower.has(element)) lower.set(element, element.textContent.toLowerCase());
    return lower.get(element);
  };
  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const boxes = [...form.querySelectorAll("input[type=checkbox]")];
    const levels = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const all = words.length === 0 && levels.size === boxes.length;
    let rows = 0;
    for (const file of document.querySelectorAll("article.file")) {
      const path = textOf(file.querySelector("h3"));
      let inFile = 0;
      for (const group of file.querySelectorAll("details.group")) {
        const head = path + "\n" + textOf(group.querySelector("summary")) + "\n";
        let inGroup = 0;
        for (const row of group.querySelectorAll("tbody tr")) {
          row.hidden = !words.every((word) => (head + textOf(row)).includes(word));
          if (!row.hidden) inGroup++;
        }
        group.hidden = inGroup === 0 || !levels.has(group.dataset.level);
        if (group.hidden) continue;
        if (words.length > 0) group.open = true;
        inFile += inGroup;
      }
      file.hidden = !all && inFile === 0;
      rows += inFile;
    }
    form.querySelector("[role=status]").textContent = all ? "" : rows.toLocaleString("en-US") + (rows === 1 ? " finding" : " findings");
  }
  let later;
  form.addEventListener("input", () => {
    clearTimeout(later);
    later = setTimeout(filter, 100);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
})();
