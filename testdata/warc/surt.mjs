// Reads a JSON array of URLs and writes that of their keys.
import { readFileSync } from "node:fs";
import { getSurt } from "warcio";

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(getSurt)));
