/**
 * A release as a record of the registry of differential privacy deployments (opendp/deployments-registry-data): a draft
 * in YAML that is valid against the registry's schema.
 *
 * Winnow fills in what it knows: the variant, the unit, the parameters, the mechanism and the accounting. It can't know
 * who publishes the answer, for whom and where, so these fields say `FILL IN`, and the status is `Draft`.
 *
 * The schema wants ε, δ and ρ as numbers. They are decimals, rounded up where the exact value has too many digits. The
 * exact fractions stand in `privacy_parameters_details` as text.
 *
 * The registry renders texts as Markdown with formulas, so a name can't bring markup, and every text is in double quotes,
 * so a name can't end it, start a field, or become a number or a date.
 * @module
 */
import { isBounded, type Loss, lossFromJson, type Rational } from "winnow-dp";
import { decimalText } from "../document/loss-text.js";
import type { NewRelease, Release } from "../document/release-document.js";
import { kindOf } from "../kinds/kinds.js";
import { neighboursInWords } from "../question/labels.js";
import { groupColumns, groupLimitInWords, groupsInWords } from "../render/group-releases.js";
import { boundInWords, domainInWords, headline, mechanismInWords } from "../render/in-words.js";
import { type BudgetLeft, statement } from "../render/statement.js";
import { visible } from "../words/neutralise.js";
import { numberOf } from "../words/sentences.js";

/** Marks a field that only the publisher can fill in. */
export const FILL_IN = "FILL IN";

/** The record as YAML. `budget` is what the ledger says after the release. */
export function toRegistryRecord(release: Release | NewRelease, budget: BudgetLeft = {}): string {
  const { question, mechanism, loss, software, source, dataset, time } = release;
  const { text, paragraph, fields } = statement(release, budget);
  const published = lossFromJson(loss);
  const name = `${headline(release)} (${dataset})`;
  const basic = {
    name,
    data_curators: [`${FILL_IN}: the organisation that publishes the answer`],
    intended_use: `${FILL_IN}: what the answer is for`,
    data_product_type: "Summary statistics",
    data_product_region: `${FILL_IN}: the region that the data are about, or whose rules apply`,
    description: paragraph,
    publication_date: time.slice(0, 10),
  };
  const value = (wanted: string) => fields.find(([field]) => field === wanted)?.[1] ?? "";
  const deployment = {
    basic,
    dp_variant: {
      variant_name: variantOf(published),
      data_domain: `Rows with a column of ${kindOf(question).shape === "values" ? "values" : "items"} (${source.item}) and a column that identifies people (${source.user})`,
      unprotected_quantities: `None. The candidates are ${domainInWords(question.domain)}; columns, format and parameters are public inputs`,
    },
    privacy_loss: {
      privacy_unit: question.unit,
      privacy_unit_details: `Two data sets are adjacent if ${neighboursInWords(question.neighbours)}, with all of that person's rows`,
      privacy_parameters: parametersOf(published),
      privacy_parameters_details: `Exactly: ${value("Privacy loss, exactly")}`,
    },
    deployment_model: {
      model_name: "Central",
      model_name_details: "A curator holds the rows and publishes the answer",
      release_type: "One release",
      release_type_details: budgetIn(text, budget),
      access_type: "Non-interactive",
    },
    accounting: {
      post_processing: "None: the answer is published as the mechanism drew it",
      composition: budgetIn(text, budget),
    },
    implementation: {
      preprocessing_and_hyperparameter_tuning: preprocessing(release),
      mechanisms: `${mechanismInWords(mechanism.name, mechanism.parameters)}; ${value("Parameters")}. ${SECURITY} Software: ${software.name} ${software.version}`,
    },
    administrative: {
      notes: `Release ${release.id}${value("Ledger") && `, recorded in its ledger at ${value("Ledger")}`}`,
      registry_authors: [`${FILL_IN}: who wrote this record`],
    },
  };
  const slug = slugOf([name, basic.data_curators.join("-"), time.slice(0, 4)]);
  return `url_slug: ${slug}\nstatus: Draft\ntier: 2\n${yaml({ deployment })}`;
}

