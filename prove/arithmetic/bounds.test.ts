import { expect, it } from "vitest";
import { rational } from "winnow-dp";
import { FAST_LN_ERROR, FAST_LN32_ERROR } from "../../packages/core/src/exact/fast-ln.js";
import { LN_2, MINUS_LN_SLACK } from "../../packages/core/src/sample/minus-ln.js";
import { describeWith } from "../tool.js";
import { boundScript, bounds } from "./bounds.js";
import { distance } from "./fast-ln.js";
import { runGappa } from "./gappa.js";
import { SourceFile } from "./straight-line.js";

const all = bounds({
  fastLn: FAST_LN_ERROR,
  fastLn32: FAST_LN32_ERROR,
  ln2: distance(LN_2, 1n, rational(2)),
});
const cases = all.map((bound) => [bound.title, bound] as const);

describeWith(["gappa"], "a double that decides about a noise is no farther off than its slack:", () => {
  it.each(cases)("%s", async (_, bound) => {
    const script = boundScript(bound, new SourceFile(bound.file), LN_2, MINUS_LN_SLACK);
    expect(await runGappa(script), script).toMatchObject({ isProven: true });
  });

  it.each(cases.filter(([, { within }]) => within === "S"))(
    "and is with too small a slack: %s",
    async (_, bound) => {
      const script = boundScript(bound, new SourceFile(bound.file), LN_2, 2 ** -56);
      expect(await runGappa(script)).toMatchObject({ isProven: false });
    },
  );

  it("is not proven for a source with a sign exchanged", async () => {
    for (const bound of all.slice(1)) {
      const mistaken = bound.expression.replace(/[-+] (SLACK|2 \* SLACK)$/, (end) =>
        end.startsWith("+") ? end.replace("+", "-") : end.replace("-", "+"),
      );
      const source = new SourceFile(bound.file, [bound.expression, mistaken]);
      const script = boundScript({ ...bound, expression: mistaken }, source, LN_2, MINUS_LN_SLACK);
      expect(await runGappa(script), script).toMatchObject({ isProven: false });
    }
  });
});
