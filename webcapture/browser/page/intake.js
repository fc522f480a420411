// Files that the user drops or chooses, and the tabs.
const store = { files: [], passwords: [], rules: new Map(), version: "" };
const tabs = [...document.querySelectorAll("[role=tab]")];
let tab = "audit";

function show(name, focus) {
  tab = name;
  for (const t of tabs) {
    const on = t.id === "tab-" + name;
    t.setAttribute("aria-selected", on);
    t.tabIndex = on ? 0 : -1;
    $(t.getAttribute("aria-controls")).hidden = !on;
    if (on && focus) t.focus();
  }
  const words = {
    audit: [
      "Check and repair web captures",
      "Drop PDF files that were made from web pages, and see whether viewers still find what was captured. Your files stay on this computer.",
    ],
    captures: [
      "What was captured",
      "Drop PDF files that were made from web pages, and see which pages and images they hold, and from when. Your files stay on this computer.",
    ],
  }[name];
  [$("title").textContent, $("lead").textContent] = words;
  document.body.classList.toggle("used", store.files.length > 0);
  if (name === "captures") captures.refresh();
}

for (const [i, t] of tabs.entries()) {
  t.addEventListener("click", () => show(t.getAttribute("aria-controls")));
  t.addEventListener("keydown", (event) => {
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(tabs[to % tabs.length].getAttribute("aria-controls"), true);
  });
}

function notice(text) {
  $("notice").textContent = text;
  $("notice").hidden = !text;
}

// take takes files: [{ path, blob }]. Of a folder it takes PDF files.
function take(list, skipped = 0) {
  const left = skipped ? count(skipped, "file") + " in folders skipped: the name does not end in .pdf." : "";
  notice(list.length === 0 ? left || "There are no files in it." : left);
  if (list.length === 0) return;
  auditor.add(list);
  document.body.classList.add("used");
}

const isPDF = (name) => /\.pdf$/i.test(name);

// entriesOf yields the files of what was dropped, with their paths.
async function entriesOf(entry, path, out) {
  if (entry.isFile) {
    if (path !== entry.name && !isPDF(entry.name)) out.skipped++;
    else out.list.push({ path, blob: await new Promise((resolve, reject) => entry.file(resolve, reject)) });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // of a hundred entries at most
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return;
    for (const e of part) await entriesOf(e, path + "/" + e.name, out);
  }
}

async function dropped(data) {
  const out = { list: [], skipped: 0 };
  const items = [...data.items]
    .filter((item) => item.kind === "file")
    .map((item) => ({ entry: item.webkitGetAsEntry?.(), file: item.getAsFile() }));
  for (const { entry, file } of items) {
    try {
      if (entry) await entriesOf(entry, entry.name, out);
      else if (file) out.list.push({ path: file.name, blob: file });
    } catch (error) {
      out.list.push({ path: entry?.name ?? file.name, blob: new Blob(), error: "cannot be read: " + error.message });
    }
  }
  take(out.list, out.skipped);
}

let depth = 0; // of elements that a drag has entered
const over = (on) => document.body.classList.toggle("over", on);
addEventListener("dragenter", (event) => {
  event.preventDefault();
  over(++depth > 0);
});
addEventListener("dragleave", () => over((depth = Math.max(0, depth - 1)) > 0));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  over((depth = 0) > 0);
  dropped(event.dataTransfer);
});

$("choose").addEventListener("click", () => $("file-input").click());
$("choose-folder").addEventListener("click", () => $("folder-input").click());
$("file-input").addEventListener("change", ({ target }) => {
  take([...target.files].map((file) => ({ path: file.name, blob: file })));
  target.value = "";
});
$("folder-input").addEventListener("change", ({ target }) => {
  const all = [...target.files].map((file) => ({ path: file.webkitRelativePath || file.name, blob: file }));
  const list = all.filter(({ path }) => isPDF(path));
  take(list, all.length - list.length);
  target.value = "";
});
const sample = {
  path: "sample.pdf",
  blob: new Blob([Uint8Array.from(atob($("sample-file").textContent), (c) => c.charCodeAt(0))]),
};
$("sample").addEventListener("click", () => take([{ ...sample }]));

const themeLabel = () => {
  $("theme").textContent = isDark() ? "Light theme" : "Dark theme";
};
themeLabel();
$("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  themeLabel();
  for (const f of document.querySelectorAll("iframe"))
    f.srcdoc = f.srcdoc.replace(/data-theme="[a-z]+"/, `data-theme="${isDark() ? "dark" : "light"}"`);
});
document.addEventListener("engine-failed", ({ detail }) => notice(detail));
