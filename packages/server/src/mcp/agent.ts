/**
 * The tools of the Model Context Protocol, thin over the service: `describe`, `plan`, `cost`, `release` and `verify`. All
 * but `release` only read, and touch no rows.
 *
 * A release is found again by its question: the key is a hash of the analyst, the data set, the question in canonical form
 * and the label of a deliberate repetition. So an agent that asks twice pays once, in this session or in a later one. A new
 * release passes the analyst's cap and the budget in the ledger, the session's cap, and the person (session.ts); its answer
 * leaves at a tick of the public grid.
 *
 * A log line holds public values only: the tool, the data set, the id, and what became of it.
 * @module
 */
import {
  type CallToolResult,
  type InputRequiredResult,
  inputResponse,
  McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Loss, lossToJson } from "winnow-dp";
import {
  canonicalJson,
  countedInWords,
  hashText,
  kindAndPlace,
  type Question,
  Refusal,
  readableLoss,
  verifyInclusion,
} from "winnow-release";
import type { RecordedAnswer } from "../host.js";
import { type ProblemCode, problemOf } from "../problems.js";
import type { NewOrStored } from "../releases.js";
import type { Service } from "../service.js";
import { TimeGrid } from "../time-grid.js";
import { ANSWER, ASKING_IN_WORDS, askPerson, canAsk, messageFor, priceOf } from "./asking.js";
import { definitionOf, INSTRUCTIONS, readArguments, type ToolName } from "./definitions.js";
import { LONGEST_MESSAGE, Messages } from "./incoming.js";
import type { AgentSession, Outcome } from "./session.js";
import { answerText, groupsOf, rowsOf, WARNING } from "./untrusted.js";

/** For the operator's log. */
export interface AgentEvent {
  readonly event: "tool" | "protocol-error";
  readonly tool?: ToolName;
  readonly dataset?: string;
  readonly outcome?: "answered" | "asked" | "recorded" | "stored" | ProblemCode;
  readonly id?: string;
  /** The class of an unexpected error and its place in the code, never its text. */
  readonly place?: string;
}

export interface AgentOptions {
  readonly service: Service;
  readonly analyst: string;
  readonly session: AgentSession;
  readonly software: { readonly name: string; readonly version: string };
  /** Aborted when the server is to end: no release begins after that. */
  readonly signal: AbortSignal;
  readonly onEvent?: (event: AgentEvent) => void;
}

const ENDING = "This server is ending; nothing was charged.";

type Answer = CallToolResult | InputRequiredResult;
type Handler = (args: unknown, context: ServerContext) => Promise<Answer>;

