import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { bashScript, completedOf, fishScript, zshScript } from "../../src/commands/completion.js";

import { createProgram } from "../../src/program.js";
import { folder } from "../support/winnow.js";

const completed = completedOf(createProgram());

/** What bash would offer after these words. */
function offeredBy(words: readonly string[]): string[] {
  const script = `${bashScript(completed)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length - 1}
_winnow
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
}

describe("completion in bash", () => {
  it("offers the commands", () => {
    expect(offeredBy(["winnow", ""])).toEqual(
      expect.arrayContaining(["top", "plan", "budget", "completion"]),
    );
    expect(offeredBy(["winnow", "si"])).toEqual(["simulate"]);
  });

  it("offers the commands of a command", () => {
    expect(offeredBy(["winnow", "budget", ""])).toEqual(
      expect.arrayContaining(["init", "show", "log", "verify"]),
    );
  });

  it("offers the options of a command, and no hidden ones", () => {
    expect(offeredBy(["winnow", "top", "--ep"])).toEqual(["--epsilon", "--epsilon-from"]);
    expect(offeredBy(["winnow", "budget", "verify", "--ag"])).toEqual(["--against"]);
    expect(offeredBy(["winnow", "simulate", "top-k", "--se"])).toEqual(["--sensitivity"]);
  });

  it("offers what an argument can be", () => {
    expect(offeredBy(["winnow", "completion", ""])).toEqual(["bash", "zsh", "fish"]);
    expect(offeredBy(["winnow", "simulate", "perm"])).toEqual(["permute-and-flip"]);
    expect(offeredBy(["winnow", "help", "ad"])).toEqual(["adaptive"]);
  });

  it("offers what an option can be", () => {
    expect(offeredBy(["winnow", "top", "--neighbours", ""])).toEqual(["add-remove", "replace"]);
    const mechanisms = offeredBy(["winnow", "top", "--mechanism", ""]);
    expect(mechanisms).toContain("limited-top-k");
    expect(mechanisms).not.toContain("quantiles"); // which top refuses
    expect(offeredBy(["winnow", "plan", "--mechanism", ""])).toContain("quantiles");
  });
});

describe("completion scripts", () => {
  it.each([
    ["zsh", zshScript(completed)],
    ["fish", fishScript(completed)],
  ])("for %s name every command and option", (_, script) => {
    const flags = completed.flatMap(({ options }) => options.flatMap((option) => option.flags));
    const names = completed.flatMap(({ path }) => path.split(" "));
    const missing = [...names, ...flags.map((flag) => flag.replace(/^-+/, ""))].filter(
      (name) => !script.includes(name),
    );
    expect(missing).toEqual([]);
    // Every quote that is opened is closed on its line: nothing of a description can reach the shell.
    for (const line of script.split("\n")) expect((line.match(/'/g)?.length ?? 0) % 2).toBe(0);
  });

  it("are printed for the shell that is named, and for no other", async () => {
    const place = folder();
    const bash = await place.winnow(["completion", "bash"]);
    expect(bash).toMatchObject({ exit: 0, stderr: "", stdout: bashScript(completed) });
    const other = await place.winnow(["completion", "tcsh"]);
    expect(other.exit).toBe(2);
    expect(other.stderr).toContain('must be bash, zsh or fish; got "tcsh"');
  });
});
