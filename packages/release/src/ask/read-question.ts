/**
 * A question as a person or a program puts it becomes a question in canonical form, or is refused. The rules of the mechanisms
 * say which of them may answer which question. Pure ε is only promised over public candidates. Items that only the data mention
 * can be named by mechanisms for unknown domains alone, which pay δ for it.
 * @module
 */
import { invalidParameter, Rational, type RationalLike, rational } from "winnow-dp";
import type { Shape } from "../kinds/kind.js";
import { kindOf } from "../kinds/kinds.js";
import { answersPayDelta, selectionQuestion, subQuestion } from "../mechanisms/in-groups.js";
import type { Mechanism } from "../mechanisms/mechanism.js";
import { MECHANISMS } from "../mechanisms/mechanisms.js";
import { mechanismFor } from "../mechanisms/of-question.js";
import { type Domain, sizeOf } from "../question/domain.js";
import { readGrid } from "../question/grid.js";
import { groupDelta, groupParts, HALF, selectionSplit } from "../question/groups.js";
import { itemText, readItems } from "../question/items.js";
import { readPeriod } from "../question/period.js";
import { type GroupsInput, MOST_WINNERS, type Question, type QuestionInput } from "../question/question.js";
import { readShares } from "../question/shares.js";
import { predicateText, readPredicate } from "../question/where.js";
import { canAnswer, NOTHING_OPEN } from "./can-answer.js";
import { usualMechanism } from "./choose.js";
import { readGroups } from "./read-groups.js";

/** The question in canonical form. Throws a WinnowError ("invalid-parameter") on what cannot be asked. */
export function readQuestion(input: QuestionInput): Question {
  const { groups, ...plain } = input;
  return groups === undefined ? readPlain(plain) : readGrouped(plain, groups);
}

/**
 * The questions of its groups decide what it is: the mechanism must suit their part of the budget, and each of them must be one that
 * could be asked.
 */
function readGrouped(input: QuestionInput, given: GroupsInput): Question {
  const { epsilon, rho, delta, neighbours = "add-remove" } = input;
  const budget = { ...positive("epsilon", epsilon), ...positive("rho", rho) };
  if (Object.keys(budget).length !== 1)
    throw invalidParameter(
      "budget",
      "exactly one of epsilon and rho",
      epsilon === undefined ? "none" : "both",
    );
  const [size, text] = Object.entries(budget)[0] as ["epsilon" | "rho", string];
  const whole = positive("delta", delta);
  const groups = readGroups(given, rational(text));
  const isSelected = groups.list === "selected";
  if (isSelected && whole.delta === undefined)
    throw invalidParameter(
      "delta",
      "a rational above 0 and below 1, because the names of groups come from the rows",
      "none",
    );
  const answers = isSelected ? selectionSplit(rational(text)).answers : rational(text);
  const share = whole.delta === undefined ? undefined : groupDelta(rational(whole.delta), groups, neighbours);
  const isHalf = isSelected && paysDelta(input);
  const paid = isSelected && !isHalf ? undefined : share?.times(isHalf ? HALF : Rational.ONE);
  const { ofGroup, common } = groupParts(answers, groups);
  const part = common ?? ofGroup.values().next().value;
  const { unit, ...one } = readPlain({ ...input, ...{ [size]: part, delta: paid } });
  const isSpent = isSelected || one.delta !== undefined;
  const question = { ...one, ...budget, ...(isSpent && whole), groups, unit };
  for (const { group } of groups.budgets ?? []) readPlain(subQuestion(question, group));
  const selection = selectionQuestion(question);
  if (selection !== undefined) readPlain(selection);
  return question;
}

/** Whether the answers in selected groups pay a part of δ: where some mechanism for such a question must. */
function paysDelta({ mechanism, kind, domain }: QuestionInput): boolean {
  if (mechanism !== undefined) return answersPayDelta({ mechanism });
  const { name } = kindOf({ kind });
  return MECHANISMS.some(
    ({ rules }) => rules.kind === name && rules.delta === "needed" && rules.domains.includes(domain.kind),
  );
}

