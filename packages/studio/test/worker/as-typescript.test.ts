import { describe, expect, it } from "vitest";
import {
  describeLoss,
  type Loss,
  limitedTopK,
  lossFromJson,
  permuteAndFlip,
  stableTopK,
  stableTopKFixed,
  topK,
  topKWithGap,
} from "winnow-dp";
import { asTypeScript } from "../../src/worker/published.js";
import { aRelease, EVERY_MECHANISM } from "../support/a-release.js";

const LIBRARY = { limitedTopK, topKWithGap, topK, permuteAndFlip, stableTopK, stableTopKFixed };

describe("a release as TypeScript", () => {
  it.each(EVERY_MECHANISM)("is a call that runs and costs what the release cost: %j", async (asked) => {
    const release = await aRelease(asked);
    const { privacy } = run(asTypeScript(release));
    expect(describeLoss(privacy)).toBe(describeLoss(lossFromJson(release.loss)));
  });

  it("says what the counts are, for the domain at hand", async () => {
    const [listed, unknown] = [EVERY_MECHANISM[0]!, EVERY_MECHANISM[4]!];
    expect(asTypeScript(await aRelease(listed))).toContain("of each candidate of the public list");
    expect(asTypeScript(await aRelease(unknown))).toContain("the distinct users of each item");
  });
});

/** Its import becomes a parameter; its types are none. */
function run(text: string): { privacy: Loss } {
  const [, name, body] = /^import \{ (\w+) \} from "winnow-dp";\n(.*)$/s.exec(text) ?? [];
  const call = new Function(String(name), "counts", `${body}\nreturn release;`);
  const counts = name === "limitedTopK" ? { a: 900, b: 500, c: 100 } : [900, 500, 100];
  return call(LIBRARY[name as keyof typeof LIBRARY], counts);
}
