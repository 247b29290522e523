import { expect, it } from "vitest";
import { tellingItsText } from "../../scripts/own-source.js";

it("a built script can tell a script that does the same, and its own names stay its own", () => {
  const script = tellingItsText('var name = "</script>"; globalThis.told = ownSource();');
  const told = tellOf(script);
  expect(tellOf(told)).toBe(told);
  expect(told).toContain('"</script>"');
  expect(Reflect.get(globalThis, "ownSource")).toBeUndefined();
});

function tellOf(script: string): string {
  new Function(script)();
  const { told } = globalThis as unknown as { told: string };
  Reflect.deleteProperty(globalThis, "told");
  return told;
}
