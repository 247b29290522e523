/**
 * A strict reader of the XML that pictures are made of: balanced elements, quoted attributes, the five entities, no character
 * that XML forbids. Anything else throws.
 * @module
 */

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

const TOKEN =
  /<\/(?<close>[\w:-]+)>|<(?<open>[\w:-]+)(?<attributes>(?:\s+[\w:-]+="[^"<]*")*)\s*(?<empty>\/?)>|(?<text>[^<]+)/uy;
const ATTRIBUTE = /([\w:-]+)="([^"<]*)"/gu;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

export function parseXml(source: string): XmlElement {
  if (FORBIDDEN.test(source)) throw new Error("a character that XML forbids");
  const root = { name: "", attributes: {}, children: [] as (XmlElement | string)[] };
  const open = [root];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < source.length; ) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(source)?.groups;
    if (groups === undefined) throw new Error(`no XML at ${source.slice(at, at + 40)}`);
    const parent = open[open.length - 1];
    if (groups.text !== undefined) parent.children.push(decoded(groups.text));
    else if (groups.close !== undefined) {
      if (open.pop()?.name !== groups.close) throw new Error(`unbalanced ${groups.close}`);
    } else {
      const element = { name: groups.open, attributes: attributesOf(groups.attributes), children: [] };
      parent.children.push(element);
      if (groups.empty === "") open.push(element);
    }
  }
  if (open.length !== 1) throw new Error("an element does not end");
  const [first, ...rest] = root.children.filter((child) => typeof child !== "string" || child.trim() !== "");
  if (typeof first === "string" || first === undefined || rest.length > 0)
    throw new Error("one root was expected");
  return first;
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(ATTRIBUTE)].map(([, name, value]) => [name, decoded(value)]));
}

function decoded(text: string): string {
  return text.replace(/&([^;]*);?/g, (whole, name) => {
    if (!whole.endsWith(";") || !Object.hasOwn(ENTITIES, name)) throw new Error(`unknown entity ${whole}`);
    return ENTITIES[name];
  });
}

/** The element and all within it. */
export function elementsOf(element: XmlElement): XmlElement[] {
  const inner = element.children.flatMap((child) => (typeof child === "string" ? [] : elementsOf(child)));
  return [element, ...inner];
}

export function textOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");
}
