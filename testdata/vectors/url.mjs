// Reduces URLs by the URL class of Node.js, without the fragment. See README.md for the lines.
import { createInterface } from "node:readline";

const names = { "\\\\": "\\", "\\t": "\t", "\\n": "\n", "\\r": "\r" };
const unescape = (s) => s.replace(/\\(x..|.)/g, (e, c) => names[e] ?? String.fromCharCode(parseInt(c.slice(1), 16)));
const text = (s) => Buffer.from(unescape(s), "latin1").toString(); // bytes of UTF-8, as in a page
const escape = (s) => s.replaceAll("\\", "\\\\"); // an href is ASCII without control characters

for await (const line of createInterface({ input: process.stdin })) {
  const [base, url] = line.split("\t").map(text);
  try {
    const form = new URL(url, base || undefined);
    form.hash = "";
    console.log(escape(form.href));
  } catch {
    console.log("\\"); // not a URL
  }
}
