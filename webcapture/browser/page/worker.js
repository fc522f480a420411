// The worker: it runs the program, one call at a time.
"use strict";
let instance;
const memory = () => instance?.exports.mem.buffer.byteLength ?? 0;

// unpacked compiles the program while it is decoded and decompressed.
async function unpacked(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
}

async function start({ text, module }) {
  const compiled = module ?? (await unpacked(text));
  const go = new Go();
  go.env = { TMPDIR: "/tmp" };
  instance = await WebAssembly.instantiate(compiled, go.importObject);
  globalThis.webcapReady = () => postMessage({ type: "ready", module: module ? undefined : compiled });
  await go.run(instance);
  postMessage({ type: "died" }); // the program never ends by itself
}

function call({ id, request, mounts }) {
  files.mount(mounts);
  const phase = (what) => postMessage({ type: "phase", id, what });
  globalThis.webcap(JSON.stringify(request), phase, (answer) => {
    const out = request.out ? files.take(request.out) : null;
    postMessage({ type: "done", id, answer: JSON.parse(answer), out, memory: memory() }, out ? [out.buffer] : []);
  });
}

onmessage = ({ data }) => {
  if (data.type === "call") call(data);
  else start(data).catch((error) => postMessage({ type: "died", reason: String(error) }));
};
