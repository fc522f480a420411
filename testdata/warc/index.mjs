// Reads a WARC file, and counts its responses with their URLs and lengths, as an index does.
import { createReadStream } from "node:fs";
import { WARCParser } from "warcio";

let responses = 0, bytes = 0;
for await (const record of new WARCParser(createReadStream(process.argv[2]))) {
  if (record.warcType === "response" && record.warcTargetURI) responses++;
  for await (const chunk of record) bytes += chunk.length;
}
console.log(responses + " responses, " + bytes + " bytes");
