/**
 * Spin on the models of the ledger's and the witness's protocol: every interleaving, or one of the ledger's runs at random as a trace of
 * steps.
 * @module
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MODEL = fileURLToPath(new URL("ledger.pml", import.meta.url));
const WITNESS = fileURLToPath(new URL("witness.pml", import.meta.url));

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

/** Visits every state of the ledger's model. */
export function verifyModel(variant: Variant): Verdict {
  return verified(MODEL, macros(variant));
}

/** Visits every state of the witness's model, perhaps with a mistake planted. */
export function verifyWitness(broken?: string): Verdict {
  return verified(WITNESS, broken === undefined ? [] : [`-DBROKEN_${broken}`]);
}

function verified(model: string, defined: readonly string[]): Verdict {
  const folder = mkdtempSync(join(tmpdir(), "winnow-spin-"));
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    run("spin", "-a", ...defined, model);
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
