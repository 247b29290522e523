/**
 * Columns of numbers with a public range: real ones where the public data are present, and generated incomes always. One value a person,
 * except for the new cases, whose rows are days of states and stand for people here.
 * @module
 */
import { seededEntropy } from "winnow-dp/testing";
import { casesByDay } from "../datasets.js";
import { peopleItems } from "../unknown-domains/people-items.js";

export interface Column {
  readonly name: string;
  /** Whole numbers within the range. */
  readonly values: Float64Array;
  readonly lower: number;
  readonly upper: number;
}

/** The largest values that one would think of before seeing the data. */
const MOST_ITEMS: Readonly<Record<string, number>> = { web: 285, retail: 500, "Kosarak (prefix)": 5000 };

export function columns(folder: string): Column[] {
  const items = peopleItems(folder).flatMap(({ name, rows }) => {
    const upper = MOST_ITEMS[name];
    if (upper === undefined) return []; // generated
    const sizes = new Map<string, number>();
    for (const [person] of rows) sizes.set(person, (sizes.get(person) ?? 0) + 1);
    return [{ name: `${name}: items a person`, values: Float64Array.from(sizes.values()), lower: 0, upper }];
  });
  const cases = casesByDay(folder);
  const days =
    cases === undefined
      ? []
      : [{ name: "new cases by day and state", values: joined(cases), lower: 0, upper: 20_000 }];
  return [...items, ...days, incomes()];
}

function joined(parts: readonly Float64Array[]): Float64Array {
  return Float64Array.from(parts.flatMap((part) => [...part]));
}

/** 20,000 yearly incomes: logarithms are normal with a median of 32,000 and a deviation of 0.7, in whole units up to a million. */
export function incomes(): Column {
  const entropy = seededEntropy("incomes");
  const uniform = () => (entropy.bits(32) + 0.5) / 2 ** 32;
  const values = Float64Array.from({ length: 20_000 }, () => {
    const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    return Math.min(1_000_000, Math.round(32_000 * Math.exp(0.7 * normal)));
  });
  return { name: "incomes (generated)", values, lower: 0, upper: 1_000_000 };
}
