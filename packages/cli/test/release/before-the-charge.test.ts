/** What the curator hears before a charge, and after one that nobody sees. */
import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readQuestion } from "winnow-release";
import { leadNeeded } from "../../../release/src/plan/plan.js";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { AREAS, VISITS } from "../support/visits.js";
import { folder } from "../support/winnow.js";

const FILES = { "visits.csv": VISITS, "areas.txt": AREAS, "few.csv": "user,area\na,mail\nb,news\n" };
/** Everyone has something that no one else has. */
const SECRETS = `user,item\n${Array.from({ length: 40 }, (_, i) => `u${i},secret of u${i}\n`).join("")}`;
const top = (...more: string[]) => ["top", "visits.csv", "-k", "2", ...more];

describe("before a release", () => {
  it("above ε = 10 a confirmation is needed, and the statement says what such an ε means", async () => {
    const place = folder(FILES);
    for (const price of [
      ["--epsilon", "10.1"],
      ["--rho", "4"],
    ]) {
      const ended = await winnowHere(place, top(...price, "--domain", "areas.txt"));
      expectRefused(ended, {
        exit: 2,
        code: "unconfirmed",
        says: "must be at most ε = 10 without a confirmation",
      });
    }
    expect(await chargesIn(place)).toBe(0);
    const yes = await winnowHere(
      place,
      top("--epsilon", "11", "--domain", "areas.txt", "--yes", "--statement"),
    );
    expect(yes.exit, yes.stderr).toBe(0);
    expect(yes.stdout).toContain("protects hardly anyone");
    const ten = await winnowHere(place, top("--epsilon", "10", "--domain", "areas.txt", "--statement"));
    expect(ten.stdout).not.toContain("protects hardly anyone");
  });

  it.each([
    ["names", ["names", "secrets.csv", "--max-items-per-user", "1", "--epsilon", "1"]],
    ["top", ["top", "secrets.csv", "-k", "3", "--epsilon", "1"]],
    ["top in ρ", ["top", "secrets.csv", "-k", "3", "--rho", "0.1"]],
    ["adaptive", ["adaptive", "secrets.csv", "--max-k", "3", "--epsilon", "1"]],
  ])("of %s, a δ above 10⁻⁵ needs a confirmation, which says what it means", async (_, asked) => {
    const place = folder({ "secrets.csv": SECRETS });
    expectRefused(await winnowHere(place, [...asked, "--delta", "0.01"]), {
      exit: 2,
      code: "unconfirmed",
      says: /an item that only one person has may be published; among \d+ such people, expect one/,
    });
    expect(await chargesIn(place)).toBe(0);
    const agreed = await winnowHere(place, [...asked, "--delta", "0.01", "--yes"]);
    expect(agreed.exit, agreed.stderr).toBe(0);
    expect(agreed.stderr).toMatch(/among \d+ such people, expect one/); // before it is charged
    rmSync(place.file("winnow.ledger"));
    expect((await winnowHere(place, [...asked, "--delta", "1e-5"])).exit).toBe(0);
  });

  it("the total of an account without a budget is asked about when it first passes ε = 10", async () => {
    const place = folder(FILES);
    const asked = top("--epsilon", "10", "--domain", "areas.txt");
    expect((await winnowHere(place, asked)).exit).toBe(0);
    expectRefused(await winnowHere(place, asked), {
      exit: 2,
      code: "unconfirmed",
      says: 'The total of "visits.csv", which has no budget, must be at most ε = 10',
    });
    expect((await winnowHere(place, [...asked, "--yes"])).exit).toBe(0);
    expect((await winnowHere(place, asked)).exit).toBe(0);
  });

  it("without a list it is said how many users an item needs, from public values alone", async () => {
    const place = folder(FILES);
    const asked = ["--epsilon", "1", "--delta", "1e-6"];
    const told = [];
    for (const source of ["visits.csv", "few.csv"]) {
      const { stderr } = await winnowHere(place, ["top", source, "-k", "1", ...asked]);
      told.push(/To be named, an item needs about .*/.exec(stderr)?.[0]);
    }
    expect(told[0]).toMatch(/about \d+ more users than the best item outside the first 1,000/);
    expect(told[1]).toBe(told[0]);
  });

  it("of a stable set it is said what lead it needs", async () => {
    const place = folder(FILES);
    const asked = ["--epsilon", "1", "--delta", "1e-6", "--mechanism", "stable-top-k-fixed", "--dry-run"];
    const { stderr } = await winnowHere(place, ["top", "visits.csv", "-k", "1", ...asked]);
    expect(stderr).toMatch(/by about \d+ users or more at place 1; otherwise it names nothing/);
    const domain = { kind: "unknown" } as const;
    const mechanism = "stable-top-k-fixed" as const;
    const question = { k: 1, domain, delta: "1e-6", unit: "one user", mechanism };
    const [cheap, dear] = [
      await leadNeeded(readQuestion({ ...question, epsilon: "0.01" })),
      await leadNeeded(readQuestion({ ...question, epsilon: "1" })),
    ];
    expect(cheap).toBeGreaterThan(10 * dear);
  });

  it("that names nobody on the public twin it is said, with a command that would do better", async () => {
    const place = folder(FILES);
    const asked = top("--epsilon", "1", "--delta", "1e-6", "--public", "few.csv", "--dry-run");
    const { stderr } = await winnowHere(place, asked);
    expect(stderr).toContain("This release most likely names nothing in 100.0 % of runs on the public rows");
    expect(stderr).toContain("winnow plan -k 2 --public FILE --recall 0.9");
  });
});

