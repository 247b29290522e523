/**
 * The texts of the page: found in the syntax trees of its sources, listed in one file (`texts.json`), and replaced by a translation when
 * the page is built with one. So the sources stay readable, a first load carries one language, and a translator sees whole sentences
 * with named places for what comes in between: "This question costs {loss}{times}."
 *
 * A text is what JSX shows, and every other literal that reads as words. What reads as words and isn't shown (values that releases
 * record, selectors, errors of programming) is told by where it stands, or listed in `NO_TEXTS`. Of
 * winnow-release, the labels of options, the names of kinds and mechanisms, and the page's next steps are texts too. What else it says
 * stays English: refusals, captions and statements are the same in every front end, and releases record some of them.
 * @module
 */

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Whether a source of the page may have texts. */
export function mayHaveTexts(path: string): boolean {
  return /\/studio\/src\/.*\.tsx?$/.test(path) && !WITHOUT_TEXTS.test(path) && !/\/src\/analyst\//.test(path);
}

/** The translation of a text, with the same places in braces. */
export type Translate = (text: string) => string;

/** The code with each text replaced. `tree` is that of the code; positions are those of its characters. */
export function translated(code: string, tree: Node, translate: Translate): string {
  return code.slice(0, tree.start) + new Rewriting(code, translate).of(tree) + code.slice(tree.end);
}

/** The texts of the code, each once, in their order. */
export function textsOf(code: string, tree: Node): string[] {
  const found = new Set<string>();
  translated(code, tree, (text) => {
    found.add(text);
    return text;
  });
  return [...found];
}

/** Properties of the library's tables that the page shows, told by one beside them. */
const OF_LIBRARY: readonly { readonly name: string; readonly beside: string }[] = [
  { name: "label", beside: "flags" },
  { name: "title", beside: "summary" },
  { name: "title", beside: "gives" },
  { name: "gives", beside: "how" },
  { name: "caveat", beside: "how" },
  { name: "page", beside: "exit" },
];

