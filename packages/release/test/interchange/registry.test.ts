import { describe, expect, it } from "vitest";
import { pure, rational } from "winnow-dp";
import { FILL_IN, type NewRelease, toRegistryRecord } from "../../src/index.js";
import { PAYLOADS } from "../render/payloads.js";
import { ask, listed, numbered, releaseOf } from "../support/ask.js";
import { describeWithPython, python } from "../support/python.js";
import { RELEASES } from "../support/releases.js";

type Read = string | number | readonly string[] | { readonly [name: string]: Read };
type Fields = { readonly [name: string]: Read };

/** The rules of the registry's schema that we rely on: the fields that may be there, and the values of some. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "": ["url_slug", "status", "tier", "deployment"],
  deployment: [
    ...["basic", "dp_variant", "privacy_loss", "deployment_model", "accounting", "implementation"],
    "administrative",
  ],
  basic: [
    ...["name", "data_curators", "intended_use", "data_product_type", "data_product_region", "description"],
    ...["publication_date", "data_product_sector"],
  ],
  dp_variant: ["variant_name", "data_domain", "unprotected_quantities"],
  privacy_loss: [
    ...["privacy_unit", "privacy_unit_details", "privacy_parameters", "privacy_parameters_details"],
  ],
  privacy_parameters: ["epsilon", "delta", "rho"],
  deployment_model: [
    ...["model_name", "model_name_details", "actors", "release_type", "release_type_details"],
    ...["data_source_type", "data_source_type_details", "access_type", "access_type_details"],
  ],
  accounting: ["post_processing", "composition"],
  implementation: ["preprocessing_and_hyperparameter_tuning", "mechanisms", "justification"],
  administrative: ["sources", "notes", "registry_authors"],
};
const VALUES: Readonly<Record<string, readonly (string | number)[]>> = {
  status: ["Draft"],
  tier: [1, 2, 3],
  data_product_type: ["Summary statistics"],
  variant_name: ["Pure DP", "Approximate DP", "Zero-concentrated DP", "Custom"],
  model_name: ["Central"],
  release_type: ["One release"],
  access_type: ["Non-interactive"],
};
const REQUIRED = ALLOWED.basic.slice(0, -1);

function checkFields(fields: Fields, path = ""): void {
  expect(ALLOWED[path], path).toEqual(expect.arrayContaining(Object.keys(fields)));
  for (const [name, value] of Object.entries(fields)) {
    if (name in VALUES) expect(VALUES[name]).toContain(value);
    else if (path === "privacy_parameters") expect(value).toBeTypeOf("number");
    else if (Array.isArray(value)) expect(value.every((text) => typeof text === "string")).toBe(true);
    else if (typeof value === "object") checkFields(value as Fields, name);
    else expect(value, name).toBeTypeOf("string");
  }
}

/** The part of YAML that we write. */
function parseYaml(text: string): Fields {
  const lines = text.trimEnd().split("\n");
  const block = (indent: string): Read => {
    if (lines[0].startsWith(`${indent}- `)) {
      const list: string[] = [];
      while (lines[0]?.startsWith(`${indent}- `)) list.push(scalar(lines.shift()!.slice(indent.length + 2)));
      return list;
    }
    const fields: Record<string, Read> = {};
    for (let line = lines[0]; line?.startsWith(indent) && line[indent.length] !== " "; line = lines[0]) {
      const [, name, value] = /^ *(\w+):(?: (.*))?$/.exec(lines.shift()!)!;
      fields[name] = value === undefined ? block(`${indent}  `) : scalar(value);
    }
    return fields;
  };
  return block("") as Fields;
}

function scalar<T extends Read>(text: string): T {
  return (/^(?:".*"|\d+(?:\.\d+(?:e[+-]\d+)?)?|\{\})$/.test(text) ? JSON.parse(text) : text) as T;
}

function at(fields: Fields, ...names: readonly string[]): Read {
  return names.reduce<Read>((inner, name) => (inner as Fields)[name], fields);
}

const HOSTILE: NewRelease = {
  ...(await releaseOf(ask({ k: 1, domain: listed(3), epsilon: "1/3" }), numbered([9, 5, 1]))),
  dataset: 'x"\nstatus: Approved # [a](https://example.org) <b>$x$</b> \\\\ & *',
  source: { item: "- !!python/object:x", user: "{a: &b *b}", dialect: {} },
};

