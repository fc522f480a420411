// The engine of the page: a queue of calls, which a worker carries out one by one.
const limits = {
  file: 512 << 20, // bytes of a file
  memory: 768 << 20, // bytes of a worker, after which a new one takes its place
  time: 5 * 60_000, // milliseconds of a call
};

class CallError extends Error {
  constructor(answer) {
    super(answer.error);
    this.password = answer.password;
    this.remedy = answer.remedy;
    this.stopped = answer.stopped; // the worker was ended, so that the words are those of the page
  }
}

const engine = (() => {
  const program = document.getElementById("program").textContent;
  const script = URL.createObjectURL(
    new Blob([document.getElementById("worker").textContent], { type: "text/javascript" }),
  );
  const waiting = []; // calls
  let worker,
    module,
    isReady,
    current,
    lastID = 0,
    timer,
    startError = "";
  let failedStarts = 0; // in a row

  function startWorker() {
    isReady = false;
    worker = new Worker(script);
    worker.onmessage = ({ data }) => received(data);
    worker.onerror = (event) => {
      event.preventDefault();
      died(event.message);
    };
    worker.postMessage(module ? { type: "start", module } : { type: "start", text: program });
  }

  function received(data) {
    switch (data.type) {
      case "ready":
        module = data.module ?? module;
        isReady = true;
        failedStarts = 0;
        document.documentElement.dataset.ready = "true";
        next();
        break;
      case "phase":
        if (current?.id === data.id) current.phase?.(data.what);
        break;
      case "done":
        if (current?.id !== data.id) break;
        finish(data);
        if (data.memory > limits.memory) restart();
        next();
        break;
      case "died":
        died(data.reason);
    }
  }

  function finish({ answer, out }) {
    clearTimeout(timer);
    const call = current;
    current = undefined;
    if (answer.error !== undefined) call.reject(new CallError(answer));
    else call.resolve({ answer, out });
  }

  function restart() {
    worker.terminate();
    startWorker();
  }

  // died is called when the worker has ended by itself, almost always because the browser is out of memory.
  function died(reason) {
    if (!isReady) failedStarts++;
    worker.terminate();
    if (current) finish({ answer: { error: "the browser ran out of memory for this file", stopped: "memory" } });
    if (failedStarts > (module ? 3 : 0)) {
      // it cannot start at all, or no longer
      startError =
        "This browser cannot run the program of this page: " +
        (reason || "it has no WebAssembly or no memory") +
        ". Use a current browser, or the command line.";
      for (const call of waiting.splice(0)) call.reject(new CallError({ error: startError, stopped: "start" }));
      document.dispatchEvent(new CustomEvent("engine-failed", { detail: startError }));
      return;
    }
    startWorker();
  }

  function next() {
    if (!isReady || current || waiting.length === 0) return;
    current = waiting.shift();
    const { id, request, mounts } = current;
    timer = setTimeout(() => stop({ error: "gave up after 5 minutes", stopped: "time" }), limits.time);
    worker.postMessage({ type: "call", id, request, mounts: mounts.map(({ path, blob }) => ({ path, blob })) });
  }

  // stop ends the call that runs.
  function stop(answer) {
    if (!current) return;
    finish({ answer });
    restart();
  }

  // call returns the answer of the program, and the file that it wrote. First calls come before others that wait.
  function call(request, mounts = [], { phase, first } = {}) {
    if (startError) return Promise.reject(new CallError({ error: startError, stopped: "start" }));
    return new Promise((resolve, reject) => {
      const item = { id: ++lastID, request, mounts, phase, resolve, reject };
      if (first) waiting.unshift(item);
      else waiting.push(item);
      next();
    });
  }

  // cancel ends what runs, and drops what waits.
  function cancel() {
    const dropped = waiting.splice(0);
    stop({ error: "canceled", stopped: "cancel" });
    for (const item of dropped) item.reject(new CallError({ error: "canceled", stopped: "cancel" }));
  }

  startWorker();
  return { call, cancel };
})();
