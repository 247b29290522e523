/**
 * Whether an expression can fail on a row, for engines without TRY. One person's row that fails would end the count for
 * everyone, and so show that this row is there. So every operation must be one that has a result for all values of its
 * operands: no conversions that depend on the value, no arithmetic that can overflow, no division, no patterns from rows.
 *
 * Values are compared within one family of types, so the engine only converts constants, before it reads a row.
 * @module
 */

import type { Expression } from "./parse-query.js";
import type { Family, FunctionRule, QueryDialect, TableColumn } from "./query-dialect.js";
import { untrusted } from "./query-tokens.js";

/** A family, or a constant that takes the family of what it is compared with. */
type Kind = Family | "null" | "number" | { readonly text: string };

/** Characters and positions that are written out. */
const LARGEST_POSITION = 1_000_000;

/** Throws for an expression that can fail. */
export function checkCannotFail(
  expression: Expression,
  dialect: QueryDialect,
  columnOf: (expression: Expression & { kind: "column" }) => TableColumn,
): void {
  // Any column may be selected as it is.
  if (expression.kind === "column") return void columnOf(expression);
  kindOf(expression);

  function kindOf(each: Expression): Kind {
    switch (each.kind) {
      case "column":
        return familyOf(columnOf(each));
      case "text":
        return { text: each.value };
      case "number":
        return "number";
      case "constant":
        return each.word === "NULL" ? "null" : "boolean";
      case "time":
        return sameKind([each.type === "DATE" ? "date" : "time", { text: each.value }], dialect);
      case "binary":
        return binaryKind(each);
      case "not":
        return condition(each.operand);
      case "isNull":
        checkCannotFail(each.operand, dialect, columnOf);
        return "boolean";
      case "in":
        return compared([each.operand, ...each.list]);
      case "between":
        return compared([each.operand, ...each.ends]);
      case "like":
        text(each.operand);
        if (each.pattern.kind !== "text")
          throw canFail(`${each.operator} with a pattern from the rows`, dialect);
        return "boolean";
      case "case":
        return caseKind(each);
      case "call":
        return callKind(each);
      case "cast":
        return castKind(each);
    }
  }

  function binaryKind({ operator, left, right }: Expression & { kind: "binary" }): Kind {
    if (operator === "AND" || operator === "OR") {
      condition(left);
      return condition(right);
    }
    if (operator === "||") {
      text(left);
      return text(right);
    }
    if (!/^[+\-*/%]$/.test(operator)) return compared([left, right]);
    const isSafe = dialect.hasSafeArithmetic === true && /^[+\-*]$/.test(operator);
    const kind = isSafe ? sameKind([kindOf(left), kindOf(right)], dialect) : "other";
    if (kind === "exact" || kind === "float" || kind === "number") return kind;
    throw canFail(`the operator ${operator}`, dialect);
  }

  function compared(expressions: readonly Expression[]): "boolean" {
    sameKind(expressions.map(kindOf), dialect);
    return "boolean";
  }

  function condition(each: Expression): "boolean" {
    sameKind(["boolean", kindOf(each)], dialect);
    return "boolean";
  }

  function text(each: Expression): "text" {
    sameKind(["text", kindOf(each)], dialect);
    return "text";
  }

  function caseKind({ operand, branches, otherwise }: Expression & { kind: "case" }): Kind {
    const conditions = branches.map(([when]) => when);
    if (operand === undefined) for (const when of conditions) condition(when);
    else compared([operand, ...conditions]);
    const results = [...branches.map(([, then]) => then), ...(otherwise === undefined ? [] : [otherwise])];
    return sameKind(results.map(kindOf), dialect);
  }

  function castKind({ operand, type }: Expression & { kind: "cast" }): Kind {
    const kind = kindOf(operand);
    if (!dialect.types.has(type.toLowerCase()) || kind === "null")
      throw canFail(`a cast to ${type}`, dialect);
    return "text";
  }

  function callKind({ name, values }: Expression & { kind: "call" }): Kind {
    const rule = dialect.functions.get(name.toLowerCase())?.rule;
    if (rule === undefined || rule.kind === "tried") throw canFail(`the function ${name}`, dialect);
    if (rule.kind === "same") {
      const [first, ...rest] = values;
      if (!rule.isChoice || first === undefined) return sameKind(values.map(kindOf), dialect);
      condition(first);
      return sameKind(rest.map(kindOf), dialect);
    }
    return safeCall(name, values, rule);
  }

  function safeCall(
    name: string,
    values: readonly Expression[],
    rule: FunctionRule & { kind: "safe" },
  ): Kind {
    const { parameters, least = parameters.length, result } = rule;
    if (values.length < least || values.length > parameters.length)
      throw canFail(`the function ${name} with ${values.length} values`, dialect);
    for (const [i, value] of values.entries()) {
      const parameter = parameters[i]!;
      if (parameter !== "position" && parameter !== "size") sameKind([parameter, kindOf(value)], dialect);
      else if (!isWritten(value, parameter === "position" ? 1 : 0))
        throw canFail(`the function ${name} with a position that isn't a whole number written out`, dialect);
    }
    return result;
  }

  function familyOf({ name, family }: TableColumn): Family {
    if (family === "other")
      throw canFail(`the column ${JSON.stringify(name)} in an expression, because of its type`, dialect);
    return family;
  }
}

function isWritten(value: Expression, least: number): boolean {
  if (value.kind !== "number" || !/^\d{1,7}$/.test(value.value)) return false;
  return Number(value.value) >= least && Number(value.value) <= LARGEST_POSITION;
}

/** The kind of several that are compared with each other. */
function sameKind(kinds: readonly Kind[], dialect: QueryDialect): Kind {
  const known = kinds.find(
    (kind): kind is Family => typeof kind === "string" && kind !== "null" && kind !== "number",
  );
  const isNumber = kinds.includes("number");
  const texts = kinds.filter((kind) => typeof kind === "object");
  if (known === undefined) {
    if (isNumber && texts.length > 0) throw mixed(dialect);
    return isNumber ? "number" : texts.length > 0 ? "text" : "null";
  }
  const isSame = kinds.every((kind) => {
    if (typeof kind === "object") return isWrittenAs(known, kind.text);
    if (kind === "number") return known === "exact" || known === "float";
    return kind === "null" || kind === known;
  });
  if (!isSame) throw mixed(dialect);
  return known;
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)( ([01]\d|2[0-3]):[0-5]\d:[0-5]\d)$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether a text constant is a value of the family, so that converting it can't fail. */
function isWrittenAs(family: Family, text: string): boolean {
  switch (family) {
    case "text":
      return true;
    case "date":
      return isDay(text);
    case "time":
      return isDay(MOMENT.exec(text)?.[1] ?? "");
    case "uuid":
      return UUID.test(text);
    default:
      return false;
  }
}

/** In the years that all engines know. */
function isDay(text: string): boolean {
  if (!DAY.test(text) || text < "1970-01-02" || text > "2100-12-31") return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function mixed(dialect: QueryDialect) {
  return canFail(
    "values of different types together (write days as '2026-01-31' and times as '2026-01-31 08:00:00')",
    dialect,
  );
}

/** The refusal of a query that could fail on some rows. */
export function canFail(what: string, { engine, allowed, hasTry }: QueryDialect) {
  return hasTry
    ? untrusted(what)
    : untrusted(
        what,
        ` ${engine} has no TRY, so one row that fails would end the count for everyone: use ${allowed}.`,
      );
}
