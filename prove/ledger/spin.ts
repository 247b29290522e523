/**
 * Spin on the model of the ledger's protocol: every interleaving of its runs, or one at random as a trace of steps.
 * @module
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MODEL = fileURLToPath(new URL("ledger.pml", import.meta.url));

/** Whether the runs reserve first, who else is there, and a mistake to plant. */
export interface Variant {
  readonly reserves: boolean;
  readonly with?: "ROLLBACK" | "LIAR" | undefined;
  readonly broken?: string;
}

function macros({ reserves, broken, with: other }: Variant): string[] {
  return [
    `-DRESERVES=${reserves}`,
    ...(other === undefined ? [] : [`-D${other}`]),
    ...(broken === undefined ? [] : [`-DBROKEN_${broken}`]),
  ];
}

export interface Verdict {
  readonly errors: number;
  readonly states: number;
  /** The assertion that fails, in Spin's words. */
  readonly violated: string | undefined;
  /** Whether some states were left out. */
  readonly isComplete: boolean;
}

/** Visits every state of the model. */
export function verifyModel(variant: Variant): Verdict {
  const folder = mkdtempSync(join(tmpdir(), "winnow-spin-"));
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    run("spin", "-a", ...macros(variant), MODEL);
    run("cc", "-O0", "-DSAFETY", "-o", "pan", "pan.c");
    const said = run("./pan", "-m100000");
    return {
      errors: Number(/errors: (\d+)/.exec(said)?.[1]),
      states: Number(/(\d+) states, stored/.exec(said)?.[1]),
      violated: /assertion violated (.*) \(at depth/.exec(said)?.[1],
      isComplete: !/Search not completed|max search depth too small|error: /i.test(said),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One step of one run, such as `record committed 2`. */
export interface Step {
  readonly run: number;
  readonly step: string;
  readonly outcome: string;
}

/** The steps of one random interleaving. */
export function randomTrace(variant: Variant, seed: number): Step[] {
  const said = execFileSync("spin", ["-T", `-n${seed}`, ...macros(variant), MODEL], { encoding: "utf8" });
  return [...said.matchAll(/^(\d) (\w+) ?(.*)$/gm)].flatMap(([, run, step, outcome]) =>
    step === "processes" ? [] : [{ run: Number(run), step, outcome }],
  );
}
