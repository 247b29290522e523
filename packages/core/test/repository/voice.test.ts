/**
 * Plain English stays plain: the patterns that made our texts hard to read don't come back. Each rule has what to write
 * instead, and an example that it must catch.
 */
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { byPath, type ProjectFile, projectFiles } from "./project.js";

interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
  /** What to write, and a sentence that breaks the rule. */
  readonly instead: string;
  readonly caught: string;
}

/** "is no larger than" compares; "there is no list" says what is missing. Both are plain. */
const COMPARED =
  "larger|smaller|greater|lower|higher|longer|shorter|wider|narrower|more|less|fewer|better|worse|slower|faster|earlier|later|further|different|one";

const RULES: readonly Rule[] = [
  {
    name: "the verb is negated, not the noun",
    pattern: new RegExp(`(?<!\\bthere )\\b(?:is|are|was|were) no\\b(?! (?:${COMPARED})\\b)`, "i"),
    instead: "isn't a …",
    caught: "A value that is no number is refused.",
  },
  { name: "except", pattern: /\bbut for\b/i, instead: "except", caught: "All but for one run." },
  {
    name: "no one",
    pattern: /\b(?:no|some|any|every)body\b/i,
    instead: "no one, someone, anyone, everyone; a row is skipped",
    caught: "It counts for nobody.",
  },
  { name: "fix", pattern: /\bmend(?:s|ed|ing)?\b/i, instead: "fix", caught: "Mend the question." },
  {
    name: "anyone who",
    // The sentence of the promise is quoted from the theorem.
    pattern: /\bwho(?:m?ever)\b(?! knows\s+all\s+but\s+one\s+person's\s+data\b)/i,
    instead: "anyone who, or the subject itself",
    caught: "Whoever reads it",
  },
  { name: "to", pattern: /\bso as to\b/i, instead: "to", caught: "so as to hide it" },
  {
    name: "because",
    pattern:
      /, for (?:that|they|there|otherwise|then|(?:it|this) (?:is|was|would|must|can|could|may|has|tells))\b/i,
    instead: "because",
    caught: "is refused, for it would tell",
  },
  { name: "only", pattern: /\bnothing but\b/i, instead: "only", caught: "nothing but ε is paid" },
  {
    name: "a parameter must be something",
    pattern:
      /(?<!\b(?:is|are|was|were|be|been|as|than|the|its|an|and|what) )\bexpected (?:an?|one|two|exactly|at (?:least|most)|no)\b/i,
    instead: "must be",
    caught: '"k" expected an integer from 1 to 39',
  },
  {
    name: "runner-up",
    pattern: /\bthe best that (?:did not|didn't|does not) win\b/i,
    instead: "the runner-up",
    caught: "leads the best that did not win",
  },
  {
    name: "the subject comes first",
    pattern:
      /(?:^|[.:;!] )(?:\*\*)?What (?:is|was|can|cannot|can't|does|did|must|may|stands|comes|came|goes|leaves|has|had)\b(?![^.]*\?)/m,
    instead: "name the subject: Invalid arguments throw …",
    caught: "What cannot be meant is refused.",
  },
];

/** A guide speaks of distributions; a law is for proofs. */
const GUIDE_RULES: readonly Rule[] = [
  {
    name: "distribution",
    pattern: /(?<!Zipf's )\blaws?\b/i,
    instead: "distribution",
    caught: "to compare with a law",
  },
];

/** Comments have a few patterns of their own, which say little where an editor shows them alone. */
const COMMENT_RULES: readonly Rule[] = [
  {
    name: "a number has a name",
    pattern: /\bso (?:many|much)\b/i,
    instead: "the parameter's name, n, or this many",
    caught: "Gaps of at least so many resolutions are one outcome.",
  },
  {
    name: "a comment stands alone",
    pattern:
      /^(?:Of\b|The same(?:[.,;:]| (?:for|of|in|with|without|as|by|from|where|when|if|after|but|again|to)\b))/,
    instead: "the thing itself",
    caught: "Of the noise: a scale, or a variance.",
  },
  {
    name: "as it is in",
    pattern: /(?<!\boften )\bas (?!often )(?:[^ .;:]+ ){1,4}(?:has|have) (?:it|them)\b/i,
    instead: "as in",
    caught: "The scale, as `usualScale` has it.",
  },
  {
    name: "per",
    pattern:
      /\b(?:one|[nµm]s|bits?|words?|bytes?|(?:nano|micro)seconds) an? (?:round|candidate|query|place|draw|call|test|step|name|row)\b/i,
    instead: "one per round",
    caught: "Picks winners, one a round.",
  },
  {
    name: "can't be used afterwards",
    pattern: /\bused up by that\b/i,
    instead: "which can't be used afterwards",
    caught: "The answer; the stream is used up by that.",
  },
];

/** Comments as a reader sees them, one paragraph each: without markers, line ends and code. */
function commentsOf({ path, text }: ProjectFile): string[] {
  const { comments } = parseSync(path, text);
  const blocks: string[] = [];
  let end = -1;
  for (const comment of comments) {
    const isNextLine = comment.type === "Line" && /^[ \t]*\n[ \t]*$/.test(text.slice(end, comment.start));
    if (isNextLine) blocks.push(`${blocks.pop()} ${comment.value}`);
    else blocks.push(comment.value);
    end = comment.type === "Line" ? comment.end : -1;
  }
  return blocks.map((block) =>
    block
      .replaceAll(/^[ \t]*\*/gm, "")
      .replaceAll(/^ *```.*?^ *```$/gms, "")
      .replaceAll(/`[^`]*`/g, "`…`")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

/** What a reader reads: without code, formulas, link targets and headings. */
function proseOf(page: string): string {
  return page
    .replace(/^---\n.*?^---$/ms, (front) => front.replaceAll(/^\s*(?:link|src|theme|layout):.*$/gm, ""))
    .replaceAll(/^```.*?^```$/gms, "")
    .replaceAll(/\$\$.*?\$\$/gs, "")
    .replaceAll(/<script.*?<\/script>/gs, "")
    .replaceAll(/`[^`\n]*`/g, "`…`")
    .replaceAll(/\$[^$\n]+\$/g, "$…$")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/^#+ .*$/gm, "");
}

function broken(text: string, rules: readonly Rule[]): string[] {
  return rules.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(text);
    return found === null
      ? []
      : [
          `"${text.slice(Math.max(0, found.index - 40), found.index + 60).replaceAll("\n", " ")}": write ${instead}`,
        ];
  });
}

const pages = projectFiles(/^((packages\/\w+\/)?[A-Z]+\.md|docs\/.*\.md|.*\.proof\.md)$/);
const GUIDES = /^(?:docs\/(?:guide\/(?!glossary)|start|index)|README)/;
describe("the documents", () => {
  it.each(byPath(pages))("%s is in plain English", (path, { text }) => {
    const rules = GUIDES.test(path) ? [...RULES, ...GUIDE_RULES] : RULES;
    expect(broken(proseOf(text), rules)).toEqual([]);
  });
});

describe("the sources", () => {
  const sources = projectFiles(/^(?:packages\/\w+|bench|research)\/src\/.*\.tsx?$/);

  it.each(byPath(sources.filter(({ path }) => path.startsWith("packages/"))))(
    "%s is in plain English",
    (_, { text }) => {
      expect(broken(text, RULES)).toEqual([]);
    },
  );

  const folders = new Set(sources.map(({ path }) => path.split("/src/")[0]));

  it.each([...folders])("the comments of %s are in plain English", (folder) => {
    const found = sources
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .flatMap((file) => commentsOf(file).map((text) => ({ path: file.path, text })))
      .flatMap(({ path, text }) =>
        broken(text, [...RULES, ...COMMENT_RULES]).map((sentence) => `${path}: ${sentence}`),
      );
    expect(found).toEqual([]);
  });
});

describe("a rule", () => {
  it.each([...RULES, ...GUIDE_RULES, ...COMMENT_RULES])("catches what it is for: $name", (rule) => {
    expect(broken(rule.caught, [rule])).toHaveLength(1);
  });

  it.each([
    "It is no larger than the other, and there is no list.",
    "What is public? The header.",
    "The expected error is small, and what was expected a minute ago.",
    "Run it for the first time.",
  ])("lets plain English pass: %s", (sentence) => {
    expect(broken(sentence, RULES)).toEqual([]);
  });

  it("doesn't look into code, formulas and the targets of links", () => {
    const page =
      "# What is no law\n\n```text\nWhoever\n```\n`nobody` and $but for$ and [a page](but-for-nobody.md)\n";
    expect(broken(proseOf(page), [...RULES, ...GUIDE_RULES])).toEqual([]);
  });
});
