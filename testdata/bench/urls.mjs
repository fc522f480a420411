// Reads URLs, one a line, and writes the href of each by the URL class of Node.js.
import { createInterface } from "node:readline";

let out = "";
for await (const line of createInterface({ input: process.stdin })) {
  out += new URL(line).href + "\n";
  if (out.length > 65536) {
    process.stdout.write(out);
    out = "";
  }
}
process.stdout.write(out);