describe("a record for the registry of deployments", () => {
  it.each(RELEASES)("keeps to the registry's schema: %s", (_, release) => {
    const record = parseYaml(toRegistryRecord(release));
    checkFields(record);
    expect(Object.keys(at(record, "deployment", "basic"))).toEqual(expect.arrayContaining(REQUIRED));
    expect(at(record, "deployment", "basic", "publication_date")).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it("has the exact loss as text and an upper bound as a number", async () => {
    const release = await releaseOf(ask({ k: 1, domain: listed(3), epsilon: "1/3" }), numbered([9, 5, 1]));
    const loss = at(parseYaml(toRegistryRecord(release)), "deployment", "privacy_loss");
    expect(at(loss as Fields, "privacy_parameters", "epsilon")).toBe(0.3334);
    expect(at(loss as Fields, "privacy_parameters_details")).toBe("Exactly: measure = pure, epsilon = 1/3");
  });

  it("says how the rows of groups were chosen, and what was counted", async () => {
    const base = await releaseOf(ask({ k: 1, domain: listed(3), epsilon: 1 }), numbered([9, 5, 1]));
    const groups = { by: ["country"], list: { kind: "listed", size: 2, hash: "cd".repeat(32) } } as const;
    const question = ask({
      ...{ k: 1, domain: listed(3), epsilon: 1, groups: { ...groups, maxGroupsPerUser: 2 } },
      ...{ where: "day = '2026-11-01'", items: ["lower(page)"], map: { size: 3, hash: "ab".repeat(32) } },
    });
    const answer = { released: true, k: 1, ordered: true, winners: [{ item: "a" }] };
    const record = toRegistryRecord({
      ...base,
      question,
      answer: {
        ...answer,
        winners: [],
        groups: [
          { name: ["DE"], answer },
          { name: ["FR"], answer },
        ],
      },
    });
    for (const said of [
      "There is one answer for each group by country, a public list of 2 groups",
      "By a keyed hash, each person counts in at most 2 groups",
      "Only rows count for which day = '2026-11-01'",
      "Each row counts for lower(page)",
      "Items are replaced as a public map of 3 items says",
    ])
      expect(record).toContain(said);
  });

  it("writes a small δ as a number that YAML 1.1 knows for one", () => {
    const release = RELEASES.find(([name]) => name === "limited")![1];
    expect(toRegistryRecord(release)).toMatch(/^ {6}delta: (?:\d+\.\d+)(?:e[+-]\d+)?$/m);
  });

  it("says what all releases together have cost, if the ledger knows", () => {
    const [, release] = RELEASES[0];
    const budget = { limit: pure(2), spent: pure("1/2"), remaining: pure("3/2"), more: 3 };
    const record = parseYaml(toRegistryRecord(release, budget));
    expect(at(record, "deployment", "accounting", "composition")).toContain(
      "Of the budget of ε = 2, ε = 1.5 is left, about 3 more releases like this.",
    );
  });

  it("marks what only the publisher knows", () => {
    const text = toRegistryRecord(RELEASES[0][1]);
    expect(text.match(new RegExp(FILL_IN, "g"))).toHaveLength(4);
  });

  it("keeps hostile names inside their quotes, and takes markup out of them", () => {
    const record = parseYaml(toRegistryRecord(HOSTILE));
    checkFields(record);
    expect(record.status).toBe("Draft");
    const name = at(record, "deployment", "basic", "name");
    expect(name).toBe(
      'The item with the most users (x"&#92;u\\{a\\}status: Approved \\# \\[a\\](https&#58;//example.org) \\<b\\>\\$x\\$\\</b\\> &#92;&#92; &amp; \\*)',
    );
    for (const dataset of PAYLOADS) checkFields(parseYaml(toRegistryRecord({ ...HOSTILE, dataset })));
  });

  it("has a slug that YAML can't read as anything else", () => {
    for (const dataset of ["", "\u202e", "2026-01-01", ...PAYLOADS.slice(0, 20)])
      expect(toRegistryRecord({ ...HOSTILE, dataset })).toMatch(/^url_slug: [\p{L}][\p{L}\p{N}-]*-2026\n/u);
  });

  it("never shows less than the exact loss", () => {
    for (const [, release] of RELEASES) {
      const record = parseYaml(toRegistryRecord(release));
      const shown = at(record, "deployment", "privacy_loss", "privacy_parameters") as Fields;
      for (const [name, value] of Object.entries(shown)) {
        const exact = (release.loss as unknown as Record<string, string>)[name];
        expect(rational(String(value)).compare(exact)).toBeGreaterThanOrEqual(0);
      }
    }
  });
});

describeWithPython("yaml", "PyYAML", () => {
  it("reads a record as we meant it, hostile names too", () => {
    const named = PAYLOADS.map((dataset) => ({ ...HOSTILE, dataset }));
    const records = [...RELEASES.map(([, release]) => release), ...named].map((one) => toRegistryRecord(one));
    const read = python(
      "import json, sys, yaml; json.dump([yaml.safe_load(text) for text in json.load(sys.stdin)], sys.stdout)",
      JSON.stringify(records),
    );
    expect(JSON.parse(read)).toEqual(records.map(parseYaml));
  });
});
