// Runs the smoke in a browser's page and in a worker, and posts both reports back to the server.
import { smoke } from "./smoke.js";

const inWorker = new Promise((resolve, reject) => {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (event) => reject(new Error(`the worker failed: ${event.message}`));
});

const reports = await Promise.all([smoke(), inWorker]).then(
  ([page, worker]) => ({ page, worker }),
  (error) => ({ failure: String(error) }),
);
await fetch("/report", { method: "POST", body: JSON.stringify(reports) });
