/**
 * The lines of standard input on their way to the protocol. A line that is too long is skipped up to its end, without being
 * kept, and answered with an error: it must not end the server, because a server that is started again has a new session cap. A
 * line that isn't a message of JSON-RPC is answered with an error too, with its id if it has one. Everything else passes as
 * it is.
 * @module
 */
import { Transform, type TransformCallback } from "node:stream";
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from "@modelcontextprotocol/server";

/** In bytes: more than any question needs. */
export const LONGEST_MESSAGE = 1_048_576;

/** As JSON-RPC numbers them. */
const [PARSE_ERROR, INVALID_REQUEST] = [-32_700, -32_600];

export interface Invalid {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

export class Messages extends Transform {
  readonly #answer: (invalid: Invalid) => void;
  #pieces: Buffer[] = [];
  #length = 0;

  /** `answer` sends an error to the client. */
  constructor(answer: (invalid: Invalid) => void) {
    super();
    this.#answer = answer;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    for (let start = 0; ; ) {
      const end = chunk.indexOf(0x0a, start);
      this.#take(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) break;
      this.#endLine();
      start = end + 1;
    }
    done();
  }

  #take(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= LONGEST_MESSAGE) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  #endLine(): void {
    const line = Buffer.concat(this.#pieces);
    const isTooLong = this.#length > LONGEST_MESSAGE;
    this.#pieces = [];
    this.#length = 0;
    const invalid = isTooLong
      ? refused(null, INVALID_REQUEST, `A message must be at most ${LONGEST_MESSAGE} bytes; it was skipped.`)
      : problemWith(line.toString("utf8"));
    if (invalid === undefined) this.push(Buffer.concat([line, LINE_FEED]));
    else this.#answer(invalid);
  }
}

const LINE_FEED = Buffer.from("\n");

/** The answer to a line that isn't valid; undefined for one that is. */
function problemWith(line: string): Invalid | undefined {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return refused(null, PARSE_ERROR, "A message must be JSON in one line.");
  }
  const kinds = [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResultResponse, isJSONRPCErrorResponse];
  if (kinds.some((isOfKind) => isOfKind(message))) return undefined;
  return refused(idOf(message), INVALID_REQUEST, "A message must be a request of JSON-RPC 2.0.");
}

function refused(id: Invalid["id"], code: number, message: string): Invalid {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function idOf(message: unknown): Invalid["id"] {
  const id = typeof message === "object" && message !== null && "id" in message ? message.id : null;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}
