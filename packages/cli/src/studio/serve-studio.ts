/**
 * Serves the page to browsers on this machine, and to nobody else: it listens on the loopback address only, and answers only
 * requests that name that address, so that a name on the internet cannot be pointed here (DNS rebinding).
 *
 * A browser keeps the ledger by address. So there is one address: a request for `localhost` is sent on to 127.0.0.1, and the
 * port is the same every time unless another is asked for.
 * @module
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Refusal } from "../refusal.js";
import type { StudioPage } from "./studio-page.js";

const LOOPBACK = "127.0.0.1";

export interface RunningStudio {
  readonly address: string;
  close(): Promise<void>;
}

/** On a free port if `port` is 0. */
export async function serveStudio(page: StudioPage, port: number): Promise<RunningStudio> {
  const server = createServer((request, response) => answer(page, request, response));
  await listen(server, port);
  return { address: `http://${LOOPBACK}:${portOf(server)}/`, close: () => close(server) };
}

function answer(page: StudioPage, request: IncomingMessage, response: ServerResponse): void {
  const here = `${LOOPBACK}:${request.socket.localPort}`;
  if (request.method !== "GET" && request.method !== "HEAD")
    return void response.writeHead(405, { allow: "GET, HEAD" }).end();
  if (request.headers.host === here.replace(LOOPBACK, "localhost"))
    return void response.writeHead(308, { location: `http://${here}/` }).end();
  if (request.headers.host !== here) return void response.writeHead(421).end();
  const file = page.files.get(pathOf(request));
  if (file === undefined) return void response.writeHead(404, headersFor(page)).end();
  const headers = { ...headersFor(page), "content-type": file.type, "content-length": file.body.length };
  response.writeHead(200, headers).end(request.method === "HEAD" ? undefined : file.body);
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?", 1)[0]!;
}

function headersFor(page: StudioPage) {
  return {
    "content-security-policy": `${page.policy}; frame-ancestors 'none'`,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-cache",
  };
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, LOOPBACK, resolve);
  }).catch(() => {
    throw new Refusal(
      "usage",
      `Port ${port} of this machine cannot be used; choose another with --port, knowing that the browser keeps a ledger for each port.`,
    );
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
