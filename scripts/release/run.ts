/** Programs that a release starts. */
import { execFileSync } from "node:child_process";

/** What a program prints; its errors go to this terminal. Throws when it fails. */
export function run(folder: string, program: string, args: readonly string[], env = process.env): string {
  return execFileSync(program, args, {
    cwd: folder,
    encoding: "utf8",
    env,
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 28,
  });
}