describe("every run", () => {
  it("names the columns that were guessed, and no others", async () => {
    const place = folder(FILES);
    const asked = top("--epsilon", "1", "--domain", "areas.txt");
    for (const _ of ["first", "second"])
      expect((await winnowHere(place, asked)).stderr).toContain(
        'Guessed from the header: --item "area" and --user "user".',
      );
    const { stderr } = await winnowHere(place, [...asked, "--item", "area", "--user", "user"]);
    expect(stderr).not.toContain("Guessed");
  });

  it("says what δ means beside how many users an item needs", async () => {
    const place = folder({ "secrets.csv": SECRETS });
    const asked = ["names", "secrets.csv", "--max-items-per-user", "1", "--epsilon", "1", "--delta", "1e-5"];
    const { stderr } = await winnowHere(place, asked);
    expect(stderr).toMatch(/An item needs about \d+ users to be named in half of the runs/);
    expect(stderr).toContain(
      "with probability up to δ = 0.00001, an item that only one person has may be published; among 100,000 such people, expect one.",
    );
  });

  it("says how a number is typed, and not how it is written in code", async () => {
    const ended = await winnowHere(folder(FILES), top("--epsilon", "much", "--domain", "areas.txt"));
    const says = '--epsilon must be a rational number such as 1/3, 0.1 or 1e-6; got "much".';
    expectRefused(ended, { exit: 2, code: "usage", says });
  });
});

describe("a reader that went away before the release", () => {
  it.runIf(process.platform === "linux")("is told, as a failure, if standard output is closed", async () => {
    const place = folder(FILES);
    const asked = top("--epsilon", "1", "--domain", "areas.txt", "--release-id", "june");
    const closed = await place.shell(asked, { after: ">&-" });
    expectRefused(closed, { exit: 4, code: "not-written", says: "It is recorded as june." });
    const unseen = await place.shell(asked, { after: "> /dev/null" });
    expect(unseen.exit, unseen.stderr).toBe(0);
  });

  it("leaves the id of the recorded release on standard error", async () => {
    const place = folder(FILES);
    const child = place.start(top("--epsilon", "1", "--domain", "areas.txt", "--release-id", "june"));
    child.stdout!.destroy();
    let stderr = "";
    child.stderr!.on("data", (text) => (stderr += text));
    await new Promise((resolve) => child.once("close", resolve));
    expect(stderr).toContain(
      "The release is recorded as june: ask again with --release-id june, at no cost.",
    );
    expect(await chargesIn(place)).toBe(1);
  });
});
