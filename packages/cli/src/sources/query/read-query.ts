/**
 * A query of a user as one of ours: it is read, checked and printed anew, so that what the engine runs is exactly what was
 * checked. Each row of one table gives at most one row, from its own values alone. So a person who is added or removed adds or
 * removes the rows with their name and no others, and every theorem about counts of people holds for the query's rows.
 *
 * An expression that fails on a row must not end the count. DuckDB and Trino evaluate it under TRY: it becomes NULL, and a row
 * without an item or a user is skipped, as everywhere. PostgreSQL and ClickHouse have no TRY: there an expression that can fail
 * is refused (`cannot-fail.ts`).
 *
 * Columns are looked up in the schema of the table, which is public. So there are no row numbers, hidden columns or functions
 * that look like columns, whatever an engine calls so.
 * @module
 */
import type { Name } from "winnow-release";
import { canFail, checkCannotFail } from "./cannot-fail.js";
import { type Expression, parseQuery, type Query } from "./parse-query.js";
import type { QueryDialect, TableColumn } from "./query-dialect.js";
import { untrusted } from "./query-tokens.js";

export interface RowQuery {
  /** For the FROM clause, quoted. */
  readonly table: string;
  /** The query for the engine. The columns are those of the table. */
  print(columns: readonly TableColumn[]): string;
}

export function readQuery(query: string, dialect: QueryDialect): RowQuery {
  const parsed = parseQuery(query);
  const parts = parsed.table.map(dialect.fold);
  if (dialect.isCatalog(parts)) throw untrusted(`the table ${JSON.stringify(parts.join("."))}`);
  const table = (dialect.locate?.(parts) ?? parts).map(dialect.quote).join(".");
  return { table, print: (columns) => new Printer(dialect, columns).query(parsed, table) };
}

class Printer {
  readonly #dialect: QueryDialect;
  readonly #columns: ReadonlyMap<string, TableColumn>;
  readonly #renamed = new Map<string, string>();

  constructor(dialect: QueryDialect, columns: readonly TableColumn[]) {
    this.#dialect = dialect;
    const fold = (text: string) => dialect.fold({ text, isQuoted: true });
    this.#columns = new Map(columns.map((column) => [fold(column.name), column]));
  }

  query({ columns, where }: Query, table: string): string {
    const { quote, fold } = this.#dialect;
    const all = () =>
      [...this.#columns.values()].map((column) => `${this.#reference(column)} AS ${quote(column.name)}`);
    const selected = columns?.map(
      ({ expression, name }) =>
        `${this.#guarded(expression)} AS ${quote(this.#named(expression, name) ?? fold(name))}`,
    );
    const condition = where === undefined ? "" : ` WHERE ${this.#guarded(where)}`;
    return `SELECT ${(selected ?? all()).join(", ")} FROM ${this.#from(table)}${condition}`;
  }

  /** The table, or its columns under names that no one else uses. */
  #from(table: string): string {
    if (this.#renamed.size === 0) return table;
    const { quote } = this.#dialect;
    const columns = [...this.#renamed].map(([name, other]) => `${quote(name)} AS ${other}`);
    return `(SELECT ${columns.join(", ")} FROM ${table})`;
  }

  /** How the query refers to a column. */
  #reference({ name }: TableColumn): string {
    if (!this.#dialect.hasReachingNames) return this.#dialect.quote(name);
    const renamed = this.#renamed.get(name) ?? `winnow_column_${this.#renamed.size + 1}`;
    this.#renamed.set(name, renamed);
    return renamed;
  }

  /** A column under its own name keeps the name as the schema writes it. */
  #named(expression: Expression, name: Name): string | undefined {
    return expression.kind === "column" && expression.name === name
      ? this.#column(expression).name
      : undefined;
  }

  /** An expression that never ends the count. */
  #guarded(expression: Expression): string {
    if (!this.#dialect.hasTry) checkCannotFail(expression, this.#dialect, (column) => this.#column(column));
    if (expression.kind === "column") return this.#reference(this.#column(expression));
    const printed = this.#print(expression);
    return this.#dialect.hasTry ? `TRY(${printed})` : printed;
  }

  #column({ name }: Expression & { kind: "column" }): TableColumn {
    const column = this.#columns.get(this.#dialect.fold(name));
    if (column === undefined)
      throw untrusted(`${JSON.stringify(name.text)}, which isn't a column of the table`);
    return column;
  }

  #print(each: Expression): string {
    const print = (one: Expression) => this.#print(one);
    const not = (isNot: boolean) => (isNot ? "NOT " : "");
    switch (each.kind) {
      case "column":
        return this.#printColumn(this.#column(each));
      case "text":
        return textLiteral(each.value);
      case "number":
        return each.value.startsWith("-") ? `(${each.value})` : each.value;
      case "constant":
        return each.word;
      case "time":
        return `${each.type} ${textLiteral(each.value)}`;
      case "binary":
        return `(${print(each.left)} ${each.operator} ${print(each.right)})`;
      case "not":
        return `(NOT ${print(each.operand)})`;
      case "isNull":
        return `(${print(each.operand)} IS ${not(each.isNot)}NULL)`;
      case "in":
        return `(${print(each.operand)} ${not(each.isNot)}IN (${each.list.map(print).join(", ")}))`;
      case "between":
        return `(${print(each.operand)} ${not(each.isNot)}BETWEEN ${each.ends.map(print).join(" AND ")})`;
      case "like":
        return `(${print(each.operand)} ${not(each.isNot)}${each.operator} ${print(each.pattern)})`;
      case "case":
        return this.#printCase(each);
      case "call":
        return this.#printCall(each);
      case "cast":
        return this.#printCast(each);
    }
  }

  #printColumn(column: TableColumn): string {
    const name = this.#reference(column);
    return this.#dialect.printColumn?.(column, name) ?? name;
  }

  #printCase({ operand, branches, otherwise }: Expression & { kind: "case" }): string {
    const parts = branches.map(([when, then]) => `WHEN ${this.#print(when)} THEN ${this.#print(then)}`);
    const last = otherwise === undefined ? "" : ` ELSE ${this.#print(otherwise)}`;
    return `CASE ${operand === undefined ? "" : `${this.#print(operand)} `}${parts.join(" ")}${last} END`;
  }

  #printCall({ name, values }: Expression & { kind: "call" }): string {
    const known = this.#dialect.functions.get(name.toLowerCase());
    if (known === undefined) throw canFail(`the function ${name}`, this.#dialect);
    const { printed, rule } = known;
    const literals = rule.kind === "tried" ? values.slice(rule.literalsFrom ?? values.length) : [];
    if (!literals.every(({ kind }) => kind === "text" || kind === "number"))
      throw untrusted(`the function ${name} with a pattern or text from the rows`);
    return `${printed}(${values.map((value) => this.#print(value)).join(", ")})`;
  }

  #printCast({ operand, type, isTry }: Expression & { kind: "cast" }): string {
    const value = this.#print(operand);
    const { printText, types } = this.#dialect;
    if (printText !== undefined) return printText(value);
    const name = type
      .toLowerCase()
      .replace(/\(.*\)$/, "")
      .replace(/^double precision$/, "double");
    if (!types.has(name)) throw untrusted(`a cast to ${type}`);
    return `${isTry ? "TRY_CAST" : "CAST"}(${value} AS ${type})`;
  }
}

/** The reader lets no backslash through, so a text is the same in every engine. */
function textLiteral(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