/** A server with the five tools, for one connection. */
class AgentTools {
  readonly #options: AgentOptions;
  readonly #grid: TimeGrid;
  readonly #running = new Set<Promise<Answer>>();
  /** Whether the client has ever said that it can ask. */
  #canAsk = false;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#grid = new TimeGrid(options.service.config.tick);
  }

  /** Resolves when no call is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  createServer(): McpServer {
    const { software } = this.#options;
    const server = new McpServer(software, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
    const handlers: Readonly<Record<ToolName, Handler>> = {
      describe: (args) => this.#describe(args),
      plan: (args, context) => this.#plan(args, context.mcpReq.signal),
      cost: (args) => this.#cost(args),
      release: (args, context) => this.#release(args, context, this.#canAsk),
      verify: (args) => this.#verify(args),
    };
    for (const name of Object.keys(handlers) as ToolName[])
      server.registerTool(name, definitionOf(name), (args, context) => {
        this.#canAsk ||= canAsk(server, context);
        return this.#run(name, args, () => handlers[name](args, context));
      });
    return server;
  }

  /** Every error becomes a tool error with a code and a sentence of the catalogue. Nothing begins after the end. */
  #run(tool: ToolName, args: unknown, work: () => Promise<Answer>): Promise<Answer> {
    const isEnding = this.#options.signal.aborted;
    const begun = isEnding ? Promise.reject(new Refusal("shutting-down", ENDING)) : work();
    const answer = begun.catch((error: unknown): Answer => {
      const { code, message, cause } = problemOf(error);
      const place = code === "unexpected" ? { place: kindAndPlace(cause ?? error) } : {};
      this.#tell({ event: "tool", tool, ...this.#known(args), outcome: code, ...place });
      return { isError: true, content: [{ type: "text", text: `${message} [${code}]` }] };
    });
    this.#running.add(answer);
    void answer.finally(() => this.#running.delete(answer));
    return answer;
  }

  async #describe(args: unknown): Promise<Answer> {
    readArguments("describe", args);
    const { service, analyst, session } = this.#options;
    const mine = Object.keys(service.config.analysts[analyst]?.caps ?? {});
    const datasets = await Promise.all(
      mine.map(async (name) => ({ ...service.dataset(name), budget: await service.budget(analyst, name) })),
    );
    const asking = ASKING_IN_WORDS[session.asking];
    const sentences = datasets.map(
      ({ name, kinds, largest: { k, ...prices }, budget }) =>
        `${name}: ${kinds.join(", ")}; in one request k up to ${k}, ${sizesOf(prices)}. ${budget.readable}`,
    );
    return this.#answer(
      "describe",
      [...sentences, `This session may still spend ${session.left}. ${asking}`],
      {
        analyst,
        datasets,
        session: { cap: lossView(session.cap), remaining: lossView(session.remaining), asking },
      },
    );
  }

  async #plan(args: unknown, signal: AbortSignal): Promise<Answer> {
    const { service, analyst } = this.#options;
    const { dataset: name, ...ask } = readArguments("plan", args);
    const plan = await service.plan(analyst, name, ask, { signal });
    return this.#answer("plan", [`It would cost ${plan.loss.readable}.`, ...plan.notes], plan, name);
  }

  async #cost(args: unknown): Promise<Answer> {
    const { service, analyst, session } = this.#options;
    const { dataset: name, ...ask } = readArguments("cost", args);
    const cost = await service.cost(analyst, name, ask);
    const fits = session.admits(priceOf(cost));
    const sentences = [
      cost.readable,
      ...(cost.refusal === undefined ? [] : [cost.refusal]),
      `This session may still spend ${session.left}: ${fits ? "enough" : "too little"}.`,
    ];
    const left = { remaining: lossView(session.remaining), fits };
    return this.#answer("cost", sentences, { ...cost, session: left }, name);
  }

  async #release(args: unknown, { mcpReq }: ServerContext, isAskable: boolean): Promise<Answer> {
    const { service, analyst, session } = this.#options;
    const { dataset: name, again, ...ask } = readArguments("release", args);
    const cost = await service.cost(analyst, name, ask);
    const key = await keyOf(analyst, name, cost.question, again);
    const stored = await service.stored(analyst, name, ask, key);
    if (stored !== undefined) return this.#released({ release: stored, isStored: true }, name);
    const price = priceOf(cost);
    if (cost.refusal !== undefined) throw new Refusal("over-budget", cost.refusal);
    session.admit(price);
    if (session.asking === "always" && !isAskable)
      throw new Refusal(
        "unconfirmed",
        "The client can't ask the person (it has no form elicitation), and the person who started this server wants to be asked. Nothing was charged.",
      );
    if (session.asking !== "never" && isAskable) {
      const response = inputResponse(mcpReq.inputResponses, ANSWER);
      if (response.kind !== "elicit") {
        const budget = await service.budget(analyst, name);
        const token = session.ask(key);
        this.#tell({ event: "tool", tool: "release", dataset: name, outcome: "asked" });
        return askPerson(messageFor({ cost, budget, session, again }), token);
      }
      session.agreed(mcpReq.requestState<string>(), key, response.action);
    }
    const signal = AbortSignal.any([mcpReq.signal, this.#options.signal]);
    const arrivedAt = this.#grid.now();
    const release = () => service.release(analyst, name, ask, key, { signal, arrivedAt });
    try {
      return await this.#released(await session.spend(price, release, isSpent), name);
    } finally {
      await this.#grid.leave(arrivedAt);
    }
  }

  async #released({ release, isStored }: NewOrStored, name: string): Promise<Answer> {
    const { session } = this.#options;
    const { id, dataset: account, time, question, loss, charge, ledger, notes, answer } = release;
    this.#tell({
      event: "tool",
      tool: "release",
      dataset: name,
      id,
      outcome: isStored ? "stored" : "recorded",
    });
    const structured = {
      ...{
        id,
        dataset: account,
        time,
        question,
        loss,
        ...(charge !== undefined && { charge }),
        ledger,
        notes,
      },
      stored: isStored,
      released: answer.released,
      ordered: answer.ordered,
      rows: rowsOf(release),
      ...(answer.frequencies !== undefined && { frequencies: answer.frequencies }),
      ...(answer.groups !== undefined && { groups: groupsOf(release) }),
      counted: countedInWords(question),
      warning: WARNING,
      session: { remaining: lossView(session.remaining) },
    };
    const paid = isStored
      ? "This is the stored answer; it cost nothing now."
      : `${paidFor(release)} was charged; this session may still spend ${session.left}.`;
    const head = [paid, `It is release ${id}, entry ${ledger.sequence} of the ledger.`, ...notes].join(" ");
    return {
      content: [{ type: "text", text: `${head}\n\n${answerText(release)}` }],
      structuredContent: structured,
    };
  }

  async #verify(args: unknown): Promise<Answer> {
    const { service, analyst } = this.#options;
    const { release: id } = readArguments("verify", args);
    const [release, proof] = [await service.find(analyst, id), await service.proof(analyst, id)];
    if (release === undefined || proof === undefined)
      throw new Refusal("not-found", "There is no release of yours with this id.");
    const { dataset: account, time, loss, charge, ledger } = release;
    const findings = (await verifyInclusion(release, proof)).map(({ sentence }) => sentence);
    const sentences = [
      `Release ${id} is entry ${ledger.sequence} of the ledger, and ${paidFor(release)} was charged to "${account}".`,
      ...(findings.length > 0
        ? findings
        : [`The proof leads from it to the root ${proof.root} of ${proof.size} entries.`]),
    ];
    const paper = { id, dataset: account, time, loss, ...(charge !== undefined && { charge }), ledger };
    return this.#answer("verify", sentences, { ...paper, head: await service.head(), proof, findings });
  }

  #answer(tool: ToolName, sentences: readonly string[], structuredContent: object, name?: string): Answer {
    this.#tell({ event: "tool", tool, ...(name !== undefined && { dataset: name }), outcome: "answered" });
    return {
      content: [{ type: "text", text: sentences.join("\n") }],
      structuredContent: structuredContent as Record<string, unknown>,
    };
  }

  /** The data set of a refused call, if there is one of that name: anything else is the agent's text. */
  #known(args: unknown): { readonly dataset?: string } {
    const { config } = this.#options.service;
    const name: unknown =
      typeof args === "object" && args !== null && "dataset" in args ? args.dataset : undefined;
    return typeof name === "string" && Object.hasOwn(config.datasets, name) ? { dataset: name } : {};
  }

  #tell(event: AgentEvent): void {
    this.#options.onEvent?.(event);
  }
}

