import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("recording-process.js", import.meta.url));

/** What a recorder printed: an answer with its place in the ledger, or a refusal. */
export interface Printed {
  readonly id?: string;
  readonly winners?: readonly string[];
  readonly sequence?: number;
  readonly head?: string;
  readonly refused?: string;
  readonly message?: string;
  /** Whether the price was reserved, which is printed before the answer. */
  readonly reserved?: boolean;
  /** The ρ that the answer is counted as. */
  readonly settled?: string;
}

export interface Order {
  readonly id: string;
  readonly dataset?: string;
  readonly epsilon?: string;
  readonly padding?: number;
  /** How many names a limited-domain top ten gave; it costs ρ = 1/100 a round and is reserved first. */
  readonly names?: number;
}

/** A process that records what it is told, see recording-process.js. */
export class Recorder {
  readonly process: ChildProcess;
  readonly printed: Printed[] = [];
  /** Resolves when the ledger is open, or the process has ended. */
  readonly ready: Promise<void>;
  /** Resolves when an answer was printed, or the process has ended. */
  readonly answered: Promise<void>;
  readonly ended: Promise<void>;

  /** `wrapper` is a command line to run it under. */
  constructor(ledger: string, wrapper: readonly string[] = []) {
    const [command, ...rest] = [...wrapper, process.execPath, SCRIPT, ledger];
    this.process = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] });
    this.process.stdin?.on("error", () => {}); // it may be dead already
    const lines = createInterface({ input: this.process.stdout! });
    this.ended = new Promise((resolve) => {
      lines.on("close", resolve);
    });
    const opened = new Promise<void>((resolve) => {
      lines.once("line", () => resolve());
    });
    const printed = new Promise<void>((resolve) => {
      lines.on("line", (line) => {
        if (line === '"ready"') return;
        this.printed.push(JSON.parse(line) as Printed);
        resolve();
      });
    });
    this.ready = Promise.race([opened, this.ended]);
    this.answered = Promise.race([printed, this.ended]);
  }

  order(...orders: readonly Order[]): void {
    for (const order of orders) this.process.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  /** No more orders; resolves to all that was printed. */
  async finish(): Promise<readonly Printed[]> {
    this.process.stdin?.end();
    await this.ended;
    return this.printed;
  }
}
