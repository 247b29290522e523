/**
 * Requests that can't be read as HTTP, and so never reach the router: malformed, too long, too slow, or without a host. They are refused with
 * problems (RFC 9457) too, instead of the empty answers of the server. They make no line in the log, because anyone can send them.
 * @module
 */
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { RequestError } from "@hono/node-server";
import { Refusal } from "winnow-release";
import { codeOf, type Problem, problemDetails, problemOf } from "../problems.js";

/** By the code of Node's error: the status, and the sentence. */
const REASONS: Readonly<Record<string, readonly [status: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The headers are too long."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The extensions of the chunks are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request didn't arrive in time."],
};

const MALFORMED = [400, "The request isn't valid HTTP."] as const;

/** Answers what the server itself refuses, and closes the connection. */
export function refuseUnreadable(server: Server): void {
  server.on("clientError", (error: Error, socket: Duplex) => {
    if (!socket.writable || codeOf(error) === "ECONNRESET") return void socket.destroy();
    const [status, sentence] = REASONS[codeOf(error) ?? ""] ?? MALFORMED;
    const body = textOf(problemOf(new Refusal("invalid-request", sentence)), status);
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        ...Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`),
        `Content-Length: ${Buffer.byteLength(body)}`,
        "Connection: close",
        "",
        body,
      ].join("\r\n"),
    );
  });
}

/** A request without a host, or whose address can't be read. */
export function unreadableResponse(error?: unknown): Response {
  const isRead = error !== undefined && !(error instanceof RequestError);
  const problem = problemOf(isRead ? error : new Refusal("invalid-request", ADDRESS));
  return new Response(textOf(problem, problem.status), { status: problem.status, headers: HEADERS });
}

const ADDRESS = "The address of the request can't be read: it needs a path, and a host.";

/** HTTP/1.0 knows no host. */
export function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion !== "1.0";
}

const HEADERS = {
  "Content-Type": "application/problem+json; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

function textOf(problem: Problem, status: number): string {
  return `${JSON.stringify({ ...problemDetails(problem), status })}\n`;
}
