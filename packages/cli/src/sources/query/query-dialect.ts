/**
 * What the reader of queries must know about an engine: its names, its functions, and whether it has TRY. A function that isn't
 * listed is refused: it may look at other rows, read settings, differ from call to call, or need any amount of memory.
 * @module
 */
import type { Name } from "winnow-release";

/**
 * What values are compared as, in an engine without TRY. Values of one family can be compared without a conversion that can
 * fail. A column of another type can be selected, and nothing else.
 */
export type Family = "text" | "exact" | "float" | "boolean" | "date" | "time" | "uuid" | "other";

export interface TableColumn {
  readonly name: string;
  readonly family: Family;
}

/** What a function takes, in an engine without TRY: a family, a whole number that is written out, or any number of values. */
type Parameter = Family | "position" | "size";

export type FunctionRule =
  /** For TRY; from this place on, values must be written out, so that a result isn't much longer than its value. */
  | { readonly kind: "tried"; readonly literalsFrom?: number }
  /** Cannot fail for values of these families. The last ones may be left out. */
  | {
      readonly kind: "safe";
      readonly parameters: readonly Parameter[];
      readonly least?: number;
      readonly result: Family;
    }
  /** Cannot fail for values of one family, which the result has too; the first value of a choice is a condition. */
  | { readonly kind: "same"; readonly isChoice?: boolean };

export interface QueryDialect {
  /** For messages. */
  readonly engine: string;
  /** Whether an expression that fails on a row can be replaced by NULL. */
  readonly hasTry: boolean;
  quote(name: string): string;
  /** How the engine knows a name, so that equal names are equal texts. */
  fold(name: Name): string;
  /** Tables about tables: they show numbers of rows, and samples of values. */
  isCatalog(table: readonly string[]): boolean;
  /** The full name of the table, if the engine would look in other places for a short one. */
  locate?(table: readonly string[]): readonly string[];
  /** By their names in lower case; the printed name. */
  readonly functions: ReadonlyMap<string, { readonly printed: string; readonly rule: FunctionRule }>;
  /** Types that may be cast to, in lower case, without sizes. */
  readonly types: ReadonlySet<string>;
  /** Whether arithmetic with numbers can't fail. */
  readonly hasSafeArithmetic?: boolean;
  /** Whether a name after AS takes the place of a column everywhere: then columns are renamed first. */
  readonly hasReachingNames?: boolean;
  /** A column within an expression. */
  printColumn?(column: TableColumn, name: string): string;
  /** Families whose values become texts without failing, and the text. */
  printText?(value: string): string;
  /** The expressions that can't fail, in words. */
  readonly allowed?: string;
}

type Listed = [string, { readonly printed: string; readonly rule: FunctionRule }];

/** Functions under TRY. */
export function tried(names: string, literalsFrom?: number): Listed[] {
  const rule: FunctionRule = literalsFrom === undefined ? { kind: "tried" } : { kind: "tried", literalsFrom };
  return names.split(" ").map((name) => [name, { printed: name, rule }]);
}

/** Functions that can't fail. */
export function safe(
  names: string,
  parameters: readonly Parameter[],
  result: Family,
  { least = parameters.length, prefix = "" } = {},
): Listed[] {
  const rule: FunctionRule = { kind: "safe", parameters, least, result };
  return names.split(" ").map((name) => [name.toLowerCase(), { printed: prefix + name, rule }]);
}

/** Functions that can't fail on values of one family. */
export function same(names: string, isChoice = false): Listed[] {
  return names
    .split(" ")
    .map((name) => [name.toLowerCase(), { printed: name, rule: { kind: "same", isChoice } }]);
}

/** Functions of engines with TRY. */
export const TRIED_FUNCTIONS =
  "lower upper trim ltrim rtrim length substr substring concat strpos starts_with abs round floor ceil ceiling sign greatest least coalesce nullif year month day hour quarter date_trunc if";

/** Types of engines with TRY. */
export const TRIED_TYPES =
  "varchar char boolean tinyint smallint int integer bigint real double decimal date time timestamp uuid";
