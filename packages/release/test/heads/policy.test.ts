import { describe, expect, it } from "vitest";
import { noteKeyText, readPolicy } from "../../src/index.js";
import { noteSigner } from "./signers.js";

const NAMES = ["a", "b", "c", "d"] as const;
const [A, B, C, D] = await Promise.all(NAMES.map((name, i) => noteSigner(`${name}.example/w`, 10 + i)));
const LEDGER = await noteSigner("example.org/ledger", 1);
const line = (name: string, signer: typeof A, url = "") =>
  `witness ${name} ${noteKeyText(signer!.cosigner)} ${url}`;
const FOUR = NAMES.map((name, i) => line(name, [A, B, C, D][i])).join("\n");
const keys = (...signers: readonly (typeof A)[]) => signers.map((signer) => signer!.cosigner);

describe("a policy", () => {
  it("has keys, addresses and nested groups", () => {
    const policy = readPolicy(`# ours
log ${noteKeyText(LEDGER.key)} https://example.org
${line("a", A, "https://a.example")}
 \t witness b ${noteKeyText(B!.key)}
${line("c", C)}
${line("d", D)}
group two 2 a b c
group both all two d
quorum both
`);
    expect(policy.logs).toEqual([LEDGER.key]);
    expect(policy.witnesses.map(({ name, url }) => [name, url])).toEqual([
      ["a", "https://a.example"],
      ["b", undefined],
      ["c", undefined],
      ["d", undefined],
    ]);
    expect(policy.isQuorum(keys(A, B, D))).toBe(true);
    expect(policy.isQuorum(keys(A, B, C))).toBe(false);
    expect(policy.isQuorum(keys(A, D))).toBe(false);
    expect(policy.isQuorum(keys(A, A, D))).toBe(false);
    expect(policy.isQuorum(keys(A, B, C, D))).toBe(true);
  });

  it.each([
    ["quorum none", [], true],
    [`${FOUR}\nquorum a`, keys(A), true],
    [`${FOUR}\nquorum a`, keys(B), false],
    [`${FOUR}\ngroup g any a b\nquorum g`, keys(B), true],
    [`${FOUR}\ngroup g any a b\nquorum g`, keys(C), false],
    [`${FOUR}\ngroup g 3 a b c d\nquorum g`, keys(A, C, D), true],
    [`${FOUR}\ngroup g 3 a b c d\nquorum g`, keys(A, C), false],
  ])("%#: says what is enough", (text, cosigned, isEnough) => {
    expect(readPolicy(text).isQuorum(cosigned)).toBe(isEnough);
  });

  it.each([
    "",
    FOUR,
    "quorum a",
    "quorum none\nquorum none",
    "quorum none more",
    "nothing",
    `log ${noteKeyText(A!.cosigner)}\nquorum none`,
    `log ${noteKeyText(LEDGER.key)}\nlog ${noteKeyText(LEDGER.key)}\nquorum none`,
    "log key\nquorum none",
    `${FOUR}\n${line("e", A)}\nquorum none`,
    `${FOUR}\n${line("a", LEDGER)}\nquorum none`,
    `${line("none", A)}\nquorum none`,
    `${FOUR}\ngroup a any b\nquorum a`,
    `${FOUR}\ngroup g 0 a b\nquorum g`,
    `${FOUR}\ngroup g 3 a b\nquorum g`,
    `${FOUR}\ngroup g any\nquorum g`,
    `${FOUR}\ngroup g 1e0 a\nquorum g`,
    `${FOUR}\ngroup g any a a\nquorum g`,
    `${FOUR}\ngroup g any a\ngroup h any a\nquorum h`,
    `${FOUR}\ngroup g any h\ngroup h any a\nquorum g`,
    `group g any a\n${FOUR}\nquorum g`,
    "quorum none\r\n",
  ])("%# isn't one", (text) => {
    expect(() => readPolicy(text)).toThrow(/policy must be/);
  });
});
