/**
 * The call of the library that answers the same question, to paste into a program. Every value in it comes from the
 * question and is a number or a word of a fixed list; names from data do not occur.
 * @module
 */
import type { Release } from "winnow-release";

const FUNCTIONS = {
  "top-k-with-gap": "topKWithGap",
  "top-k": "topK",
  "permute-and-flip": "permuteAndFlip",
  "stable-top-k": "stableTopK",
  "stable-top-k-fixed": "stableTopKFixed",
} as const;

export function asTypeScript({ question }: Release): string {
  const name = FUNCTIONS[question.mechanism];
  const options = Object.entries(optionsOf(question)).map(
    ([option, value]) => `  ${option}: ${JSON.stringify(value)},`,
  );
  return [
    `import { ${name} } from "winnow-dp";`,
    "",
    question.domain.kind === "unknown"
      ? "// counts: the distinct users of each item, in an order that says nothing, such as by name"
      : "// counts: the distinct users of each candidate of the public list, 0 for those without a row",
    `const release = ${name}(counts, {`,
    ...options,
    "});",
    "",
  ].join("\n");
}

function optionsOf({
  mechanism,
  k,
  epsilon,
  rho,
  delta,
  resolution,
  neighbours,
  domain,
}: Release["question"]) {
  return {
    ...(mechanism === "stable-top-k" ? { maxK: k } : mechanism === "permute-and-flip" ? {} : { k }),
    ...defined({ epsilon, rho, delta, resolution }),
    ...(mechanism === "stable-top-k-fixed" && { domain: domain.kind === "unknown" ? "unknown" : "public" }),
    monotone: neighbours === "add-remove",
  };
}

function defined(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
