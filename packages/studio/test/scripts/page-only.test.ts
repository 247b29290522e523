import { parseAst } from "vite";
import { expect, it } from "vitest";
import { withoutParts } from "../../scripts/page-only.js";

/** What is left out is replaced by spaces, of which one is shown. */
const without = (code: string) => {
  const left = withoutParts(code, parseAst(code) as never);
  expect(left).toHaveLength(code.length);
  return left.replaceAll(/ +/g, " ");
};

it("leaves out properties by their name and their neighbours, whatever stands in them", () => {
  expect(without('const A = { exit: 2, cli: "a, }", page: "b" };')).toBe('const A = { exit: 2, page: "b" };');
  expect(without('const B = { flags: "-k", text: "a" + "b", label: "L" };')).toBe(
    'const B = { label: "L" };',
  );
  expect(without("const C = { rules: {}, simulated: { run() { return { simulated: 1 }; } } };")).toBe(
    "const C = { rules: {}, };",
  );
  expect(without('const D = { cli: "kept", text: "kept" };')).toBe(
    'const D = { cli: "kept", text: "kept" };',
  );
});

it("empties what the page never calls", () => {
  expect(without("function readItems(a) { return new Parser(a); }")).toBe("function readItems(a) { }");
  expect(without("var LogTree = class { #a = 1; b() {} };")).toBe("var LogTree = class { };");
  expect(without("function readQuestion() { return 1; }")).toBe("function readQuestion() { return 1; }");
});

it("leaves out attacks on what the page doesn't answer", () => {
  expect(without("const attacks = [zeroRounding, queriesWithoutNoise, roundedQueries];")).toBe(
    "const attacks = [zeroRounding, ];",
  );
  expect(without("const zeroRoundingInBase2 = defineAttack({ ...SHARED }), other = 1;")).toBe(
    "const zeroRoundingInBase2 = 0 , other = 1;",
  );
});