/** The code of winnow-release with the texts that the page shows replaced. */
export function libraryTranslated(code: string, tree: Node, translate: Translate): string {
  const found: Node[] = [];
  const visit = (node: Node) => {
    if (node.type === "ObjectExpression") {
      const properties = node.properties as Node[];
      const names = properties.map(({ key }) => nameOf(key));
      for (const { key, value } of properties) {
        const isShown = OF_LIBRARY.some(({ name, beside }) => name === nameOf(key) && names.includes(beside));
        if (isShown && typeof (value as Node).value === "string") found.push(value as Node);
      }
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(tree);
  let [text, at] = ["", 0];
  for (const { start, end, value } of found.sort((a, b) => a.start - b.start)) {
    text += code.slice(at, start) + JSON.stringify(translate(String(value)));
    at = end;
  }
  return text + code.slice(at);
}

/** The same as `textsOf`, of winnow-release. */
export function libraryTextsOf(code: string, tree: Node): string[] {
  const found = new Set<string>();
  libraryTranslated(code, tree, (text) => {
    found.add(text);
    return text;
  });
  return [...found];
}

/** Attributes that a person reads or hears; all others are for the browser. */
const READ = [
  "aria-label",
  "title",
  "words",
  "label",
  "hint",
  "safe",
  "action",
  "placeholder",
  "legend",
  "alt",
];
/** Attributes whose texts are never for a person, also where they are computed. */
const UNREAD = ["class", "id", "d", "style", "aria-describedby", "aria-labelledby", "key", "srcSet", "media"];
/** Functions whose texts are for the browser. */
const FOR_BROWSERS = ["querySelector", "querySelectorAll", "closest", "matchMedia", "importKey", "digest"];
/** Files without texts: pictures, and programs that are handed out, whose comments are code. */
const WITHOUT_TEXTS = /\/(icon\.tsx|as-code\.ts|no-web-rtc\.ts)$/;
/** Elements that stand before or after a sentence and are no part of it. */
const BESIDE = ["Icon", "Mark", "svg", "br", "input"];

/** Values that read as words. */
const NO_TEXTS = [
  "field field-short",
  ...["Enter", "Values", "Items", "Winnow"],
  ...["range-problem range-hint", "number-column-problem number-column-hint"],
  ...["each on its own", "first line", "none, columns by number", "example visits", "one person"], // in releases
  "could not be published", // of winnow-release
  "no text",
];

class Rewriting {
  readonly #code: string;
  readonly #translate: Translate;
  /** Within something that no person reads. */
  #isHidden = false;

  constructor(code: string, translate: Translate) {
    this.#code = code;
    this.#translate = translate;
  }

  of(node: Node, parent?: Node): string {
    switch (node.type) {
      case "ImportDeclaration":
      case "ExportAllDeclaration":
        return this.#source(node);
      case "ThrowStatement":
        return nameOf((node.argument as Node).callee) === "Error" ? this.#source(node) : this.#inside(node);
      case "NewExpression":
        return nameOf(node.callee) === "Error" ? this.#source(node) : this.#inside(node);
      case "CallExpression":
        return FOR_BROWSERS.includes(nameOf(node.callee)) ? this.#hidden(node) : this.#inside(node);
      case "JSXElement":
      case "JSXFragment":
        return this.#sentence(node) ?? this.#inside(node);
      case "JSXText":
        return this.#jsxText(node);
      case "JSXAttribute":
        return this.#attribute(node, parent);
      case "Literal":
        return this.#literal(node, parent);
      case "TemplateLiteral":
        return this.#template(node) ?? this.#inside(node);
      case "Property":
        return this.#property(node);
      default:
        return isType(node) ? this.#source(node) : this.#inside(node);
    }
  }

  #source({ start, end }: Node): string {
    return this.#code.slice(start, end);
  }

  #inside(node: Node): string {
    let [text, at] = ["", node.start];
    for (const child of childrenOf(node)) {
      if (child.start < at) continue; // a name that is key and value at once
      text += this.#code.slice(at, child.start) + this.of(child, node);
      at = child.end;
    }
    return text + this.#code.slice(at, node.end);
  }

  #hidden(node: Node): string {
    const before = this.#isHidden;
    this.#isHidden = true;
    const text = this.#inside(node);
    this.#isHidden = before;
    return text;
  }

  #property(node: Node): string {
    const value = node.value as Node;
    if (node.shorthand === true) return this.#source(node);
    return this.#code.slice(node.start, value.start) + this.of(value, node);
  }

  #attribute(node: Node, element: Node | undefined): string {
    const name = nameOf(node.name);
    const isRead = READ.includes(name) || (name === "name" && nameOf(element?.name) === "CodeToCopy");
    const value = node.value as Node | null;
    if (value?.type === "Literal")
      return isRead && hasWords(String(value.value))
        ? `${name}={${this.#written(String(value.value))}}`
        : this.#source(node);
    return UNREAD.includes(name) ? this.#hidden(node) : this.#inside(node);
  }

  #literal(node: Node, parent: Node | undefined): string {
    const { value } = node;
    if (typeof value !== "string" || this.#isHidden || !isText(value, parent)) return this.#source(node);
    return this.#written(value);
  }

  #written(text: string): string {
    return JSON.stringify(this.#translate(text));
  }

  #template(node: Node): string | undefined {
    const parts = (node.quasis as Node[]).map(({ value }) => (value as { cooked: string }).cooked);
    const words = parts.join(" ");
    if (
      this.#isHidden ||
      !parts.some((part) => part.includes(" ")) ||
      !hasWords(words) ||
      NO_TEMPLATE.test(words)
    )
      return undefined;
    const expressions = node.expressions as Node[];
    const places = placesOf(expressions);
    const text = parts.map((part, i) => part + (places[i] === undefined ? "" : `{${places[i]}}`)).join("");
    const filled = this.#filled(
      text,
      places,
      expressions,
      (part) => escaped(part),
      (code) => `\${${code}}`,
      node,
    );
    return `\`${filled}\``;
  }

  #jsxText(node: Node): string {
    const shown = asShown(String(node.value));
    if (!hasWords(shown)) return this.#source(node);
    const [, before, text, after] = /^(\s*)(.*?)(\s*)$/s.exec(shown) as unknown as [
      string,
      string,
      string,
      string,
    ];
    const space = (blank: string) => (blank === "" ? "" : '{" "}');
    return `${space(before)}{${this.#written(text)}}${space(after)}`;
  }

  /** An element whose sentence has elements or values within it: one text with places. */
  #sentence(node: Node): string | undefined {
    const parts = (node.children as Node[])
      .map((child) => partOf(child))
      .filter((part) => part !== undefined);
    const values = parts.flatMap((part) => (typeof part === "string" ? [] : [part]));
    const isSentence = parts.some((part) => typeof part === "string" && hasWords(part));
    if (!isSentence || values.every(isBeside)) return undefined;
    const inner = values.map((value) =>
      value.type === "JSXExpressionContainer" ? (value.expression as Node) : value,
    );
    const places = placesOf(inner);
    let next = 0;
    const text = parts.map((part) => (typeof part === "string" ? part : `{${places[next++]}}`)).join("");
    const [, before, sentence, after] = /^(\s*)(.*?)(\s*)$/s.exec(text) as unknown as [
      string,
      string,
      string,
      string,
    ];
    const written = (words: string) => (words === "" ? "" : `{${JSON.stringify(words)}}`);
    const filled = this.#filled(sentence, places, inner, written, (code) => `{${code}}`, node);
    const open = node.openingElement === undefined ? "<>" : this.of(node.openingElement as Node, node);
    const close = node.closingElement === undefined ? "</>" : this.#source(node.closingElement as Node);
    return open + written(before) + filled + written(after) + close;
  }

  /** The translation, with the code of each place in it. */
  #filled(
    text: string,
    places: readonly string[],
    values: readonly Node[],
    words: (part: string) => string,
    place: (code: string) => string,
    parent: Node,
  ): string {
    const pieces = this.#translate(text).split(/(\{[a-z]\w*\})/i);
    const met: string[] = [];
    const filled = pieces.map((piece, i) => {
      if (i % 2 === 0) return words(piece);
      const name = piece.slice(1, -1);
      const value = values[places.indexOf(name)];
      if (value === undefined) throw new Error(`${JSON.stringify(text)} has no place ${piece}`);
      met.push(name);
      return place(this.of(value, parent));
    });
    if (new Set(met).size < places.length)
      throw new Error(`the translation of ${JSON.stringify(text)} must have each of its places`);
    return filled.join("");
  }
}

