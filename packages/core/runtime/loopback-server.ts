/**
 * Serves the files of `packages/core` to a browser on this machine, and takes one report back from it.
 * @module
 */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const CORE = new URL("../", import.meta.url);
const MEDIA_TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

export interface LoopbackServer {
  /** The address of `packages/core`, ending in a slash. */
  readonly address: string;
  /** What a page posted to `/report`. */
  readonly report: Promise<unknown>;
  close(): void;
}

export async function serveCore(): Promise<LoopbackServer> {
  const { promise: report, resolve, reject } = deferred();
  const server = createServer((request, response) => {
    if (request.method === "POST") readJson(request).then(resolve, reject);
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${port}/`, report, close };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "POST") return void response.writeHead(204).end();
  const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1"); // resolves every "..", so none leads out
  const type = MEDIA_TYPES[extname(pathname)];
  try {
    if (type === undefined) throw new Error("not a file for a browser");
    const body = await readFile(fileURLToPath(new URL(`.${pathname}`, CORE)));
    response.writeHead(200, { "content-type": type }).end(body);
  } catch {
    response.writeHead(404).end();
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return JSON.parse(text);
}

function deferred() {
  let resolve: (value: unknown) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<unknown>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