/** A list that ended early may be counted as less than it promises. */
function paidFor({ loss, charge }: RecordedAnswer): string {
  if (charge === undefined) return loss.readable;
  return `${charge.settled.readable} of the ${charge.reserved.readable} set aside`;
}

/** The key of one question of one analyst, in this session and in others. */
async function keyOf(analyst: string, name: string, question: Question, again?: string): Promise<string> {
  const hash = await hashText(canonicalJson({ analyst, dataset: name, question, again: again ?? null }));
  return `mcp-${hash.slice(0, 40)}`;
}

function lossView(loss: Loss) {
  return { ...lossToJson(loss), readable: readableLoss(loss, "down") };
}

/** After these the ledger may hold a charge. */
const MAYBE_CHARGED: readonly ProblemCode[] = [
  "charge-unknown",
  "count-failed",
  "still-running",
  "unexpected",
];

function isSpent(outcome: Outcome<NewOrStored>): boolean {
  if ("result" in outcome) return !outcome.result.isStored;
  return MAYBE_CHARGED.includes(problemOf(outcome.error).code);
}

/** "epsilon up to 1, delta up to 1e-6". */
function sizesOf(largest: Readonly<Record<string, string>>): string {
  return Object.entries(largest)
    .map(([field, size]) => `${field} up to ${size}`)
    .join(", ");
}

/**
 * Serves one client on standard input and output until it hangs up or the signal is given; then what has begun is recorded
 * or given up.
 */
export async function serveAgent(options: AgentOptions): Promise<void> {
  const { service, signal, onEvent } = options;
  const hungUp = new AbortController();
  const tools = new AgentTools({ ...options, signal: AbortSignal.any([signal, hungUp.signal]) });
  const messages = new Messages((invalid) => {
    onEvent?.({ event: "protocol-error" });
    process.stdout.write(`${JSON.stringify(invalid)}\n`);
  });
  process.stdin.pipe(messages);
  const transport = new StdioServerTransport(messages, process.stdout, {
    maxBufferSize: 2 * LONGEST_MESSAGE,
  });
  const connection = serveStdio(() => tools.createServer(), {
    transport,
    // The text of such an error may quote what was sent.
    onerror: () => onEvent?.({ event: "protocol-error" }),
  });
  const { onclose } = transport;
  await new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.();
      hungUp.abort();
      resolve();
    };
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await service.stop();
  await tools.idle();
  await service.close();
  await connection.close();
  process.stdin.unpipe(messages).pause();
}
