// The list of findings: search, filters, order and pages over the data at the end
// of the page. Text from files gets in by textContent alone.
"use strict";
(() => {
  const perPage = 50;
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const rules = new Map(data.rules.map((rule) => [rule.id, rule]));
  const weight = { error: 0, warning: 1, note: 2 };
  const rows = [];
  for (const file of data.files)
    for (const [name, rule, place, message, fix, proof] of file.findings)
      rows.push({ name, rule: rules.get(rule), place, message, fix, proof, file });

  // What the list shows replaces the tables; paper gets those. An id belongs to one element.
  for (const row of document.querySelectorAll(".plain [id]")) row.removeAttribute("id");
  document.documentElement.classList.add("js");

  const theme = $("theme");
  const dark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const named = () => { theme.textContent = dark() ? "Light" : "Dark"; }; // after what a click does
  const kept = (...value) => { // null where a page may keep nothing
    try {
      return value.length ? localStorage.setItem("webcap-theme", value[0]) : localStorage.getItem("webcap-theme");
    } catch { return null; }
  };
  if (["dark", "light"].includes(kept())) document.documentElement.dataset.theme = kept();
  named();
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    kept(document.documentElement.dataset.theme);
    named();
  });

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
  if (rows.length === 0) {
    document.querySelector('nav a[href="#findings"]').remove();
    return;
  }

  const list = $("list");
  const search = $("search");
  const levels = [...document.querySelectorAll("input[name=level]")];
  const choices = { rule: $("rule"), file: $("file"), proof: $("proof"), order: $("order") };
  const option = (select, value, text) => select.append(new Option(text, value));
  for (const rule of data.rules) option(choices.rule, rule.id, rule.id + " " + rule.title);
  for (const file of data.files) option(choices.file, String(file.number), file.path);
  choices.proof.parentElement.hidden = !rows.some((row) => row.proof) && !document.querySelector(".set[data-proof]:not([data-proof=''])");
  $("findings").hidden = false;

  let shown = rows;
  let page = 0;

  const hay = (row) => (row.hay ??= [row.rule.id, row.rule.title, row.place, row.message, row.fix, row.file.path].join("\n").toLowerCase());

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const on = new Set(levels.filter((box) => box.checked).map((box) => box.value));
    const { rule, file, proof, order } = choices;
    shown = rows.filter(
      (row) =>
        on.has(row.rule.level) &&
        (!rule.value || row.rule.id === rule.value) &&
        (!file.value || String(row.file.number) === file.value) &&
        (!proof.value || row.proof === proof.value) &&
        words.every((word) => hay(row).includes(word)),
    );
    if (order.value !== "file")
      shown.sort(
        (a, b) =>
          (order.value === "level" && weight[a.rule.level] - weight[b.rule.level]) || (a.rule.id < b.rule.id ? -1 : a.rule.id > b.rule.id ? 1 : 0),
      );
    for (const set of document.querySelectorAll(".set")) set.hidden = proof.value !== "" && set.dataset.proof !== proof.value;
    show(0);
  }

  const number = (n) => n.toLocaleString("en-US");
  const element = (tag, name, ...content) => {
    const e = document.createElement(tag);
    if (name) e.className = name;
    e.append(...content);
    return e;
  };

  function show(to) {
    const last = Math.max(0, Math.ceil(shown.length / perPage) - 1);
    page = Math.min(Math.max(to, 0), last);
    list.replaceChildren(...shown.slice(page * perPage, (page + 1) * perPage).map(item));
    if (shown.length === 0) list.append(element("li", "empty", "No finding is like that."));
    $("status").textContent = shown.length === rows.length ? number(rows.length) + " findings" : number(shown.length) + " of " + number(rows.length) + " findings";
    $("page").textContent = "page " + number(page + 1) + " of " + number(last + 1);
    $("pager").hidden = last === 0;
    $("previous").disabled = page === 0;
    $("next").disabled = page === last;
  }

  function item(row) {
    const summary = element(
      "summary",
      "",
      element("span", "badge " + row.rule.level, row.rule.level),
      element("code", "", row.rule.id),
      element("span", "text", element("span", "message", row.message), element("span", "where", row.file.path + " · " + row.place)),
    );
    const details = element("details", "", summary);
    details.addEventListener("toggle", () => details.childElementCount > 1 || details.append(body(row)));
    const li = element("li", "", details);
    li.id = row.name;
    return li;
  }

  function body(row) {
    const facts = element("dl", "");
    const fact = (name, ...value) => facts.append(element("dt", "", name), element("dd", "", ...value));
    const link = (to, text) => {
      const a = element("a", "", text);
      a.href = "#" + to;
      return a;
    };
    fact("File", row.file.section ? link("file-" + row.file.number, row.file.path) : row.file.path);
    fact("Place", row.place);
    if (row.fix) fact("Repair", row.fix);
    if (row.proof) fact("Identifier", row.proof);
    fact("Link", link(row.name, "to this finding"));
    const div = element("div", "body", facts, element("p", "", element("strong", "", row.rule.title)));
    if (row.rule.doc) div.append(element("p", "", row.rule.doc));
    if (row.rule.repair) div.append(element("p", "", element("strong", "", "Repair. "), row.rule.repair));
    div.append(element("p", "quiet", row.rule.clause));
    return div;
  }

  function all() {
    search.value = "";
    for (const box of levels) box.checked = true;
    for (const name of ["rule", "file", "proof"]) choices[name].value = "";
    filter();
  }

  // The finding that the address names is opened, wherever it is in the list.
  let byName;
  function reveal(name) {
    byName ??= new Map(rows.map((row) => [row.name, row]));
    const row = byName.get(name);
    if (!row) return false;
    if (!shown.includes(row)) all();
    show(Math.floor(shown.indexOf(row) / perPage));
    const details = $(name).firstElementChild;
    details.open = true;
    details.firstElementChild.focus({ preventScroll: true });
    details.scrollIntoView({ block: "center" });
    return true;
  }
  const address = () => location.hash.slice(1);

  function move(by) {
    const heads = [...list.querySelectorAll("summary")];
    const at = heads.indexOf(document.activeElement);
    let to = at < 0 ? (by > 0 ? 0 : heads.length - 1) : at + by;
    if (to >= heads.length && !$("next").disabled) return turn(1, 0);
    if (to < 0 && !$("previous").disabled) return turn(-1, perPage - 1);
    to = Math.min(Math.max(to, 0), heads.length - 1);
    heads[to]?.focus();
  }

  function turn(by, focus) {
    show(page + by);
    list.querySelectorAll("summary")[focus]?.focus();
  }

  let later;
  search.addEventListener("input", () => {
    clearTimeout(later);
    later = setTimeout(filter, 100);
  });
  for (const control of [...levels, ...Object.values(choices)]) control.addEventListener("change", filter);
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  $("reset").addEventListener("click", all);
  $("previous").addEventListener("click", () => turn(-1, 0));
  $("next").addEventListener("click", () => turn(1, 0));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest("input[type=search], select");
    const inList = list.contains(event.target) || event.target === search;
    if (event.key === "Escape") all();
    else if (event.key === "ArrowDown" && inList) move(1);
    else if (event.key === "ArrowUp" && inList) move(-1);
    else if (typing) return;
    else if (event.key === "/") search.focus();
    else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "]") $("next").disabled || turn(1, 0);
    else if (event.key === "[") $("previous").disabled || turn(-1, 0);
    else return;
    event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const a = event.target.closest("a[href^='#'], a[data-rule], a[data-file]");
    if (!a) return;
    const { rule, file } = a.dataset;
    if (rule || file) {
      all();
      if (rule) choices.rule.value = rule;
      if (file) choices.file.value = file;
      filter();
      $("findings").scrollIntoView();
      list.querySelector("summary")?.focus({ preventScroll: true });
      event.preventDefault();
    } else if (a.getAttribute("href") === location.hash && reveal(address())) {
      event.preventDefault();
    }
  });
  addEventListener("hashchange", () => reveal(address()));

  filter();
  addEventListener("load", () => reveal(address())); // the browser itself goes to the address before that
})();
