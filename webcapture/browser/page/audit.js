// The list of files, their audits, and the report.
const badges = {
  clean: ["is-clean", "clean"],
  findings: ["", ""],
  none: ["is-none", "nothing to audit"],
  partial: ["is-partial", "checked in part"],
  error: ["is-error", "not audited"],
  timeout: ["is-error", "not audited"],
  skipped: ["is-partial", "skipped"],
};
const remedy = (path) => "; use the command line: webcap audit " + quoted(printable(path));

const auditor = (() => {
  let selected,
    running = 0,
    done = 0,
    total = 0;

  // A path stands for one file.
  function unique(path) {
    path = path.replaceAll("\0", "\uFFFD") || "unnamed";
    const taken = new Set(store.files.map((file) => file.path));
    let name = path;
    for (let n = 2; taken.has(name); n++) name = path.replace(/(\.[^./]*)?$/, ` (${n})$1`);
    return name;
  }

  function add(list) {
    const first = store.files.length === 0;
    for (const { path, blob, error } of list) {
      const file = { path: unique(path), blob, state: "waiting", error };
      file.row = rowOf(file);
      store.files.push(file);
      $("files").tBodies[0].append(file.row);
      run(file);
    }
    $("list").hidden = store.files.length < 2;
    if (first || list.length === 1) select(store.files[store.files.length - list.length]);
    captures.refresh();
  }

  // run audits a file, and says what came of it.
  async function run(file) {
    total++;
    running++;
    file.state = "waiting";
    paint(file);
    try {
      if (file.error) throw new CallError({ error: file.error });
      if (file.blob.size > limits.file)
        throw new CallError({ error: "larger than 512 MB, the limit of this page", stopped: "size" });
      const request = { op: "audit", path: file.path, passwords: store.passwords, out: "out/results" };
      const { answer, out } = await engine.call(request, [file], { phase: (what) => phase(file, what) });
      Object.assign(file, { state: "done", result: answer, record: new Blob([out]), failure: undefined });
    } catch (error) {
      file.state = "failed";
      file.record = undefined;
      file.failure = failureOf(file, error);
    }
    done++;
    running--;
    paint(file);
    progress();
    if (running === 0) {
      total = done = 0;
      if (store.files.length > 1 && !selected) whole();
    }
    if (file === selected) detail(file);
  }

  // failureOf returns the record of a file that the page could not audit.
  function failureOf(file, error) {
    const reason = error.message + (["memory", "size", "time"].includes(error.stopped) ? remedy(file.path) : "");
    const outcome = { time: "timeout", size: "skipped", cancel: "skipped" }[error.stopped] ?? "error";
    return { outcome, reason };
  }

  function phase(file, what) {
    if (file.state === "waiting") {
      file.state = "running";
      paint(file);
    }
    $("progress-text").textContent = `Auditing ${printable(file.path)}: ${what}`;
    $("progress").value = total ? done / total : 0;
  }

  function progress() {
    $("run").hidden = running === 0;
    $("cancel").hidden = running === 0;
    $("progress").value = total ? done / total : 0;
    if (running > 0) $("progress-text").textContent = `${done} of ${count(total, "file")} done`;
  }

  const outcomeOf = (file) => (file.state === "failed" ? file.failure.outcome : file.result?.outcome);

  function badgeOf(file) {
    if (file.state === "waiting" || file.state === "running")
      return element("span", { class: "badge is-none" }, file.state);
    if (file.result?.password) return element("span", { class: "badge warning" }, "needs a password");
    let [kind, text] = badges[outcomeOf(file)] ?? ["", outcomeOf(file)];
    if (outcomeOf(file) === "findings")
      [kind, text] = [
        file.result.worst,
        file.result.worst === "note" ? "clean, " + count(file.result.levels.note, "note") : file.result.worst + "s",
      ];
    if (file.failure?.reason.startsWith("canceled")) text = "canceled";
    return element("span", { class: "badge " + kind }, text);
  }

  function rowOf(file) {
    const cells = [
      element(
        "td",
        { class: "path" },
        button(printable(file.path), () => select(file, true), { class: "name" }),
        element("span", { class: "reason" }),
      ),
    ];
    for (const kind of ["", "n", "n", "n"]) cells.push(element("td", { class: kind }));
    return element("tr", {}, ...cells);
  }

  function paint(file) {
    const [name, result, ...levels] = file.row.cells;
    result.replaceChildren(badgeOf(file));
    name.lastChild.textContent =
      file.failure?.reason ?? (["error", "timeout"].includes(file.result?.outcome) ? file.result.result : "");
    for (const [i, level] of ["error", "warning", "note"].entries()) {
      const n = file.state === "done" ? file.result.levels[level] : undefined;
      levels[i].textContent = n ?? "";
      levels[i].className = "n" + (n && level !== "note" ? " " + level : "");
    }
    progress();
  }

  // reportOf has webcap write a report of files that are done.
  async function reportOf(list, format) {
    const records = list.filter((file) => file.record);
    const failed = list.filter((file) => file.failure).map((file) => ({ path: printable(file.path), ...file.failure }));
    const mounts = records.map((file, i) => ({ path: "results/" + i, blob: file.record }));
    const { out } = await engine.call(
      {
        op: "report",
        format,
        paths: mounts.map((m) => m.path),
        failed,
        partial: list.some((f) => f.state === "waiting"),
        out: "out/report",
      },
      mounts,
      { first: true },
    );
    return out;
  }

  function select(file, focus) {
    selected = file;
    for (const f of store.files) f.row.setAttribute("aria-current", f === file);
    detail(file, focus);
  }

  async function detail(file, focus) {
    const box = $("detail");
    box.hidden = false;
    const title = element("h2", { id: "detail-title", tabindex: "-1" }, printable(file.path), " ", badgeOf(file));
    const said =
      file.state === "done" && !file.result.password ? [file.result.result, file.result.verdict].filter(Boolean) : [];
    const body = element("div", { class: "cards" });
    box.replaceChildren(title, ...said.map((text) => element("p", { class: "said" }, text)), body);
    if (focus) title.focus();
    if (file.state === "waiting" || file.state === "running") {
      body.append(element("p", { class: "quiet" }, "This file is in the queue."));
      return;
    }
    if (file.result?.password) body.append(passwordForm(file));
    if (file.failure) {
      body.append(
        element(
          "div",
          { class: "card problem" },
          element("h3", {}, "Not audited"),
          element("p", {}, file.failure.reason),
          element(
            "div",
            { class: "row" },
            button("Try again", () => run(file)),
          ),
        ),
      );
      return;
    }
    const repair = element("div");
    const report = element("div");
    if (!file.result.password && file.result.outcome !== "error") body.append(repair);
    if (!file.result.password && file.result.outcome !== "error") keyList.show(file, body);
    body.append(report);
    if (body.contains(repair)) repairer.show(file, repair);
    try {
      const page = await reportOf([file], "html");
      if (selected === file) report.replaceChildren(frame("Report of " + printable(file.path), page));
    } catch (error) {
      report.replaceChildren(element("p", { class: "alert" }, "The report could not be made: " + error.message));
    }
  }

  async function whole() {
    selected = undefined;
    for (const f of store.files) f.row.setAttribute("aria-current", "false");
    const box = $("detail");
    box.hidden = false;
    const title = element(
      "h2",
      { id: "detail-title", tabindex: "-1" },
      "Report of " + count(store.files.length, "file"),
    );
    box.replaceChildren(title);
    try {
      const page = await reportOf(store.files, "html");
      if (!selected) box.replaceChildren(title, element("div", { class: "cards" }, frame("Report of all files", page)));
    } catch (error) {
      box.replaceChildren(title, element("p", { class: "alert" }, "The report could not be made: " + error.message));
    }
  }

  function passwordForm(file) {
    const input = element("input", { type: "password", autocomplete: "off", id: "password" });
    const tried = file.triedPassword
      ? element("p", { role: "alert" }, "This password does not open the file.")
      : undefined;
    const form = element(
      "form",
      { class: "card problem" },
      element("h3", {}, "This file is encrypted"),
      tried,
      element("label", { for: "password" }, "Password of a user or the owner"),
      input,
      element("div", { class: "row" }, element("button", { class: "primary", type: "submit" }, "Open")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!input.value) return;
      store.passwords = [input.value, ...store.passwords.filter((p) => p !== input.value)].slice(0, 16);
      file.triedPassword = true;
      run(file);
    });
    setTimeout(() => input.focus());
    return form;
  }

  $("cancel").addEventListener("click", () => engine.cancel());
  $("whole").addEventListener("click", whole);
  $("clear").addEventListener("click", () => {
    engine.cancel();
    store.files = [];
    selected = undefined;
    $("files").tBodies[0].replaceChildren();
    $("detail").hidden = $("list").hidden = true;
    notice("");
    show(tab);
    $("choose").focus();
  });
  $("save-results").addEventListener("click", async () => {
    const format = $("format").value;
    try {
      download(await reportOf(store.files, format), "webcap-results." + (extensions[format] ?? format));
    } catch (error) {
      notice("The results could not be written: " + error.message);
    }
  });
  return { add, run, reportOf };
})();

const extensions = {
  table: "txt",
  markdown: "md",
  junit: "junit.xml",
};

// Browsers compile parts of the program when they first run. warmUp runs them before the user has chosen a file.
async function warmUp() {
  const { out } = await engine.call({ op: "audit", path: sample.path, out: "out/results" }, [sample]);
  if (store.files.length === 0)
    await engine.call({ op: "report", format: "html", paths: ["results"], out: "out/report" }, [
      { path: "results", blob: new Blob([out]) },
    ]);
  if (store.files.length === 0) await engine.call({ op: "plan", path: sample.path }, [sample]);
}

engine
  .call({ op: "about" })
  .then(({ answer }) => {
    store.version = answer.version;
    store.rules = new Map(answer.rules.map((rule) => [rule.id, rule]));
    for (const { name, doc } of answer.formats)
      $("format").append(new Option(name, name, name === "html", name === "html"));
    for (const name of answer.captures)
      $("captures-format").append(new Option(name, name, name === "csv", name === "csv"));
    return warmUp();
  })
  .catch(() => {}); // the page says why