/** Templates of markup, addresses, lengths and names of parts of the page. */
const NO_TEMPLATE = /<|^data:|url\(|px| rows$| -hint|-problem /;

function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(text);
}

/** Selectors, style sheets, paths of pictures, and names in capitals. */
const NO_WORDS = /^[#.[]|^[\w-]+\[|\{[\w-]+:|^M\d|^[A-Z]+\d|^[A-Z]+$/;

/** Whether a literal reads as words: several, or one with a capital; counted things are words too. */
function isText(value: string, parent: Node | undefined): boolean {
  if (!hasWords(value) || NO_TEXTS.includes(value)) return false;
  if (parent?.type === "CallExpression" && nameOf(parent.callee) === "counted") return true;
  const isCompared = parent?.type === "BinaryExpression" && /^[!=]==?$/.test(String(parent.operator));
  if (isCompared || parent?.type === "SwitchCase" || parent?.type === "ExpressionStatement") return false;
  if (NO_WORDS.test(value)) return false;
  return /\S \S|^\s|\s$/.test(value) ? /\p{Ll}{2}|ε|δ/u.test(value) : /^\p{Lu}\p{Ll}|^UTF-/u.test(value);
}

function isType({ type }: Node): boolean {
  return /^TS/.test(type) && !/^TS(As|Satisfies|NonNull)/.test(type);
}

function childrenOf(node: Node): Node[] {
  const isNode = (value: unknown): value is Node =>
    typeof value === "object" && value !== null && typeof (value as Node).type === "string";
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

/** A text as JSX shows it, or the element or value between texts; undefined for a comment. */
function partOf(child: Node): string | Node | undefined {
  if (child.type === "JSXText") return asShown(String(child.value));
  if (child.type !== "JSXExpressionContainer") return child;
  const { type, value } = child.expression as Node;
  if (type === "JSXEmptyExpression") return undefined;
  return type === "Literal" && typeof value === "string" && !hasWords(value) ? value : child;
}

/** Line breaks with the blanks around them are one blank between words, and nothing at the ends. */
function asShown(text: string): string {
  const lines = text.split("\n");
  if (lines.length === 1) return text;
  return lines
    .map((line, i) => (i > 0 ? line.trimStart() : line))
    .map((line, i) => (i < lines.length - 1 ? line.trimEnd() : line))
    .filter((line) => line !== "")
    .join(" ");
}

function isBeside(node: Node): boolean {
  if (node.type !== "JSXElement") return false;
  const { name, attributes } = node.openingElement as Node & { attributes: Node[] };
  const isForEyes = attributes.some((attribute) => nameOf(attribute.name) === "aria-hidden");
  return isForEyes || BESIDE.includes(nameOf(name));
}

/** A name for each place, after what stands there; no two are the same. */
function placesOf(values: readonly Node[]): string[] {
  const names: string[] = [];
  for (const value of values) {
    const word = wordOf(value).replace(/InWords$/, "");
    const name = /^[A-Z_]+$/.test(word) ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
    let [unique, more] = [name, 2];
    while (names.includes(unique)) unique = `${name}${more++}`;
    names.push(unique);
  }
  return names;
}

/** Functions that only write what they are given. */
const WRITERS = [
  "counted",
  "whole",
  "percent",
  "short",
  "about",
  "visible",
  "forTerminal",
  "stringify",
  "people",
  "nice",
];

function wordOf(node: Node | null | undefined): string {
  switch (node?.type) {
    case "Identifier":
      return String(node.name);
    case "MemberExpression": {
      const name = nameOf(node.property);
      return ["value", "length", ""].includes(name) ? wordOf(node.object as Node) : name;
    }
    case "CallExpression": {
      const [first] = node.arguments as Node[];
      const { type, object } = node.callee as Node;
      if (first !== undefined && WRITERS.includes(nameOf(node.callee))) return wordOf(first);
      const isMethod =
        type === "MemberExpression" && /^(join|map|slice|trim|peek|toFixed|ceil)$/.test(nameOf(node.callee));
      return isMethod ? wordOf(nameOf(object) === "Math" ? first : (object as Node)) : nameOf(node.callee);
    }
    case "LogicalExpression":
    case "BinaryExpression":
      return wordOf(((node.left as Node).type === "Literal" ? node.right : node.left) as Node);
    case "ConditionalExpression":
      return wordOf(node.test as Node);
    case "TSNonNullExpression":
    case "ChainExpression":
    case "UnaryExpression":
      return wordOf((node.expression ?? node.argument) as Node);
    case "JSXExpressionContainer":
      return wordOf(node.expression as Node);
    case "JSXElement": {
      const { name, attributes } = node.openingElement as Node & { attributes: Node[] };
      const named = attributes.find((attribute) => nameOf(attribute.name) === "name");
      const value = (named?.value as Node | undefined) ?? (node.children as Node[]).find(isValue);
      return value?.type === "JSXExpressionContainer" ? wordOf(value) : nameOf(name);
    }
    default:
      return "part";
  }
}

function isValue({ type, expression }: Node): boolean {
  return type === "JSXExpressionContainer" && (expression as Node).type !== "Literal";
}

/** Of an identifier, of the last part of a path, of a JSX name; empty for anything else. */
function nameOf(node: unknown): string {
  const { name, property } = (node ?? {}) as Partial<Node>;
  return typeof name === "string" ? name : property === undefined ? "" : nameOf(property);
}

/** Within a template. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`]|\$\{/g, (mark) => `\\${mark}`);
}
