/**
 * The part of JSON Schema that the published schema uses. Unknown keywords are refused: a rule that is not checked would
 * look as if it were.
 * @module
 */

type Schema = Readonly<Record<string, unknown>>;
type Check = (rule: never, value: unknown, root: Schema, schema: Schema) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  integer: Number.isInteger,
};

const CHECKS: Readonly<Record<string, Check>> = {
  type: (rule: string, value) => TYPES[rule](value),
  const: (rule: unknown, value) => rule === value,
  enum: (rule: unknown[], value) => rule.includes(value),
  pattern: (rule: string, value) => typeof value === "string" && new RegExp(rule, "u").test(value),
  minLength: (rule: number, value) => typeof value === "string" && value.length >= rule,
  maxLength: (rule: number, value) => typeof value === "string" && value.length <= rule,
  minimum: (rule: number, value) => typeof value === "number" && value >= rule,
  required: (rule: string[], value) => isObject(value) && rule.every((name) => name in value),
  items: (rule: Schema, value, root) =>
    Array.isArray(value) && value.every((item) => isValid(rule, item, root)),
  oneOf: (rule: Schema[], value, root) => rule.filter((one) => isValid(one, value, root)).length === 1,
  $ref: (rule: string, value, root) => isValid(lookUp(rule, root), value, root),
  properties: (rule: Record<string, Schema>, value, root) =>
    isObject(value) &&
    Object.entries(rule).every(([name, part]) => !(name in value) || isValid(part, value[name], root)),
  additionalProperties: (rule: false | Schema, value, root, { properties = {} }) =>
    isObject(value) &&
    Object.keys(value).every(
      (name) =>
        Object.hasOwn(properties as object, name) || (rule !== false && isValid(rule, value[name], root)),
    ),
};

const WORDS = new Set(["$schema", "$id", "$defs", "title", "description"]);

export function isValid(schema: Schema, value: unknown, root = schema): boolean {
  return Object.entries(schema).every(([keyword, rule]) => {
    if (WORDS.has(keyword)) return true;
    const check = CHECKS[keyword];
    if (check === undefined) throw new Error(`unknown keyword ${keyword}`);
    return check(rule as never, value, root, schema);
  });
}

/** "#/$defs/name". */
function lookUp(reference: string, root: Schema): Schema {
  return (root.$defs as Record<string, Schema>)[reference.replace("#/$defs/", "")];
}
