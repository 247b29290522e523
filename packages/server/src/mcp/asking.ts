/**
 * The question to the person before a spend (elicitation), in the client's own window: who asks for what, what it costs in
 * words, and what is left. It is made of the operator's words, numbers and a label without spaces; an agent can't put a
 * sentence of its own into it, and nothing in it comes from rows.
 * @module
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type Loss, lossFromJson, rational } from "winnow-dp";
import {
  columnsOf,
  concernAbout,
  deltaInWords,
  kindOf,
  neighboursInWords,
  promiseInWords,
  readPredicate,
} from "winnow-release";
import type { Cost, DatasetBudget } from "../prices.js";
import type { AgentSession, Asking } from "./session.js";

export const ASKING_IN_WORDS: Readonly<Record<Asking, string>> = {
  always: "The person is asked before each new release; a client that can't ask gets none.",
  "when-possible": "The person is asked before each new release if the client can ask.",
  never: "Releases within the caps are made without asking.",
};

/**
 * Whether the client says that it shows forms, at its start or with this request: a bare `elicitation` means forms, as in the
 * first revision that had it. A client that has said so once is always asked, so one request can't switch that off.
 */
export function canAsk({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  return [envelope?.[CLIENT_CAPABILITIES_META_KEY], server.getClientCapabilities()].some((declared) => {
    const elicitation = declared?.elicitation;
    return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  });
}

/** The key of the person's answer among the responses. */
export const ANSWER = "spend";

/** The person accepts or declines; there is nothing to fill in. */
const NO_FIELDS = { type: "object" as const, properties: {} };

/** Asks through the client, which calls again with the answer and the token. */
export function askPerson(message: string, token: string): InputRequiredResult {
  const question = inputRequired.elicit({ message, requestedSchema: NO_FIELDS });
  return inputRequired({ requestState: token, inputRequests: { [ANSWER]: question } });
}

/** What the release would spend. */
export interface Spend {
  readonly cost: Cost;
  readonly budget: DatasetBudget;
  readonly session: AgentSession;
  /** The label of a deliberate repetition. */
  readonly again?: string | undefined;
}

export function messageFor({ cost, budget, session, again }: Spend): string {
  const { dataset, question, readable } = cost;
  const fresh = again === undefined ? "" : `, a fresh answer labelled "${again}"`;
  return [
    `An agent asks Winnow to release ${kindOf(question).wanted(question)} of "${dataset}"${fresh}.`,
    ...conditionIn(question),
    `${promiseInWords(priceOf(cost), neighboursInWords(question.neighbours))}${riskOf(cost)} A price that is paid doesn't come back.`,
    `${readable} ${budget.readable}`,
    `This session may still spend ${session.left}.`,
    "Accept to pay the price and show the answer to the agent.",
  ].join("\n");
}

/** The columns of the condition and the period, which are the operator's words: a text of an agent in the condition isn't shown. */
function conditionIn({ where, period }: Cost["question"]): string[] {
  if (where === undefined) return [];
  const about = period === undefined ? "" : ` It is about ${period.name}.`;
  return [`Only rows count that fit a condition on ${columnsOf(readPredicate(where)).join(", ")}.${about}`];
}

/** What δ means for someone with something unique, and the concern about a price that protects hardly anyone. */
function riskOf(cost: Cost): string {
  const { delta } = cost.question;
  const unique = delta === undefined ? "" : ` Besides, ${deltaInWords(rational(delta))}.`;
  const concern = concernAbout(priceOf(cost));
  return concern === undefined ? unique : ` ${concern}`;
}

/** The whole loss, also where the account counts less. */
export function priceOf({ loss: { readable: _, ...loss } }: Pick<Cost, "loss">): Loss {
  return lossFromJson(loss);
}
