// The keys of a file, each with its verdict and its page.
const keyList = (() => {
  const mostRows = 1000; // on the page
  let shown; // URL of the file of the last list, for the viewer of the browser

  const call = (file, format) =>
    engine.call({ op: "keys", path: file.path, format, passwords: store.passwords, out: "out/keys" }, [file], {
      first: true,
    });

  // show adds a card to a box. It lists the keys when the user opens it.
  function show(file, box) {
    const body = element("div");
    const details = element("details", {}, element("summary", {}, "Each key of this file, and the captured page"), body);
    details.addEventListener("toggle", () => paint(file, body), { once: true });
    box.append(element("div", { class: "card" }, details));
  }

  async function paint(file, body) {
    body.replaceChildren(element("p", { role: "status" }, "Judging the keys…"));
    try {
      const { out } = await call(file, "json");
      const { keys, counts } = JSON.parse(new TextDecoder().decode(out)).files[0];
      URL.revokeObjectURL(shown);
      shown = URL.createObjectURL(new Blob([file.blob], { type: "application/pdf" }));
      const parts = [
        element("p", {}, countsOf(counts)),
        keys.length > 0 && tableOf(keys.slice(0, mostRows), shown),
        keys.length > mostRows && element("p", { class: "quiet" }, `The first ${mostRows} of ${count(keys.length, "key")}`),
        element(
          "div",
          { class: "row" },
          ...["csv", "json", "html"].map((format) =>
            button("Download " + format, async () =>
              download((await call(file, format)).out, stem(file.path) + ".keys." + format),
            ),
          ),
        ),
      ];
      body.replaceChildren(...parts.filter(Boolean));
    } catch (error) {
      body.replaceChildren(element("p", { class: "alert", role: "alert" }, error.message));
    }
  }

  const countsOf = (counts) =>
    Object.entries(counts)
      .map(([tree, verdicts]) => {
        const parts = Object.entries(verdicts).filter(([, n]) => n > 0);
        return tree + ": " + (parts.map(([verdict, n]) => `${n} ${verdict}`).join(", ") || "no keys");
      })
      .join(" · ");

  const classes = { wrong: "error", right: "is-clean", agrees: "is-clean", proven: "is-clean" };

  function tableOf(keys, pdf) {
    const rows = keys.map((k) =>
      element(
        "tr",
        {},
        element("td", {}, k.tree),
        element("td", {}, element("span", { class: "badge " + (classes[k.verdict] ?? "is-partial") }, k.verdict)),
        element("td", {}, k.page && element("a", { href: `${pdf}#page=${k.page}`, target: "_blank" }, "page " + k.page)),
        element(
          "td",
          { class: "path" },
          keyText(k.key),
          k.url && element("div", {}, keyText(k.url)),
          k.verdict === "wrong" && k.expected && element("div", {}, "expected " + keyText(k.expected)),
          k.reason && element("div", { class: "quiet" }, k.rule ? `${k.rule}: ${k.reason}` : k.reason),
        ),
      ),
    );
    const head = ["Tree", "Verdict", "Page", "Key, and the URL of an ID"];
    return element(
      "table",
      { class: "key-list" },
      element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...rows),
    );
  }
  return { show };
})();
