// What was captured.
const captures = (() => {
  let shown = ""; // the files that are shown

  const ready = () => store.files.filter((file) => file.state === "done" && file.result.outcome !== "error");

  function list(format) {
    const list = ready();
    return engine.call(
      { op: "captures", format, paths: list.map((f) => f.path), passwords: store.passwords, out: "out/captures" },
      list,
      { first: true },
    );
  }

  async function refresh() {
    if (tab !== "captures") return;
    $("captures-body").hidden = store.files.length === 0;
    const waiting = store.files.filter((file) => file.state === "waiting" || file.state === "running").length;
    const now = ready()
      .map((file) => file.path)
      .join("\0");
    $("captures-state").textContent = waiting ? `${count(waiting, "file")} still in the queue` : "";
    if (waiting) setTimeout(refresh, 300);
    if (now === shown || store.files.length === 0) return;
    shown = now;
    if (!now) {
      $("captures-frame").replaceChildren();
      return;
    }
    try {
      const { out } = await list("html");
      if (shown === now) $("captures-frame").replaceChildren(frame("What was captured", out));
    } catch (error) {
      $("captures-frame").replaceChildren(element("p", { class: "alert" }, error.message));
    }
  }

  async function look(event) {
    event.preventDefault();
    const list = ready();
    const query = $("query").value.trim();
    if (!query || list.length === 0) return;
    const call = (format) =>
      engine.call(
        { op: "find", query, format, paths: list.map((f) => f.path), passwords: store.passwords, out: "out/found" },
        list,
        { first: true },
      );
    $("found").replaceChildren(element("p", { role: "status" }, "Searching…"));
    try {
      const { out } = await call("json");
      const doc = JSON.parse(new TextDecoder().decode(out));
      $("found").replaceChildren(
        ...foundOf(doc),
        element(
          "div",
          { class: "row" },
          ...["csv", "json", "ndjson", "table"].map((format) =>
            button("Download " + format, async () =>
              download((await call(format)).out, "webcap-found." + (extensions[format] ?? format)),
            ),
          ),
        ),
      );
    } catch (error) {
      $("found").replaceChildren(element("p", { class: "alert", role: "alert" }, error.message));
    }
  }

  const answers = {
    found: ["is-clean", "found"],
    missed: ["error", "missed by viewers"],
    "other capture": ["warning", "other capture"],
    redirected: ["warning", "redirected"],
    "other form": ["warning", "other form"],
  };
  function foundOf(doc) {
    const rows = doc.files.flatMap((file) => (file.matches ?? []).map((match) => ({ file, match })));
    const bad = doc.files
      .filter((file) => file.reason)
      .map((file) => element("p", { class: "alert" }, file.path + ": " + file.reason));
    if (rows.length === 0)
      return [
        element("p", {}, element("strong", {}, "Not found. "), "No file has a capture of it, in any form."),
        ...bad,
      ];
    const body = rows.map(({ file, match }) => {
      const [kind, text] = answers[match.answer] ?? ["", match.answer];
      const c = match.capture;
      return element(
        "tr",
        {},
        element("td", {}, element("span", { class: "badge " + kind }, text)),
        element("td", {}, keyText(c.url)),
        element("td", {}, c.captured?.time ?? c.captured ?? ""),
        element("td", {}, pagesOf(c)),
        element("td", {}, file.path),
      );
    });
    return [
      element(
        "div",
        { class: "panel" },
        element(
          "table",
          {},
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              ...["Answer", "URL", "Captured", "Pages", "File"].map((t) => element("th", { scope: "col" }, t)),
            ),
          ),
          element("tbody", {}, ...body),
        ),
      ),
      ...bad,
    ];
  }
  const pagesOf = (c) =>
    (c.pages ?? [])
      .map((p) => (typeof p === "object" ? (p.first === p.last ? p.first : p.first + "-" + p.last) : p))
      .join(", ");

  $("find").addEventListener("submit", look);
  $("save-captures").addEventListener("click", async () => {
    const format = $("captures-format").value;
    try {
      download((await list(format)).out, "webcap-captures." + (extensions[format] ?? format));
    } catch (error) {
      notice("The list could not be written: " + error.message);
    }
  });
  return { refresh };
})();

show("audit");
