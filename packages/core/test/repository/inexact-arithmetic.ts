/**
 * Finds arithmetic whose result JavaScript leaves to the engine. The standard defines + − × ÷ and a few functions
 * of `Math` to the last bit; `Math.exp`, `Math.log`, `Math.pow`, `**` on doubles and the rest are
 * "implementation-approximated", and `Math.random` is not fair. Works on the syntax tree, so a comment or a
 * string is no use, and an alias (`const { exp } = Math`) is one.
 * @module
 */
import { type ESTree, parseSync, Visitor } from "vite";

/** The functions of `Math` whose every result the standard defines. */
const EXACT = new Set([
  "abs",
  "ceil",
  "clz32",
  "floor",
  "fround",
  "imul",
  "max",
  "min",
  "round",
  "sign",
  "trunc",
]);

/** Each inexact use in a module's source, as `"Math.exp"`, `"**"`, or `"Math"` where `Math` itself is handed on. */
export function inexactUses(path: string, source: string): string[] {
  const uses: string[] = [];
  const explained = new Set<ESTree.Node>();
  new Visitor({
    MemberExpression({ object, property }) {
      if (object.type !== "Identifier" || object.name !== "Math") return;
      explained.add(object);
      const name = property.type === "Identifier" ? property.name : "[…]";
      if (!EXACT.has(name)) uses.push(`Math.${name}`);
    },
    Identifier(node) {
      if (node.name === "Math" && !explained.has(node)) uses.push("Math");
    },
    BinaryExpression({ operator, left, right }) {
      if (operator === "**" && !isBigint(left) && !isBigint(right)) uses.push("**");
    },
    AssignmentExpression({ operator, right }) {
      if (operator === "**=" && !isBigint(right)) uses.push("**");
    },
  }).visit(parseSync(path, source).program);
  return uses;
}

/**
 * Whether an operand is seen to be a bigint: a literal, `BigInt(…)`, or arithmetic with one. The other operand is
 * then one too, because mixing the two throws.
 */
function isBigint(node: ESTree.Node): boolean {
  switch (node.type) {
    case "Literal":
      return "bigint" in node;
    case "CallExpression":
      return node.callee.type === "Identifier" && node.callee.name === "BigInt";
    case "UnaryExpression":
      return isBigint(node.argument);
    case "ParenthesizedExpression":
      return isBigint(node.expression);
    case "BinaryExpression":
      return isBigint(node.left) || isBigint(node.right);
    default:
      return false;
  }
}
