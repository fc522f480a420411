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
    for (const [name, rule, place, message, fix, proof, about, position] of file.findings)
      rows.push({ name, rule: rules.get(rule), place, message, fix, proof, about, position, file });

  // What the list shows replaces the tables; paper gets those. An id belongs to one element.
  for (const row of document.querySelectorAll(".plain [id]")) row.removeAttribute("id");
  document.documentElement.classList.add("js");

  const theme = $("theme");
  const dark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const label = () => { theme.textContent = dark() ? "Light theme" : "Dark theme"; }; // after what a click does
  const kept = (...value) => { // null where a page may keep nothing
    try {
      return value.length ? localStorage.setItem("webcap-theme", value[0]) : localStorage.getItem("webcap-theme");
    } catch { return null; }
  };
  if (["dark", "light"].includes(kept())) document.documentElement.dataset.theme = kept();
  label();
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    kept(document.documentElement.dataset.theme);
    label();
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
  choices.proof.parentElement.hidden = !rows.some((row) => row.proof) && !document.querySelector("tr[data-proof]");
  $("findings").hidden = false;

  const mostOpen = 20; // rows that an address names: what a mail or a chat takes for a link
  const opened = new Set(); // names of the rows that are open, on other pages too
  const someShown = 3; // findings of one rule in one file, where nothing is asked for: they are much alike
  let shown = rows;
  let matching = rows.length;
  let page = 0;

  const hay = (row) => (row.hay ??= [row.rule.id, row.rule.title, row.place, row.message, row.fix, row.about, row.position, row.file.path].join("\n").toLowerCase());

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
          (order.value === "level" && (weight[a.rule.level] - weight[b.rule.level] || b.rule.count - a.rule.count)) || (a.rule.id < b.rule.id ? -1 : a.rule.id > b.rule.id ? 1 : 0),
      );
    matching = shown.length;
    for (const row of rows) row.more = 0;
    if (order.value === "level" && words.length === 0 && !rule.value) shown = shorten(shown);
    for (const row of document.querySelectorAll("tr[data-proof]")) row.hidden = proof.value !== "" && row.dataset.proof !== proof.value;
    remember();
    show(0);
  }

  // Of each rule in each file the first rows, the last of which knows how many more there are.
  function shorten(list) {
    const groups = new Map();
    return list.filter((row) => {
      const name = row.rule.id + " " + row.file.number;
      const group = groups.get(name) ?? { n: 0 };
      groups.set(name, group);
      if (++group.n > someShown) {
        group.last.more++;
        return false;
      }
      group.last = row;
      return true;
    });
  }

  // In a frame without an address, the browser resolves "#findings" against the page around it, so name the whole address.
  const setAddress = (hash) => history.replaceState(null, "", location.href.split("#", 1)[0] + hash);

  // The address has the filters and the rows that are open, so that a link to it shows what its author saw.
  function remember() {
    const asked = new URLSearchParams();
    if (search.value) asked.set("q", search.value);
    const off = levels.filter((box) => !box.checked).map((box) => box.value);
    if (off.length > 0) asked.set("without", off.join());
    for (const [name, choice] of Object.entries(choices)) if (choice.value && choice !== choices.order) asked.set(name, choice.value);
    if (choices.order.value !== "level") asked.set("order", choices.order.value);
    if (opened.size > 0) asked.set("open", [...opened].slice(-mostOpen).join());
    const old = location.hash;
    if (asked.size > 0) setAddress("#findings?" + asked);
    else if (old.startsWith("#findings?")) setAddress("#findings");
  }

  // What the address asks for; false if it asks for no filter.
  function recall() {
    if (!location.hash.startsWith("#findings?")) return false;
    const asked = new URLSearchParams(location.hash.slice("#findings?".length));
    search.value = asked.get("q") ?? "";
    const off = (asked.get("without") ?? "").split(",");
    for (const box of levels) box.checked = !off.includes(box.value);
    for (const [name, choice] of Object.entries(choices)) {
      choice.value = asked.get(name) ?? (name === "order" ? "level" : "");
      if (choice.selectedIndex < 0) choice.selectedIndex = 0; // nothing that there is
    }
    opened.clear();
    for (const name of (asked.get("open") ?? "").split(",").slice(0, mostOpen)) if (named(name)) opened.add(name);
    filter();
    const first = shown.findIndex((row) => opened.has(row.name));
    if (first >= 0) show(Math.floor(first / perPage));
    $("findings").scrollIntoView();
    return true;
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
    list.replaceChildren(...shown.slice(page * perPage, (page + 1) * perPage).flatMap((row) => (row.more > 0 ? [item(row), more(row)] : [item(row)])));
    if (shown.length === 0) list.append(element("li", "empty", "No finding is like that."));
    const findings = number(rows.length) + (rows.length === 1 ? " finding" : " findings");
    $("status").textContent = (matching < rows.length ? number(matching) + " of " : "") + findings;
    $("page").textContent = "page " + number(page + 1) + " of " + number(last + 1);
    $("pager").hidden = last === 0;
    $("previous").disabled = page === 0;
    $("next").disabled = page === last;
  }

  // A long string in hexadecimal is known by its beginning and its end; the opened row has all of it.
  const short = (message) => message.replace(/<([0-9a-f]{8})[0-9a-f]{8,}([0-9a-f]{4})>/g, "<$1…$2>");

  // What is known by its URL is said to be wrong in words, and where.
  const where = (row) => [...(row.about ? [row.rule.title] : []), row.file.path, row.position || row.place].join(" · ");

  function item(row) {
    const summary = element(
      "summary",
      "",
      element("span", "badge " + row.rule.level, row.rule.level),
      element("code", "", row.rule.id),
      element("span", "text", element("span", "message", row.about || short(row.message)), element("span", "where", where(row))),
    );
    const details = element("details", "", summary);
    const fill = () => details.childElementCount > 1 || details.append(body(row));
    if (opened.has(row.name)) {
      fill();
      details.open = true;
    }
    details.addEventListener("toggle", () => {
      if (details.open) fill();
      if (details.open === opened.has(row.name)) return;
      if (details.open) opened.add(row.name);
      else opened.delete(row.name);
      remember();
    });
    const li = element("li", "", details);
    li.id = row.name;
    return li;
  }

  function more(row) {
    const a = element("a", "", "… and " + number(row.more) + " more of " + row.rule.id + " in this file: " + row.rule.title);
    a.href = "#findings";
    a.dataset.rule = row.rule.id;
    a.dataset.file = row.file.number;
    return element("li", "others", a);
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
    fact("What is there", row.message);
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

  let byName;
  function named(name) {
    byName ??= new Map(rows.map((row) => [row.name, row]));
    return byName.get(name);
  }

  // The finding that the address names is opened, wherever it is in the list.
  function reveal(name) {
    const row = named(name);
    if (!row) return false;
    if (!shown.includes(row)) all();
    if (!shown.includes(row)) {
      choices.rule.value = row.rule.id;
      choices.file.value = String(row.file.number);
      filter();
    }
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
    const a = event.target.closest("a[href^='#'], a[data-rule], a[data-file], a[data-level]");
    if (!a) return;
    const { rule, file, level } = a.dataset;
    if (rule || file || level) {
      all();
      if (level) for (const box of levels) box.checked = box.value === level;
      if (rule) choices.rule.value = rule;
      if (file) choices.file.value = file;
      filter();
      $("findings").scrollIntoView();
      list.querySelector("summary")?.focus({ preventScroll: true });
      event.preventDefault();
    } else if (a.getAttribute("href") === location.hash && reveal(address())) {
      event.preventDefault();
    } else if (location.protocol === "about:") { // see setAddress
      location.hash = a.getAttribute("href");
      event.preventDefault();
    }
  });
  addEventListener("hashchange", () => recall() || reveal(address()));

  const asked = location.hash;
  filter();
  addEventListener("load", () => {
    if (asked.startsWith("#findings?")) setAddress(asked);
    recall() || reveal(address());
  }); // the browser itself goes to the address before that
})();
