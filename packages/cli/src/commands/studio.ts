/**
 * `winnow studio` serves the page that makes releases in a browser, to this machine only. The data never passes through
 * this process: the page reads the file itself.
 *
 * The server listens on the loopback address only, and answers only requests that name that address, so an internet name
 * can't be pointed here (DNS rebinding). A browser keeps one ledger per address, so there is one address: requests for
 * `localhost` are redirected to 127.0.0.1, and the port is always the same unless the user asks for another.
 *
 * The files of the built page are read once. Only these files can be served, by their exact names, so no path
 * leads out of the folder.
 * @module
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Command, InvalidArgumentError } from "commander";
import { Refusal } from "winnow-release";
import { type BuiltPage, pageFolder, readBuiltPage } from "../built-page.js";
import { examples } from "../command-options.js";

/** Always the same port, because the browser keeps a ledger per address. */
const PORT = 4466;

interface StudioOptions {
  readonly port: number;
  readonly open?: true;
}

export function register(program: Command): void {
  program
    .command("studio")
    .summary("serve the page on this machine; nothing leaves it")
    .description(
      "Serves the studio on this machine: a page that reads files, plans and releases in the browser. No data leave it.",
    )
    .option(
      "--port <number>",
      "port on 127.0.0.1; the browser keeps one ledger per port (0: any free port)",
      readPort,
      PORT,
    )
    .option("--open", "open the page in the browser")
    .addHelpText("after", examples(["winnow studio --open", "until Ctrl-C"]))
    .action(serve);
}

async function serve({ port, open }: StudioOptions): Promise<void> {
  const studio = await serveStudio(await readBuiltPage(pageFolder("studio-page")), port);
  process.stdout.write(`${studio.address}\n`);
  process.stderr.write("Serving the page to this machine only. Press Ctrl-C to stop.\n");
  if (open) openInBrowser(studio.address);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await studio.close();
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("must be a port from 0 to 65535");
  return port;
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [command: string, ...rest: string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** If no browser can be opened, the printed address is enough. */
function openInBrowser(address: string): void {
  const [command, ...rest] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(command, [...rest, address], { stdio: "ignore", detached: true });
  opener.once("error", () =>
    process.stderr.write("No browser could be opened: open the address above yourself.\n"),
  );
  opener.unref();
}

const LOOPBACK = "127.0.0.1";

export interface RunningStudio {
  readonly address: string;
  close(): Promise<void>;
}

/** On a free port if `port` is 0. */
export async function serveStudio(page: BuiltPage, port: number): Promise<RunningStudio> {
  const server = createServer((request, response) => answer(page, request, response));
  await listen(server, port);
  return { address: `http://${LOOPBACK}:${portOf(server)}/`, close: () => close(server) };
}

function answer(page: BuiltPage, request: IncomingMessage, response: ServerResponse): void {
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

function headersFor(page: BuiltPage) {
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
      `Port ${port} of this machine can't be used; choose another with --port. The browser keeps a separate ledger for each port.`,
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
