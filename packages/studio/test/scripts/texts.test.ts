/** The texts of the page are in one file, and the page can be built in another language. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { allTexts, textsIn, translatedCode } from "../../scripts/translation.js";

const FILE = new URL("../../texts.json", import.meta.url);

/** Each part between two places. */
function bracketed(text: string): string {
  return text.replace(/(^|\})([^{}]+)/g, "$1⟦$2⟧");
}

describe("the texts of the page", () => {
  it("are all in texts.json: npm run texts writes it", async () => {
    expect(JSON.parse(await readFile(FILE, "utf8"))).toEqual(await allTexts());
  });

  it("are what JSX shows and what reads as words, with names for what stands between", () => {
    const code = `
      const Note = ({ name, isNew }) => (
        <p class="soft small" title="Hint">
          This costs <strong>{cost.value.loss}</strong>
          {isNew && <>. Room for {moreLikeThis(cost)}</>}, as the file says.
        </p>
      );
      const of = (used) => \`\${counted(used, "label", "labels")} of \${file.name} used.\`;
      const way = kind === "top k" ? "The best" : "all";
      if (failed) throw new Error("the page expects an element");
      const codes = ["HMAC", "private-rows", "textarea[aria-invalid]"];
    `;
    expect(textsIn(code)).toEqual([
      "This costs {loss}{isNew}, as the file says.",
      ". Room for {moreLikeThis}",
      "Hint",
      "{used} of {name} used.",
      "label",
      "labels",
      "The best",
    ]);
  });

  it("can be translated, in any order of words, and every place must stay", () => {
    const translate = (code: string, text: string) => translatedCode(code, () => text);
    expect(translate("<p>Use {name} now</p>", "Jetzt {name} `nutzen`")).toBe(
      '<p>{"Jetzt "}{name}{" `nutzen`"}</p>',
    );
    const template = "const a = (n) => `at most $" + "{n} of them`;";
    expect(translate(template, "von ihnen höchstens `{n}`")).toBe(
      "const a = (n) => `von ihnen höchstens \\`$" + "{n}\\``;",
    );
    expect(translate('const a = "Two words";', 'Zwei "Wörter"')).toBe('const a = "Zwei \\"Wörter\\"";');
    expect(() => translate("<p>Use {name} now</p>", "Jetzt")).toThrow("must have each of its places");
    expect(() => translate("<p>Use {name} now</p>", "{other} {name}")).toThrow("has no place {other}");
  });

  it("include what the page shows of the library's tables", async () => {
    const texts = Object.entries(await allTexts()).flatMap(([file, all]) =>
      file.startsWith("winnow-release/") ? all : [],
    );
    expect(texts).toEqual(
      expect.arrayContaining(["Number of winners", "Top k", "Set a budget for this data set first."]),
    );
  });

  it("leaves nothing behind: a translated source has only translated texts", async () => {
    const sources = Object.keys(await allTexts()).filter((source) => !source.startsWith("winnow-release/"));
    expect(sources.length).toBeGreaterThan(25);
    for (const source of sources) {
      const code = await readFile(new URL(`../../src/${source}`, import.meta.url), "utf8");
      const pseudo = translatedCode(code, bracketed);
      const left = textsIn(pseudo).filter((text) => !text.includes("⟦"));
      expect([source, left]).toEqual([source, []]);
    }
  });
});
