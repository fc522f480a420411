// The plan of a repair, with a box for each step, and the comparison with an original.
const repairer = (() => {
  const mostSteps = 300; // on the page

  const mounts = (file) => (file.original ? [file, file.original] : [file]);
  const options = (file) => ({
    path: file.path,
    from: file.original?.path ?? "",
    passwords: store.passwords,
    full: !!file.options?.full,
    breakSignatures: !!file.options?.breakSignatures,
  });

  async function show(file, box) {
    file.options ??= {};
    box.replaceChildren(
      element(
        "div",
        { class: "card repair" },
        element("p", { role: "status" }, "Planning the repair…"),
        button("Cancel", engine.cancel),
      ),
    );
    try {
      const { answer } = await engine.call({ op: "plan", ...options(file) }, mounts(file), { first: true });
      paint(file, box, answer);
    } catch (error) {
      box.replaceChildren(
        card(
          "problem",
          "No repair",
          element("p", {}, words(file, error)),
          element(
            "div",
            { class: "row" },
            button("Try again", () => show(file, box)),
          ),
          originalRow(file, box),
        ),
      );
    }
  }

  const card = (kind, title, ...children) =>
    element("div", { class: "card " + kind }, element("h3", {}, title), ...children);
  const words = (file, error) =>
    error.message +
    (["memory", "time"].includes(error.stopped)
      ? "; use the command line: webcap rewrite " + quoted(printable(file.path))
      : "");

  function paint(file, box, plan) {
    const n = plan.steps.length;
    const left = plan.plan.left;
    if (n === 0 && !plan.worthwhile) {
      const nothing = card(
        left.length ? "" : "done",
        left.length ? "No finding can be repaired from this file alone" : "Nothing to repair",
        leftOf(left),
        originalRow(file, box),
      );
      box.replaceChildren(nothing, file.comparison ?? "");
      return;
    }
    const boxes = [];
    const list = element(
      "ol",
      { class: "steps", tabindex: "0", "aria-label": "Steps of the repair" },
      ...plan.steps.slice(0, mostSteps).map((step, i) => stepOf(step, i, boxes)),
    );
    if (n > mostSteps)
      list.append(
        element(
          "li",
          {},
          "",
          element("span", {}, `… and ${count(n - mostSteps, "more step")}, which the repair includes`),
        ),
      );
    const save = button("Download repaired file", () => write(file, box, plan, boxes, state), { class: "primary" });
    const all = button("Select none", () => {
      const on = boxes.every((b) => !b.checked);
      for (const b of boxes) b.checked = on;
      chosen();
    });
    const state = element("p", { role: "status", class: "quiet" });
    const chosen = () => {
      const k = boxes.filter((b) => b.checked).length + Math.max(0, n - mostSteps);
      save.disabled = k === 0 && n > 0;
      all.textContent = boxes.some((b) => b.checked) ? "Select none" : "Select all";
      state.textContent = k < n ? `${k} of ${count(n, "step")} selected` : "";
    };
    list.addEventListener("change", chosen);
    const arguments_ = [
      file.original && "--from " + quoted(printable(file.original.path)),
      file.options.full && "--full",
      file.options.breakSignatures && "--break-signatures",
    ].filter(Boolean);
    const title =
      n === 0 ? "The file can be written anew" : count(n, "step") + (n === 1 ? " repairs" : " repair") + " this file";
    box.replaceChildren(
      card(
        "repair",
        title,
        element(
          "p",
          { class: "quiet" },
          file.options.full
            ? "The repaired file is written anew."
            : "The repaired file is the old one with an update after it: all old bytes stay.",
        ),
        ...plan.notes.map((note) => element("p", {}, note)),
        refusal(file, box, plan.refused),
        n > 0 && list,
        element("div", { class: "row" }, save, n > 1 && all),
        state,
        element(
          "p",
          { class: "quiet" },
          "On the command line: ",
          ...command(
            "webcap",
            "rewrite",
            ...arguments_,
            quoted(printable(file.path)),
            "-o",
            quoted(printable(stem(file.path)) + ".repaired.pdf"),
          ),
        ),
        leftOf(left),
        printed(file, plan),
        choices(file, box),
        originalRow(file, box),
      ),
      file.comparison ?? "",
    );
  }

  function stepOf(step, i, boxes) {
    const input = element("input", { type: "checkbox", id: "step-" + i, checked: true });
    boxes.push(input);
    const rules = (step.rules ?? []).map((id) => store.rules.get(id)).filter(Boolean);
    const title = rules[0]?.problem ?? step.action;
    const evidence = element(
      "div",
      { class: "evidence" },
      element("p", {}, element("strong", {}, "Found: "), step.reason + "."),
    );
    for (const rule of rules) {
      evidence.append(element("p", {}, element("strong", {}, rule.id + " " + rule.problem + ". "), rule.doc));
      evidence.append(element("p", {}, element("strong", {}, "Repair. "), rule.repair));
      if (rule.right) {
        evidence.append(element("p", {}, element("strong", {}, "The right value follows from: "), rule.right + "."));
      }
      evidence.append(element("p", { class: "quiet" }, rule.clause));
    }
    return element(
      "li",
      {},
      input,
      element(
        "label",
        { for: "step-" + i },
        title + " ",
        element("span", { class: "change" }, step.place + (step.change ? ": " + step.change : "")),
      ),
      element("details", {}, element("summary", {}, "Evidence"), evidence),
    );
  }

  function leftOf(left) {
    if (left.length === 0) return undefined;
    const items = left
      .slice(0, mostSteps)
      .map((l) =>
        element(
          "li",
          {},
          element("strong", {}, (l.rule ?? "") + " "),
          (l.place?.text ?? l.original ?? "") + ": " + (l.message ?? l.subtype ?? "") + ". " + l.reason,
        ),
      );
    return element(
      "details",
      { class: "left" },
      element("summary", {}, count(left.length, "finding") + " stay" + (left.length === 1 ? "s" : "")),
      element("ul", {}, ...items),
    );
  }

  // printed shows the plan as webcap rewrite prints it.
  const printed = (file, plan) =>
    element(
      "details",
      {},
      element("summary", {}, "Plan as text"),
      element("pre", { tabindex: "0" }, plan.text),
      element(
        "div",
        { class: "row" },
        button("Download as JSON", () => download(JSON.stringify(plan.plan, null, 1), stem(file.path) + ".plan.json")),
      ),
    );

  // refusal says why the document does not permit a repair, with the option that does.
  function refusal(file, box, refused) {
    if (!refused) return undefined;
    return element(
      "div",
      { class: "alert", role: "alert" },
      element("p", {}, refused.error + "."),
      remedyButton(file, box, refused.remedy),
    );
  }

  const allow = {
    full: "Write the whole file anew",
    breakSignatures: "Allow changes that invalidate signatures",
  };
  function remedyButton(file, box, name) {
    if (!allow[name]) return undefined;
    return button(allow[name], () => {
      file.options[name] = true;
      show(file, box);
    });
  }

  function choices(file, box) {
    const list = Object.entries(allow).map(([name, text]) =>
      element(
        "label",
        {},
        element("input", {
          type: "checkbox",
          checked: !!file.options[name],
          onchange: ({ target }) => {
            file.options[name] = target.checked;
            show(file, box);
          },
        }),
        text,
      ),
    );
    return element("details", {}, element("summary", {}, "Options"), element("div", { class: "choices" }, ...list));
  }

  async function write(file, box, plan, boxes, state) {
    const without = boxes.flatMap((b, i) => (b.checked ? [] : [i]));
    state.textContent = "Writing the repaired file, and auditing it…";
    try {
      const request = { op: "repair", ...options(file), without, out: "out/repaired.pdf" };
      const { answer, out } = await engine.call(request, mounts(file), {
        first: true,
        phase: (what) => {
          state.textContent = what + "…";
        },
      });
      file.repaired = out;
      download(out, stem(file.path) + ".repaired.pdf", "application/pdf");
      const lines = answer.text.trim().split("\n");
      state.textContent = lines[lines.length - 1].replace(
        "out/repaired.pdf",
        printable(stem(file.path)) + ".repaired.pdf",
      );
      document.dispatchEvent(new CustomEvent("repaired"));
    } catch (error) {
      state.replaceChildren(words(file, error) + ". ", remedyButton(file, box, error.remedy) ?? "");
    }
  }

  // originalRow lets the user choose the file that this one was made of.
  function originalRow(file, box) {
    const input = element("input", {
      type: "file",
      hidden: true,
      tabindex: "-1",
      "aria-hidden": "true",
      class: "original-input",
    });
    input.addEventListener("change", () => {
      if (input.files.length) setOriginal(file, box, input.files[0]);
    });
    const row = element(
      "div",
      { class: "row" },
      element(
        "span",
        {},
        file.original
          ? "Original: " + printable(file.original.path)
          : "Is this file made of another one, such as by a merge or an optimizer?",
      ),
      input,
      button(file.original ? "Another original" : "Compare with the original", () => input.click()),
    );
    if (file.original)
      row.append(
        button("Without an original", () => {
          file.original = file.comparison = undefined;
          show(file, box);
        }),
      );
    return row;
  }

  async function setOriginal(file, box, blob) {
    file.original = { path: "original/" + (blob.name.replaceAll("\0", "\uFFFD") || "unnamed"), blob };
    file.comparison = element(
      "div",
      { class: "card" },
      element("h3", {}, "Comparison with the original"),
      element("p", { role: "status" }, "Comparing…"),
    );
    const compared = engine.call(
      { op: "diff", path: file.path, from: file.original.path, passwords: store.passwords },
      mounts(file),
      { first: true },
    );
    const comparison = file.comparison;
    show(file, box);
    try {
      const { answer } = await compared;
      comparison.replaceChildren(
        element("h3", {}, "Comparison with the original"),
        element("pre", { tabindex: "0" }, answer.text),
        element(
          "div",
          { class: "row" },
          button("Download as JSON", () =>
            download(JSON.stringify(answer.diff, null, 1), stem(file.path) + ".diff.json"),
          ),
        ),
      );
    } catch (error) {
      comparison.replaceChildren(
        element("h3", {}, "Comparison with the original"),
        element("p", {}, words(file, error)),
      );
    }
  }
  return { show };
})();
