/**
 * Reads `SELECT expression AS name, … FROM table [alias] [WHERE condition]` as a tree. Everything else is refused by its name:
 * a join, a window, a limit, a sample, a group or a subquery can make one person's rows decide about someone else's.
 *
 * The grammar is the part of SQL that four engines share. It knows no functions: the dialects list those.
 * @module
 */
import { type Name, Refusal } from "winnow-release";
import { NEVER_CALLED, QueryCursor } from "./query-cursor.js";
import { untrusted } from "./query-tokens.js";

export type Expression =
  | { readonly kind: "column"; readonly name: Name }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "number"; readonly value: string }
  | { readonly kind: "constant"; readonly word: "NULL" | "TRUE" | "FALSE" }
  | { readonly kind: "time"; readonly type: "DATE" | "TIMESTAMP"; readonly value: string }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "not"; readonly operand: Expression }
  | { readonly kind: "isNull"; readonly operand: Expression; readonly isNot: boolean }
  | {
      readonly kind: "in";
      readonly operand: Expression;
      readonly list: readonly Expression[];
      readonly isNot: boolean;
    }
  | {
      readonly kind: "between";
      readonly operand: Expression;
      readonly ends: readonly [Expression, Expression];
      readonly isNot: boolean;
    }
  | {
      readonly kind: "like";
      readonly operator: "LIKE" | "ILIKE";
      readonly operand: Expression;
      readonly pattern: Expression;
      readonly isNot: boolean;
    }
  | {
      readonly kind: "case";
      readonly operand?: Expression | undefined;
      readonly branches: readonly (readonly [Expression, Expression])[];
      readonly otherwise?: Expression | undefined;
    }
  | { readonly kind: "call"; readonly name: string; readonly values: readonly Expression[] }
  | { readonly kind: "cast"; readonly operand: Expression; readonly type: string; readonly isTry: boolean };

export interface Query {
  /** Undefined for all columns of the table. */
  readonly columns: readonly { readonly expression: Expression; readonly name: Name }[] | undefined;
  /** `schema.table` has two parts. */
  readonly table: readonly Name[];
  readonly where: Expression | undefined;
}

/** Parentheses, operators and CASEs within each other. */
const DEEPEST = 100;

