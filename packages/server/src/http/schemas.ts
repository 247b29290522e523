/**
 * The shapes of everything that the service answers with. The OpenAPI document is generated from them, and tests hold every
 * answer against them, so the document can't promise what the service doesn't send.
 * @module
 */
import { z } from "zod";
import { Ask } from "../ask.js";
import { KINDS, MECHANISM_NAMES } from "../config.js";
import { PROBLEM_CODES, type ProblemCode } from "../problems.js";

const text = z.string();
const share = z.number().min(0).max(1);
const count = z.int().min(0);
const hash = text.regex(/^[\da-f]{64}$/).meta({ description: "SHA-256 in hexadecimal." });

/** An exact number: "1/3", "0.5". */
const exactText = text.meta({ description: "An exact number as text." });

const Loss = z
  .object({
    measure: z.enum(["pure", "base2", "zcdp", "approx", "renyi"]),
    epsilon: exactText.optional(),
    rho: exactText.optional(),
    eta: exactText.optional(),
    delta: exactText.optional(),
    order: exactText.optional(),
    readable: text.meta({
      description: "The same in words; losses are rounded up, what is left is rounded down.",
    }),
  })
  .meta({ description: "A privacy loss or a limit, in one measure." });

const Domain = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("listed"), size: count, hash: text }),
    z.object({ kind: z.literal("integers"), below: count }),
    z.object({ kind: z.literal("unknown") }),
    z.object({ kind: z.literal("grid"), lower: exactText, upper: exactText, step: exactText }),
  ])
  .meta({ description: "The candidates. A public list is described by its size and hash." });

const groupName = z
  .array(text)
  .min(1)
  .max(2)
  .meta({ description: "The texts of a group, one for each column." });

const Groups = z
  .object({
    by: z.array(text).meta({ description: "The columns of the groups." }),
    list: z.object({ kind: z.literal("listed"), size: count, hash: text }),
    maxGroupsPerUser: count.meta({ description: "Each person counts in at most so many groups." }),
  })
  .meta({ description: "The public list of groups; each has an answer of its own." });

const Promised = z
  .object({
    unit: z.enum(["person", "person-period"]),
    period: z.enum(["day", "week", "month"]),
    first: text,
    horizon: count,
    maxPeriodsPerUser: count.optional(),
  })
  .meta({ description: "What the budget promises over time; each question is about one of its periods." });

const neighbours = z.enum(["add-remove", "replace"]);
const mechanismName = z.enum(MECHANISM_NAMES);
const kind = z.enum(KINDS);

const Question = z
  .object({
    kind,
    k: count,
    domain: Domain,
    neighbours,
    mechanism: mechanismName,
    epsilon: exactText.optional(),
    rho: exactText.optional(),
    delta: exactText.optional(),
    resolution: exactText.optional(),
    counts: z.literal(true).optional(),
    maxItemsPerUser: count.optional(),
    quantiles: z.array(exactText).optional(),
    atMost: count.optional(),
    outsiderShare: exactText.optional(),
    groups: Groups.optional(),
    where: text.optional().meta({ description: "Which rows count, in canonical form." }),
    period: z.object({ name: text, promise: Promised, key: text.optional() }).optional(),
    unit: text,
  })
  .meta({ description: "The question in canonical form, with everything that the configuration adds." });

const Mechanism = z.object({ name: mechanismName, parameters: z.record(z.string(), text) });

const Dataset = z
  .object({
    name: text,
    account: text.meta({ description: "In the ledger; data sets with one account share its budget." }),
    unit: text.meta({ description: "What one person is." }),
    neighbours,
    domain: Domain,
    maxItemsPerUser: count.optional(),
    groups: Groups.optional(),
    where: text.optional().meta({ description: "The operator's condition on rows, part of every question." }),
    conditions: z
      .array(z.object({ column: text, type: z.enum(["text", "date", "decimal"]) }))
      .optional()
      .meta({ description: "The columns that `where` of a question may read." }),
    periods: Promised.optional(),
    kinds: z.array(kind),
    mechanisms: z.array(mechanismName),
    largest: z.object({
      k: count,
      epsilon: exactText.optional(),
      rho: exactText.optional(),
      delta: exactText.optional(),
    }),
    maxAge: count.meta({ description: "In seconds: how old counts may be. 0 counts for each release." }),
    counted: z.object({ began: text, seconds: count }).optional(),
  })
  .meta({ description: "What may be asked of a data set: public values only." });

const needed = z.discriminatedUnion("over", [
  z.object({ over: z.literal("outsiders"), users: z.number(), candidates: count }),
  z.object({ over: z.literal("none"), users: z.number(), maxItemsPerUser: count }),
  z.object({ over: z.literal("next"), users: z.number() }),
]);

