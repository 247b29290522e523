import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { convert, describeLoss, type Loss, lossFromJson } from "winnow-dp";
import { asTypeScript } from "../../src/worker/as-code.js";
import { aRelease, EVERY_MECHANISM } from "../support/a-release.js";

const CORE = fileURLToPath(new URL("../../../core/", import.meta.url));
const TSC = fileURLToPath(new URL("../../../../node_modules/.bin/tsc", import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "winnow-program-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const programs = await Promise.all(
  EVERY_MECHANISM.map(async (asked) => {
    const release = await aRelease(asked);
    return { asked, release, text: asTypeScript(release) };
  }),
);

describe("a release as TypeScript", () => {
  it("compiles as it is, whatever the question", async () => {
    const options = {
      strict: true,
      noEmit: true,
      target: "es2022",
      module: "nodenext",
      types: [],
      lib: ["es2022", "dom"],
      paths: { "winnow-dp": [`${CORE}dist/index.d.ts`] },
    };
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
    for (const [number, { text }] of programs.entries()) await writeFile(join(folder, `${number}.ts`), text);
    const { stdout } = await promisify(execFile)(TSC, ["-p", folder]).catch((error) => error);
    expect(stdout).toBe("");
  });

  it.each(programs)("runs and costs what the release cost: $asked", async ({ release, text }) => {
    const path = join(folder, `run-${programs.findIndex((one) => one.text === text)}.ts`);
    await writeFile(path, `${text}export { release };`);
    const quiet = vi.spyOn(console, "log").mockImplementation(() => {});
    const ran: { release: { privacy: Loss } } = await import(/* @vite-ignore */ path);
    quiet.mockRestore();
    const { privacy } = ran.release;
    const cost = privacy.measure === "base2" ? convert(privacy, { to: "pure" }) : privacy;
    expect(rounded(describeLoss(cost))).toBe(rounded(describeLoss(lossFromJson(release.loss))));
  });

  it("says that running it spends again, and on whose account", () => {
    for (const { text } of programs)
      expect(text).toMatch(
        /^\/\/ Running this spends .* again on the people of "visits": it is another release\.\n/,
      );
  });
});

/** The library reports a ρ with 15 digits, rounded up; a release has it exactly. */
function rounded(loss: string): string {
  return loss.replace(/[\d.]+$/, (size) => Number(Number(size).toPrecision(14)).toString());
}