export function parseQuery(query: string): Query {
  const first = /^(?:\s|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*(\w*)/.exec(query)?.[1]?.toUpperCase();
  if (first !== "SELECT" && first !== "WITH")
    throw new Refusal("bad-query", "--query must be one statement that starts with SELECT.");
  return new Parser(query).query();
}

class Parser extends QueryCursor {
  #depth = 0;
  /** The names before columns, which are read before the table is known. */
  readonly #used = new Set<string>();

  query(): Query {
    this.expectWord("SELECT");
    const columns = this.takeSign("*") ? undefined : this.list(() => this.#selected());
    this.expectWord("FROM");
    const table = this.#tableName();
    const alias = this.#alias();
    const where = this.takeWord("WHERE") ? this.#expression() : undefined;
    this.takeSign(";");
    if (this.next.kind !== "end") throw this.unexpected();
    this.#checkQualifiers(alias ?? table.at(-1)!);
    return { columns, table, where };
  }

  #checkQualifiers({ text: table }: Name): void {
    const other = [...this.#used].find((text) => text.toLowerCase() !== table.toLowerCase());
    if (other !== undefined) throw untrusted(`a name in ${JSON.stringify(other)}, which isn't the table`);
  }

  #selected(): { expression: Expression; name: Name } {
    const expression = this.#expression();
    const name = this.#alias() ?? (expression.kind === "column" ? expression.name : undefined);
    if (name === undefined)
      throw untrusted(
        "an expression without a name",
        " Write its name after AS, such as lower(area) AS area.",
      );
    return { expression, name };
  }

  #alias(): Name | undefined {
    if (this.takeWord("AS")) return this.name();
    return this.isName() ? this.name() : undefined;
  }

  #tableName(): Name[] {
    const parts = [this.name()];
    while (this.takeSign(".")) parts.push(this.name());
    if (this.isSign("(")) throw untrusted(`the table function ${JSON.stringify(parts.at(-1)!.text)}`);
    return parts;
  }

  #expression(): Expression {
    if (++this.#depth > DEEPEST) throw untrusted(`more than ${DEEPEST} expressions within each other`);
    const left = this.#chain(["OR"], () => this.#chain(["AND"], () => this.#negation()));
    this.#depth--;
    return left;
  }

  /** Operators of one rank, from left to right. */
  #chain(operators: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    for (let operator = this.takeAny(operators); operator !== undefined; operator = this.takeAny(operators))
      left = { kind: "binary", operator, left, right: operand() };
    return left;
  }

  #negation(): Expression {
    let isNot = false;
    while (this.takeWord("NOT")) isNot = !isNot;
    const operand = this.#comparison();
    return isNot ? { kind: "not", operand } : operand;
  }

  #comparison(): Expression {
    const operand = this.#sum();
    const operator = this.takeAny(["=", "<>", "!=", "<=", ">=", "<", ">"]);
    if (operator !== undefined)
      return {
        kind: "binary",
        operator: operator === "!=" ? "<>" : operator,
        left: operand,
        right: this.#sum(),
      };
    if (this.takeWord("IS")) {
      const isNot = this.takeWord("NOT");
      this.expectWord("NULL");
      return { kind: "isNull", operand, isNot };
    }
    return this.#membership(operand, this.takeWord("NOT"));
  }

  #membership(operand: Expression, isNot: boolean): Expression {
    if (this.takeWord("IN")) {
      this.expectSign("(");
      if (this.isWord("SELECT") || this.isWord("WITH")) throw untrusted("a subquery");
      const list = this.list(() => this.#expression());
      this.expectSign(")");
      return { kind: "in", operand, list, isNot };
    }
    if (this.takeWord("BETWEEN")) {
      const lower = this.#sum();
      this.expectWord("AND");
      return { kind: "between", operand, ends: [lower, this.#sum()], isNot };
    }
    for (const operator of ["LIKE", "ILIKE"] as const)
      if (this.takeWord(operator)) return { kind: "like", operator, operand, pattern: this.#sum(), isNot };
    if (isNot) throw this.unexpected();
    return operand;
  }

  #sum(): Expression {
    return this.#chain(["||"], () =>
      this.#chain(["+", "-"], () => this.#chain(["*", "/", "%"], () => this.#signed())),
    );
  }

  #signed(): Expression {
    if (!this.takeSign("-")) return this.#cast();
    const operand = this.#cast();
    if (operand.kind === "number" && !operand.value.startsWith("-"))
      return { kind: "number", value: `-${operand.value}` };
    return { kind: "binary", operator: "-", left: { kind: "number", value: "0" }, right: operand };
  }

  #cast(): Expression {
    let operand = this.#primary();
    while (this.takeSign("::")) operand = { kind: "cast", operand, type: this.#type(), isTry: false };
    return operand;
  }

  #type(): string {
    const words = [this.word()];
    while (this.next.kind === "word" && /^(precision|varying|unsigned)$/i.test(this.next.text))
      words.push(this.word());
    if (!this.takeSign("(")) return words.join(" ");
    const sizes = this.list(() => this.number());
    this.expectSign(")");
    return `${words.join(" ")}(${sizes.join(", ")})`;
  }

  #primary(): Expression {
    const { kind, text } = this.next;
    switch (kind) {
      case "text":
        this.take();
        return { kind: "text", value: text };
      case "number":
        return { kind: "number", value: this.number() };
      case "name":
        return this.#column();
      case "sign":
        return this.#inParentheses();
      case "word":
        return this.#afterWord(text.toUpperCase());
      case "end":
        throw this.unexpected();
    }
  }

  #inParentheses(): Expression {
    this.expectSign("(");
    if (this.isWord("SELECT") || this.isWord("WITH")) throw untrusted("a subquery");
    const expression = this.#expression();
    this.expectSign(")");
    return expression;
  }

  #afterWord(word: string): Expression {
    switch (word) {
      case "NULL":
      case "TRUE":
      case "FALSE":
        this.take();
        return { kind: "constant", word };
      case "CASE":
        return this.#case();
      case "CAST":
      case "TRY_CAST":
        return this.#castCall(word === "TRY_CAST");
      case "DATE":
      case "TIMESTAMP":
        if (this.afterNext?.kind === "text") return this.#time(word);
    }
    const isCall = this.afterNext?.text === "(" && this.afterNext?.kind === "sign";
    if (isCall && !NEVER_CALLED.has(word)) return this.#call();
    return this.#column();
  }

  #time(type: "DATE" | "TIMESTAMP"): Expression {
    this.take();
    return { kind: "time", type, value: this.take().text };
  }

  #case(): Expression {
    this.expectWord("CASE");
    const operand = this.isWord("WHEN") ? undefined : this.#expression();
    const branches: [Expression, Expression][] = [];
    while (this.takeWord("WHEN")) {
      const condition = this.#expression();
      this.expectWord("THEN");
      branches.push([condition, this.#expression()]);
    }
    if (branches.length === 0) throw this.unexpected();
    const otherwise = this.takeWord("ELSE") ? this.#expression() : undefined;
    this.expectWord("END");
    return { kind: "case", operand, branches, otherwise };
  }

  #castCall(isTry: boolean): Expression {
    this.take();
    this.expectSign("(");
    const operand = this.#expression();
    this.expectWord("AS");
    const type = this.#type();
    this.expectSign(")");
    return { kind: "cast", operand, type, isTry };
  }

  #call(): Expression {
    const name = this.word();
    this.expectSign("(");
    if (this.isWord("DISTINCT") || this.isWord("ALL") || this.isSign("*"))
      throw untrusted(`the aggregate ${name}`);
    const values = this.isSign(")") ? [] : this.list(() => this.#expression());
    this.expectSign(")");
    for (const word of ["OVER", "FILTER", "WITHIN"])
      if (this.isWord(word)) throw untrusted(word === "OVER" ? "a window (OVER)" : `an aggregate (${word})`);
    return { kind: "call", name, values };
  }

  /** A column of the table: the table's name before it is dropped, because there is only one. */
  #column(): Expression {
    const name = this.name();
    if (!this.takeSign(".")) return { kind: "column", name };
    this.#used.add(name.text);
    const column = this.name();
    if (this.isSign(".") || this.isSign("(")) throw this.unexpected();
    return { kind: "column", name: column };
  }
}