const Plan = z
  .object({
    dataset: text,
    question: Question,
    mechanism: Mechanism,
    loss: Loss,
    lead: z.object({ confidence: exactText, below: exactText, above: exactText }).optional(),
    count: z
      .object({ confidence: exactText, halfWidth: exactText, simultaneous: exactText, isShared: z.boolean() })
      .optional(),
    rankErrors: z.array(z.object({ quantile: exactText, ranks: exactText, share: exactText })).optional(),
    needed: needed.optional(),
    preview: z
      .object({
        runs: count,
        recall: share,
        released: share,
        leadError: z.number().optional(),
        countError: z.number().optional(),
      })
      .optional(),
    notes: z.array(text),
  })
  .meta({ description: "What an answer would be worth, from public values alone." });

const Cost = z
  .object({
    dataset: text,
    question: Question,
    loss: Loss,
    reserved: Loss,
    fits: z.boolean(),
    refusal: text.optional(),
    more: count.optional(),
    readable: text,
  })
  .meta({ description: "What a release would cost, and whether that fits the budget and your cap now." });

const Balance = z.object({ limit: Loss, spent: Loss, remaining: Loss, releases: count });

const Budget = z
  .object({ dataset: text, budget: Balance, cap: Balance, readable: text })
  .meta({ description: "What is left of the data set's budget and of your cap." });

const answerFields = {
  released: z.boolean(),
  k: count,
  winners: z.array(
    z.object({
      item: text.meta({ description: "Text from strangers: escape it wherever you show it." }),
      quantile: exactText.optional(),
      gap: exactText.optional(),
      count: exactText.optional(),
    }),
  ),
  frequencies: z.array(z.object({ users: count, items: count })).optional(),
  ordered: z.boolean(),
  stopped: z.boolean().optional(),
};

const Release = z
  .object({
    schema: text,
    id: text,
    dataset: text.meta({ description: "The account in the ledger." }),
    analyst: text.optional(),
    time: text.meta({ description: "When it was asked for." }),
    software: z.object({ name: text, version: text, packages: z.record(z.string(), text) }),
    question: Question,
    mechanism: Mechanism,
    loss: Loss,
    charge: z.object({ reserved: Loss, settled: Loss }).optional(),
    answer: z.object({
      ...answerFields,
      groups: z
        .array(z.object({ name: groupName, answer: z.object(answerFields) }))
        .optional()
        .meta({
          description:
            "Instead of winners, where the data set has groups: one answer for each, in their order.",
        }),
      counted: text.optional().meta({
        description:
          "What the numbers count, where each user counts for a limited number of items or values; otherwise they count users.",
      }),
    }),
    source: z.object({ name: text.optional(), item: text, user: text, dialect: z.record(z.string(), text) }),
    notes: z.array(text),
    ledger: z.object({
      sequence: count,
      head: text,
      witnessed: z
        .object({ previous: hash, path: z.array(hash), note: text })
        .optional()
        .meta({
          description:
            "A signed head of the ledger, where the operator has witnesses; `winnow verify --policy`.",
        }),
    }),
  })
  .meta({ description: "A recorded release; see the guide to releases." });

const Releases = z.object({
  releases: z.array(Release),
  next: count.optional().meta({ description: "Pass it as `before` for the next page; absent on the last." }),
});

const Head = z.object({ sequence: count, hash: text, root: text }).meta({
  description: "The last entry of the ledger, and the root of the tree over the hashes of all entries.",
});

const Proof = z
  .object({
    schema: text,
    id: text,
    sequence: count.meta({ description: "The number of the release's entry." }),
    hash,
    previous: hash,
    size: count.meta({ description: "How many entries are under the root." }),
    root: hash,
    path: z.array(hash),
  })
  .meta({
    description: "That a release is an entry of the ledger with this root; `winnow verify` checks it.",
  });

const treeHead = z.object({ size: count, root: hash });

const Consistency = z.object({ first: treeHead, second: treeHead, path: z.array(hash) }).meta({
  description: "That the entries under the first root are the first of those under the second.",
});

const codes = PROBLEM_CODES as [ProblemCode, ...ProblemCode[]];

const ProblemSchema = z
  .object({
    type: z.url().meta({ description: "The entry of the error catalogue." }),
    title: text,
    status: z.int(),
    code: z.enum(codes),
    detail: text,
    release: text.optional().meta({ description: "The id of the release that may have been charged." }),
  })
  .meta({ description: "Why the request was refused (RFC 9457). It holds public values only." });

/** By their names in the OpenAPI document. */
export const SCHEMAS = {
  Ask,
  Loss,
  Domain,
  Question,
  Dataset,
  Datasets: z.object({ datasets: z.array(Dataset) }),
  Plan,
  Cost,
  Budget,
  Release,
  Releases,
  Head,
  Proof,
  Consistency,
  Health: z.object({
    status: z.enum(["ok", "starting", "stopping", "failing"]),
    reason: text.optional().meta({ description: "Why requests won't be served." }),
  }),
  Problem: ProblemSchema,
} as const;

export type SchemaName = keyof typeof SCHEMAS;
