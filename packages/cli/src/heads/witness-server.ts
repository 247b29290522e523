/**
 * A witness over HTTP (C2SP `tlog-witness`): `POST …/add-checkpoint`, and its public key for GET. Requests are
 * small, answered one after the other, and need no permission: only heads that a known ledger has signed count.
 * @module
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type NoteSigner, noteKeyText, type Witness, type WitnessAnswer } from "winnow-release";

const LONGEST_BODY = 200_000;
const MOST_CONNECTIONS = 256;
/** In milliseconds. */
const LONGEST_REQUEST = 10_000;

export interface WitnessServer {
  readonly address: string;
  close(): Promise<void>;
}

export interface WitnessListening {
  readonly host: string;
  readonly port: number;
  /** One line for each answer, made of public values. */
  readonly log?: (line: string) => void;
}

export async function serveWitness(
  witness: Witness,
  signer: NoteSigner,
  { host, port, log = () => {} }: WitnessListening,
): Promise<WitnessServer> {
  let last: Promise<unknown> = Promise.resolve();
  const answer = (body: string): Promise<WitnessAnswer> => {
    const next = last.then(() => witness.addCheckpoint(body)).catch(() => FAILED);
    last = next;
    return next;
  };
  const server = createServer((request, response) => {
    respond(request, response, signer, answer)
      .then((status) => log(`${new Date().toISOString()} ${request.method} ${status}`))
      .catch(() => request.destroy());
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.requestTimeout = LONGEST_REQUEST;
  server.headersTimeout = LONGEST_REQUEST;
  server.listen(port, host);
  await once(server, "listening");
  const at = server.address() as AddressInfo;
  const name = at.family === "IPv6" ? `[${at.address}]` : at.address;
  return { address: `http://${name}:${at.port}`, close: () => closed(server) };
}

/** The reason may name files of the witness. */
const FAILED: WitnessAnswer = {
  status: 500,
  body: "The witness couldn't keep the head, so it doesn't sign it.\n",
};

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  signer: NoteSigner,
  answer: (body: string) => Promise<WitnessAnswer>,
): Promise<number> {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const send = (status: number, body: string, type = "text/plain; charset=utf-8") => {
    response.writeHead(status, { "content-type": type, "x-content-type-options": "nosniff" });
    response.end(body);
    return status;
  };
  if (request.method === "GET" && pathname === "/") return send(200, `${noteKeyText(signer.cosigner)}\n`);
  if (!pathname.endsWith("/add-checkpoint")) return send(404, "There is nothing here.\n");
  if (request.method !== "POST") return send(405, "Use POST.\n");
  const body = await bodyOf(request);
  if (body === undefined) return send(413, "The request is too large.\n");
  const { status, body: text } = await answer(body);
  return send(status, text, status === 409 ? "text/x.tlog.size" : undefined);
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > LONGEST_BODY) return undefined;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}

async function closed(server: Server): Promise<void> {
  const gone = once(server, "close");
  server.close();
  server.closeAllConnections();
  await gone;
}