/** What happened to the rows before they were counted: the query that selected them, what was trusted, and the bound. */
function preprocessing({ question, source, notes }: Release | NewRelease): string {
  const { maxItemsPerUser, groups, where, items, map } = question;
  const { query } = source.dialect;
  const bound =
    maxItemsPerUser === undefined
      ? "Each person counts once for each of their items"
      : `By a keyed hash, ${boundInWords(question)}`;
  const before = [
    ...(query === undefined ? [] : [`The rows are those of the query: ${query}`]),
    ...(where === undefined ? [] : [`Only rows count for which ${where}`]),
    ...(items === undefined ? [] : [`Each row counts for ${items.join(" and ")}`]),
    ...(map === undefined
      ? []
      : [`Items are replaced as a public map of ${numberOf(map.size, "item")} says`]),
    ...notes,
  ];
  const inGroups =
    groups === undefined
      ? []
      : [
          `There is one answer for each group by ${groupColumns(groups)}, ${groupsInWords(groups)}`,
          `By a keyed hash, ${groupLimitInWords(groups)}`,
        ];
  const none = before.length + inGroups.length === 0 && maxItemsPerUser === undefined ? ["None"] : [];
  return [...none, ...before, ...inGroups, bound].map((sentence) => sentence.replace(/\.$/, "")).join(". ");
}

const SECURITY =
  "Noise is drawn from the system's cryptographic generator and compared exactly, in integers and rationals, so floating-point rounding decides nothing.";

function variantOf(loss: Loss): string {
  switch (loss.measure) {
    case "pure":
      return "Pure DP";
    case "approx":
      return "Approximate DP";
    case "zcdp":
      return loss.delta === undefined ? "Zero-concentrated DP" : "Custom";
    default:
      return "Custom";
  }
}

/** Those that the schema knows and that are finite. */
function parametersOf(loss: Loss): Record<string, Rational> {
  const { epsilon, delta, rho } = loss as Partial<Record<"epsilon" | "delta" | "rho", Rational>>;
  const known = Object.entries({ epsilon, delta, rho });
  return Object.fromEntries(
    known.flatMap(([name, size]) => (size !== undefined && isBounded(size) ? [[name, size]] : [])),
  );
}

/** The statement's sentence on what all releases together have cost, if the ledger said. */
function budgetIn(text: string, { limit, spent }: BudgetLeft): string {
  const alone = "This release was charged to a ledger before it was published, and its losses add up";
  if (limit === undefined && spent === undefined) return alone;
  const sentence = /(?:Of the budget|All releases about this data set together).*/.exec(text)?.[0] ?? "";
  return `${alone}. ${sentence}`;
}

/** As the registry makes it from these fields: letters and digits with hyphens between, which YAML reads as a text. */
function slugOf(parts: readonly string[]): string {
  return parts.map((part) => part.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-")).join("-");
}

type Yaml = string | Rational | readonly string[] | { readonly [name: string]: Yaml };

function yaml(fields: { readonly [name: string]: Yaml }, indent = ""): string {
  return Object.entries(fields)
    .map(([name, value]) => `${indent}${name}:${yamlValue(value, indent)}\n`)
    .join("");
}

function yamlValue(value: Yaml, indent: string): string {
  if (typeof value === "string") return ` ${quoted(value)}`;
  if (isList(value)) return value.map((text) => `\n${indent}  - ${quoted(text)}`).join("");
  if (isNumber(value)) return ` ${numberText(value)}`;
  return Object.keys(value).length === 0 ? " {}" : `\n${yaml(value, `${indent}  `).trimEnd()}`;
}

function isList(value: Yaml): value is readonly string[] {
  return Array.isArray(value);
}

function isNumber(value: Yaml): value is Rational {
  return typeof value === "object" && "numerator" in value;
}

/** YAML 1.1 takes 1e-6 for a text: a number needs a point, and its exponent a sign. */
function numberText(size: Rational): string {
  const [digits, exponent] = decimalText(size, "up").split("e");
  const mantissa = digits.includes(".") ? digits : `${digits}.0`;
  return exponent === undefined ? mantissa : `${mantissa}e${exponent.startsWith("-") ? "" : "+"}${exponent}`;
}

/** A JSON string is a double-quoted text of YAML. */
function quoted(text: string): string {
  return JSON.stringify(plainMarkdown(visible(text)));
}

/** Markup becomes the characters that it is made of. The registry refuses two backslashes, so one is an entity. */
function plainMarkdown(text: string): string {
  return text.replace(/[&\\`*_[\]<>#$!|~{}]|:(?=\/\/)/g, (sign) => ENTITIES[sign] ?? `\\${sign}`);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "\\": "&#92;", ":": "&#58;" };
