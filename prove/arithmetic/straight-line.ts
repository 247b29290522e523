/**
 * Straight-line arithmetic of a TypeScript source, translated into Gappa's language operation by operation, so that what is
 * proven is what the source says. Anything other than constants, + − × ÷, absolute values
 * and known names is an error here.
 * @module
 */
import { readFileSync } from "node:fs";
import { type ESTree, parseSync } from "vite";
import { dyadic } from "./gappa.js";

/** Names and expressions of the source, such as `table[cell]`, and what stands for them. */
export type Known = Readonly<Record<string, string>>;

/** A part of a source and what a mistake would make of it. */
export type Mistake = readonly [from: string, to: string];

export class SourceFile {
  readonly #text: string;
  readonly #mistake: Mistake;
  readonly #declarations: readonly ESTree.Declaration[];

  /** A file of the core. */
  constructor(path: string, mistake: Mistake = ["", ""]) {
    const [from, to] = mistake;
    const text = readFileSync(new URL(`../../packages/core/src/${path}`, import.meta.url), "utf8");
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
    this.#mistake = mistake;
    this.#text = text.replace(from, to);
    this.#declarations = parseSync(path, this.#text).program.body.flatMap((statement) => {
      const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
      const isOne = declared?.type === "VariableDeclaration" || declared?.type === "FunctionDeclaration";
      return isOne ? [declared] : [];
    });
  }

  /** The value of a constant of the module, by the doubles that it is computed from. */
  constant(name: string): number {
    for (const declared of this.#declarations) {
      if (declared.type !== "VariableDeclaration") continue;
      for (const { id, init } of declared.declarations)
        if (id.type === "Identifier" && id.name === name && init) return this.#evaluate(init);
    }
    throw new Error(`no constant ${name}`);
  }

  #evaluate(node: ESTree.Expression): number {
    if (node.type === "Literal" && typeof node.value === "number") return node.value;
    if (node.type === "Identifier") return this.constant(node.name);
    if (node.type !== "BinaryExpression") throw strange(node.type);
    const [left, right] = [this.#evaluate(node.left as ESTree.Expression), this.#evaluate(node.right)];
    switch (node.operator) {
      case "+":
        return left + right;
      case "-":
        return left - right;
      case "*":
        return left * right;
      case "/":
        return left / right;
      default:
        throw strange(node.operator);
    }
  }

  /** The body of a function as lines of Gappa, its answer as `result`. What is known is not computed. */
  bodyOf(name: string, known: Known): string {
    for (const declared of this.#declarations)
      if (declared.type === "FunctionDeclaration" && declared.id?.name === name)
        return declared.body!.body.flatMap((line) => this.#line(line, known)).join("\n");
    throw new Error(`no function ${name}`);
  }

  #line(node: ESTree.Statement | ESTree.Directive, known: Known): string[] {
    if (node.type === "ReturnStatement" && node.argument)
      return [`result rnd= ${this.#expression(node.argument, this.#text, known)};`];
    if (node.type !== "VariableDeclaration") throw strange(node.type);
    return node.declarations.flatMap(({ id, init }) => {
      if (id.type !== "Identifier" || !init) throw strange(id.type);
      return id.name in known ? [] : [`${id.name} rnd= ${this.#expression(init, this.#text, known)};`];
    });
  }

  /** An expression that stands in the source just like this, unless the mistake changed it. */
  expression(right: string, known: Known): string {
    const text = right.replace(...this.#mistake);
    if (!this.#text.includes(text)) throw new Error(`the source has no ${text}`);
    const [statement] = parseSync("expression.ts", text).program.body;
    if (statement?.type !== "ExpressionStatement") throw strange(text);
    return this.#expression(statement.expression, text, known);
  }

  #expression(node: ESTree.Expression, source: string, known: Known): string {
    const text = source.slice(node.start, node.end);
    if (text in known) return known[text];
    const part = (inner: ESTree.Expression) => this.#expression(inner, source, known);
    switch (node.type) {
      case "Literal":
        if (typeof node.value !== "number") throw strange(text);
        return dyadic(node.value);
      case "ParenthesizedExpression":
        return part(node.expression);
      case "BinaryExpression":
        if (!/^[-+*/]$/.test(node.operator)) throw strange(text);
        return `(${part(node.left as ESTree.Expression)} ${node.operator} ${part(node.right)})`;
      case "CallExpression":
        if (text.startsWith("Math.abs(") && node.arguments.length === 1)
          return `|${part(node.arguments[0] as ESTree.Expression)}|`;
        throw strange(text);
      case "Identifier":
        return /^[A-Z][A-Z\d_]*$/.test(node.name) ? dyadic(this.constant(node.name)) : node.name;
      default:
        throw strange(text);
    }
  }
}

function strange(what: string): Error {
  return new Error(`not straight-line arithmetic: ${what}`);
}
