// Elements, downloads, frames, and names.
const $ = (id) => document.getElementById(id);

// element returns an element. Texts get in as text alone.
function element(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (value === true) e.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) e.setAttribute(name, value);
  }
  e.append(...children.filter((child) => child !== undefined && child !== null && child !== false));
  return e;
}
const button = (text, onclick, attributes = {}) => element("button", { type: "button", onclick, ...attributes }, text);

// printable returns a text of a file without characters that could disguise others.
const printable = (text) => text.replace(/[\p{C}\u2028\u2029]/gu, "\uFFFD");
const count = (n, noun) => n.toLocaleString("en") + " " + noun + (n === 1 ? "" : "s");

// keyText returns a key of JSON as text. Keys that are not ASCII are hexadecimal.
const keyText = (key) => key?.text ?? (key?.hex ? `<${key.hex}>` : "");

function download(bytes, name, type = "application/octet-stream") {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// stem returns the name of a file without its folder and its extension.
const stem = (path) =>
  path
    .split("/")
    .pop()
    .replace(/\.pdf$/i, "");

const isDark = () =>
  (document.documentElement.dataset.theme ||
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

// frame returns a frame that shows a page which webcap wrote. It may run the page's own script, and nothing else: it has
// an origin of its own, and the policies of both pages.
function frame(title, bytes) {
  const text = new TextDecoder()
    .decode(bytes)
    .replace('<html lang="en">', `<html lang="en" data-theme="${isDark() ? "dark" : "light"}">`);
  return element("iframe", {
    class: "frame",
    title,
    sandbox: "allow-scripts",
    srcdoc: text,
    referrerpolicy: "no-referrer",
  });
}

// quoted returns an argument of a command line.
const quoted = (text) =>
  /^[\w./:@%+,=-]+$/.test(text) && !text.startsWith("-") ? text : "'" + text.replaceAll("'", "'\\''") + "'";

function command(...words) {
  const code = element("code", {}, words.join(" "));
  return [
    code,
    " ",
    button(
      "Copy",
      async ({ target }) => {
        try {
          await navigator.clipboard.writeText(code.textContent);
          target.textContent = "Copied";
        } catch {
          // a page that may not: the reader copies what is selected
          getSelection().selectAllChildren(code);
          target.textContent = "Selected";
        }
      },
      { class: "copy" },
    ),
  ];
}
