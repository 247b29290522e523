/**
 * Frozen answers: values that were recorded once and must not change while the code behind them is rearranged. A table of cases
 * stands in a test, what they gave in a JSON file beside it, one case a line. A case whose call is renamed keeps its record.
 *
 * `UPDATE_FROZEN=1 npx vitest run packages/core/test/frozen` records anew, which CI refuses: read the diff before you commit it.
 * @module
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";

/** What is recorded, by a name that never changes. */
export type FrozenCases = Readonly<Record<string, () => unknown>>;

/** Tests that the cases still give what the file recorded, and that the file holds no others. */
export function frozen(file: URL, cases: FrozenCases): void {
  if (process.env.UPDATE_FROZEN === "1") {
    it("is recorded anew", () => record(file, cases));
    return;
  }
  const recorded = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, unknown>>;
  it("is recorded for each case", () => {
    expect(Object.keys(cases)).toEqual(Object.keys(recorded));
  });
  it.each(Object.entries(cases))("is as recorded: %s", async (name, ask) => {
    expect(await told(ask)).toEqual(recorded[name]);
  });
}

async function record(file: URL, cases: FrozenCases): Promise<void> {
  if (process.env.CI === "true") throw new Error("UPDATE_FROZEN is refused where CI=true");
  const lines: string[] = [];
  for (const [name, ask] of Object.entries(cases))
    lines.push(`  ${JSON.stringify(name)}: ${JSON.stringify(await told(ask))}`);
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
}

/** An answer as JSON has it, or the code of the error and what it is about. */
async function told(ask: () => unknown): Promise<unknown> {
  try {
    return JSON.parse(JSON.stringify((await ask()) ?? null));
  } catch (error) {
    const { code, field } = error as { readonly code?: unknown; readonly field?: unknown };
    if (typeof code !== "string") throw error;
    return { refused: code, field };
  }
}

/** A fingerprint of a text that nobody would read in a diff. */
export function fingerprint(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
