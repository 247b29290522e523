import { describe, expect, it } from "vitest";
import { rational } from "winnow-dp";
import {
  flagOf,
  KINDS,
  kebabCase,
  MECHANISM_NAMES,
  OPTIONS,
  type OptionEntry,
  type OptionType,
} from "../../src/index.js";

const ENTRIES: readonly (readonly [string, OptionEntry])[] = Object.entries(OPTIONS);

/** As each type is read. */
const READS: { readonly [Type in OptionType]: (text: string) => boolean } = {
  switch: () => false,
  count: (text) => Number.isSafeInteger(Number(text)) && Number(text) >= 1,
  integer: (text) => Number.isSafeInteger(Number(text)),
  rational: (text) => rational(text).numerator > 0n,
  rationals: (text) => text.split(",").every((share) => rational(share).numerator > 0n),
  range: (text) => text.split("..").length === 2,
  choice: (text) => text !== "",
  column: (text) => text !== "",
  file: (text) => text !== "",
  text: (text) => text !== "",
  size: (text) => /^\d+[MG]$/.test(text),
  time: (text) => /^\d+[sm]$/.test(text),
};

describe("the table of options", () => {
  it.each(ENTRIES)("%s has the flag of its name, a text and an example of its type", (name, entry) => {
    expect(flagOf(entry)).toBe(name === "k" ? "-k" : `--${kebabCase(name)}`);
    expect(entry.text).toMatch(/^(?!the option)\S.*[^.]$/);
    const isGiven = entry.type === "switch" || name === "mechanism"; // the list has its names
    if (isGiven) expect(entry.example).toBeUndefined();
    else expect(READS[entry.type](entry.example ?? "")).toBe(true);
    if (entry.type === "choice" && !isGiven) expect(entry.choices).toContain(entry.example);
  });

  it("has no flag twice but -k, which is the most winners where the data choose", () => {
    const flags = ENTRIES.flatMap(([, entry]) => entry.flags.split(", "));
    const twice = flags.filter((flag, i) => flags.indexOf(flag) !== i);
    expect(twice).toEqual(["-k"]);
  });

  it.each(KINDS.map((kind) => [kind.name, kind] as const))(
    "%s lists options once, and says more only of its own",
    (_, kind) => {
      const { usual, others, texts = {} } = kind.options;
      const all = [...usual, ...others];
      expect(new Set(all).size).toBe(all.length);
      expect(all.filter((name) => !Object.hasOwn(OPTIONS, name))).toEqual([]);
      expect(Object.keys(texts).filter((name) => !all.includes(name as never))).toEqual([]);
      for (const name of ["epsilon", "user", "neighbours"] as const) expect(all).toContain(name);
    },
  );

  it("names no mechanism and no kind, because the lists may change", () => {
    const names = [
      ...MECHANISM_NAMES.filter((name) => name.includes("-")),
      ...KINDS.map(({ name }) => `winnow ${name}`),
    ];
    const said = ENTRIES.filter(([, { text }]) => names.some((name) => text.includes(name)));
    expect(said.map(([name]) => name)).toEqual([]);
  });
});
