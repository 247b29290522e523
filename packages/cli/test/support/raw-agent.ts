/**
 * A client of `winnow mcp` that writes lines of JSON itself.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { builtProgram } from "./built-program.js";
import type { Folder } from "./winnow.js";

interface RawResult {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly requestState?: string;
}

interface RawMessage {
  readonly id?: number | string | null;
  readonly result?: RawResult;
  readonly error?: { readonly code: number };
}

/** As a client of the newest revision sends it with each request. */
export const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};

/** Lines of JSON as they are, for what a proper client never sends. */
export class RawClient {
  readonly #child;
  /** What answers none of its calls. */
  readonly others: RawMessage[] = [];
  readonly #waiting = new Map<number, (message: RawMessage) => void>();
  #last = 0;

  constructor(place: Folder, args: readonly string[] = []) {
    const words = [builtProgram(), "mcp", "service.json", "--analyst", "alice", ...args];
    this.#child = spawn(process.execPath, words, { cwd: place.path, stdio: ["pipe", "pipe", "ignore"] });
    this.#child.stdin.on("error", () => {});
    createInterface(this.#child.stdout).on("line", (line) => {
      const message: RawMessage = JSON.parse(line);
      const waiting = typeof message.id === "number" ? this.#waiting.get(message.id) : undefined;
      if (waiting === undefined) this.others.push(message);
      else waiting(message);
    });
  }

  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** The result; nothing if the server ended before it answered. */
  async call(name: string, args: object = {}, extra: object = {}): Promise<RawResult> {
    const id = ++this.#last;
    const params = { name, arguments: args, _meta: META, ...extra };
    this.write(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }));
    const message = await Promise.race<RawMessage>([
      new Promise((resolve) => this.#waiting.set(id, resolve)),
      once(this.#child, "close").then(() => ({})),
    ]);
    return message.result ?? {};
  }

  async end(how: "stdin" | "SIGINT" | "SIGKILL" = "stdin"): Promise<number | null> {
    const closed = once(this.#child, "close");
    if (how === "stdin") this.#child.stdin.end();
    else this.#child.kill(how);
    return (await closed)[0];
  }
}
