import { describe, expect, it } from "vitest";
import * as core from "../../src/index.js";
import * as samplers from "../../src/sample/index.js";
import { byPath, librarySources, projectFiles, read } from "./project.js";

const KEY = "[A-Za-z]+\\d{2}[a-z]?";
/** `[CKS20]`, `[MS20, Thm 1]`, `[Ding23, Alg 5; CKS20, BS16]`; not an index such as `table[x16]`. */
const CITATION = new RegExp(`(?<![\\w)\\]])\\[(${KEY}(?:[,;] [^\\]]*)?)\\]`, "g");
const CITED_KEY = new RegExp(`(?:^|[,;] )(${KEY})(?=[,;]|$)`, "g");
const ENTRY = /^@\w+\{([^,\s]+),/gm;

const bibliography = [...read("docs/references.bib").matchAll(ENTRY)].map(([, key]) => key);
const citations = [...librarySources(), ...projectFiles(/\.md$/)].flatMap(({ path, text }) =>
  citedKeys(text).map((key) => ({ path, key })),
);

/** Exports on another's page. */
const SHARED_PAGES: Readonly<Record<string, string>> = {
  bernoulliExpRatio: "bernoulli-exp",
  fillBernoulli: "bernoulli",
  fillBernoulliExp: "bernoulli-exp",
  fillUniformBelow: "uniform-below",
};

/** The pages of mechanisms whose names are others. */
const MECHANISM_PAGES: Readonly<Record<string, string>> = {
  topK: "noisy-top-k",
  topKWithGap: "noisy-top-k-with-gap",
  TopKStream: "race",
  makeNoisyTopK: "noisy-top-k",
  noisyMaxLoss: "report-noisy-max",
  precisionRules: "base2-exponential",
  makeStableTopK: "stable-top-k",
  stableTopKFixed: "stable-top-k",
  makeStableTopKFixed: "stable-top-k",
  TeacherRun: "label-by-teachers",
  makeLimitedTopK: "limited-top-k",
  makeTopKWithCounts: "top-k-with-counts",
  LimitedTopKStream: "limited-top-k",
  topKWithCounts: "top-k-with-counts",
  measureCounts: "top-k-with-counts",
  nonIncreasingFit: "top-k-with-counts",
  boundContributions: "select-partitions",
  makeAboveThreshold: "above-threshold",
  noisyThreshold: "above-threshold",
  quantiles: "quantile",
  upperBound: "quantile",
  boundValues: "quantile",
};

/** What the table of contents takes from the folders of mechanisms. */
const MECHANISMS = new Set(
  [
    ...read("packages/core/src/index.ts").matchAll(
      /\{([^}]*)\} from "\.\/(?:select|standout|discover|base2|numbers|pate)\//g,
    ),
  ].flatMap(([, names]) => names.split(",").map((name) => name.trim())),
);

const proofs = projectFiles(/^docs\/proofs\/(?!index).*\.md$/);
const exported = functionsOf(samplers);
const exportedMechanisms = functionsOf(core).filter((name) => MECHANISMS.has(name));

describe("proofs and papers", () => {
  it.each(exported)("the sampler %s has a proof page", (name) => {
    const page = `docs/proofs/${SHARED_PAGES[name] ?? kebabCase(name)}.md`;
    expect(proofs.map(({ path }) => path)).toContain(page);
  });

  it.each(exportedMechanisms)("the mechanism %s has a proof page", (name) => {
    const page = `docs/proofs/${MECHANISM_PAGES[name] ?? kebabCase(name)}.md`;
    expect(proofs.map(({ path }) => path)).toContain(page);
  });

  it("what shares a page is exported", () => {
    expect(exported).toEqual(expect.arrayContaining(Object.keys(SHARED_PAGES)));
    expect(exportedMechanisms).toEqual(expect.arrayContaining(Object.keys(MECHANISM_PAGES)));
  });

  it.each(byPath(proofs))("%s has a claim, an argument, and what the tests check of it", (_, { text }) => {
    for (const part of [/^## Claim/m, /^## Argument/m, /^## What the tests check/m])
      expect(text).toMatch(part);
  });

  it("every citation is in the bibliography", () => {
    expect(citations.filter(({ key }) => !bibliography.includes(key))).toEqual([]);
  });

  it("every entry of the bibliography is cited", () => {
    expect(bibliography.filter((entry) => !citations.some(({ key }) => key === entry))).toEqual([]);
  });

  it("a citation is told from an index", () => {
    expect(
      citedKeys("[CKS20, BS16], [Ding23, Alg 5; vN51] and [Ilv20p, §3], not table[x16] or [2^32]"),
    ).toEqual(["CKS20", "BS16", "Ding23", "vN51", "Ilv20p"]);
  });

  it("no entry is listed twice", () => {
    expect(new Set(bibliography).size).toBe(bibliography.length);
  });
});

function citedKeys(text: string): string[] {
  return [...text.matchAll(CITATION)].flatMap(([, inside]) =>
    [...inside.matchAll(CITED_KEY)].map(([, key]) => key),
  );
}

/** `discreteLaplace` and `DiscreteLaplace` are both on `discrete-laplace`. */
function kebabCase(name: string): string {
  return name.replace(/(?<=[a-z\d])[A-Z]/g, (capital) => `-${capital}`).toLowerCase();
}

function functionsOf(module: object): string[] {
  return Object.entries(module).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));
}