function readPlain(input: QuestionInput): Question {
  const { name: kind, shape, defaults: usual } = kindOf(input);
  const shares = shape === "values" ? readShares(input.quantiles) : undefined;
  const k = shares?.length ?? input.k ?? usual.k;
  if (k === undefined || !Number.isSafeInteger(k) || k < 1) throw invalidParameter("k", "an integer >= 1", k);
  if (k > MOST_WINNERS) throw invalidParameter("k", `an integer from 1 to ${MOST_WINNERS}`, k);
  const neighbours = input.neighbours ?? "add-remove";
  if (neighbours !== "add-remove" && neighbours !== "replace")
    throw invalidParameter("neighbours", '"add-remove" or "replace"', neighbours);
  if (typeof input.unit !== "string" || input.unit.trim() === "")
    throw invalidParameter(
      "unit",
      'a text that says what one person is, such as "one value of column user"',
      input.unit,
    );
  const { counts = false, set = false } = input;
  for (const [field, value] of Object.entries({ counts, set }))
    if (typeof value !== "boolean") throw invalidParameter(field, "true or false", value);
  const domain = readDomain(input.domain);
  const given = input.maxItemsPerUser ?? usual.maxItemsPerUser;
  const bound = given === undefined ? undefined : positiveInteger("maxItemsPerUser", given);
  const asked = { kind, domain: domain.kind, size: sizeOf(domain) };
  const { epsilon, rho, delta, resolution } = input;
  const budget = { epsilon, rho, delta };
  const mechanism =
    input.mechanism === undefined
      ? usualMechanism({
          ...asked,
          k,
          ...budget,
          neighbours,
          resolution,
          counts,
          set,
          maxItemsPerUser: bound,
        })
      : mechanismFor({ mechanism: input.mechanism });
  const { name, rules, defaults } = mechanism;
  if (set && !rules.isSet) throw invalidParameter("set", `absent with ${name}, which gives an order`, set);
  const outsiderShare = input.outsiderShare ?? defaults?.outsiderShare;
  const isBounded = bound !== undefined && (input.mechanism !== undefined || rules.bound !== "possible");
  const question: Question = {
    kind,
    k,
    domain,
    neighbours,
    mechanism: name,
    ...positive("epsilon", epsilon),
    ...positive("rho", rho),
    ...(isDeltaSpare(input, mechanism) ? {} : positive("delta", delta)),
    ...positive("resolution", resolution ?? defaults?.resolution),
    ...((counts || rules.counts === "always") && { counts: true }),
    ...(isBounded && { maxItemsPerUser: bound }),
    ...(shares !== undefined && { quantiles: shares }),
    ...(input.atMost !== undefined && { atMost: positiveInteger("atMost", input.atMost) }),
    ...(outsiderShare !== undefined && { outsiderShare: shareText(outsiderShare) }),
    ...itemsIn(input, shape),
    ...(input.where !== undefined && { where: predicateText(readPredicate(input.where, input.types)) }),
    ...(input.period !== undefined && { period: readPeriod(input.period) }),
    unit: input.unit.trim(),
  };
  const fits = canAnswer(mechanism, { ...question, ...asked, ...NOTHING_OPEN });
  if (fits !== true) throw fits;
  mechanism.check?.(question);
  return question;
}

/** The items of a row, and the map of them. */
function itemsIn({ items, map }: QuestionInput, shape: Shape): Pick<Question, "items" | "map"> {
  if (items === undefined && map === undefined) return {};
  if (shape === "values")
    throw invalidParameter(items === undefined ? "map" : "items", "absent where numbers are counted");
  if (
    map !== undefined &&
    !(
      typeof map === "object" &&
      map !== null &&
      HASH.test(map.hash) &&
      Number.isSafeInteger(map.size) &&
      map.size > 0
    )
  )
    throw invalidParameter("map", "the size and the hash of a public map", undefined);
  return {
    ...(items !== undefined && { items: readItems(items).map(itemText) }),
    ...(map !== undefined && { map: { size: map.size, hash: map.hash } }),
  };
}

function shareText(value: RationalLike): string {
  const share = rational(value, "outsiderShare");
  if (share.numerator < 0n || share.compare(1n) > 0)
    throw invalidParameter("outsiderShare", "a rational from 0 to 1", value);
  return String(share);
}

/** Whether a δ may be spent on such a question, and the mechanism that was chosen for it does better without. */
function isDeltaSpare(
  { mechanism, rho, delta, domain }: QuestionInput,
  { rules: { kind, ...chosen } }: Mechanism,
): boolean {
  if (mechanism !== undefined || rho !== undefined || chosen.delta !== "none" || chosen.isSet) return false;
  if (delta === undefined || rational(positive("delta", delta).delta ?? 1n).compare(1n) >= 0) return false;
  return MECHANISMS.some(
    ({ rules }) => rules.kind === kind && rules.delta === "possible" && rules.domains.includes(domain.kind),
  );
}

/** Beyond any meaning, and well within what the mechanisms compute with. */
const [LEAST, MOST] = ["1e-200", "1e200"].map((text) => rational(text));

/** `{ [field]: canonical text }`, or nothing. */
function positive<Field extends string>(
  field: Field,
  value: RationalLike | undefined,
): { readonly [F in Field]?: string } {
  if (value === undefined) return {};
  const size = rational(value, field);
  if (size.numerator <= 0n) throw invalidParameter(field, "a rational > 0", value);
  if (size.compare(LEAST) < 0 || size.compare(MOST) > 0)
    throw invalidParameter(field, "a rational from 1e-200 to 1e200", value);
  return { [field]: String(size) } as { readonly [F in Field]: string };
}

const HASH = /^[\da-f]{64}$/;

function readDomain(domain: QuestionInput["domain"]): Domain {
  const kind: unknown = domain?.kind;
  switch (domain?.kind) {
    case "listed":
      if (!HASH.test(domain.hash))
        throw invalidParameter("domain.hash", "64 hexadecimal digits", domain.hash);
      return { kind: "listed", size: positiveInteger("domain.size", domain.size), hash: domain.hash };
    case "integers":
      return { kind: "integers", below: positiveInteger("domain.below", domain.below) };
    case "unknown":
      return { kind: "unknown" };
    case "grid":
      return readGrid(domain);
    default:
      throw invalidParameter("domain.kind", '"listed", "integers", "unknown" or "grid"', kind);
  }
}

function positiveInteger(field: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw invalidParameter(field, "an integer >= 1", value);
  return value;
}
