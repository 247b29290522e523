/**
 * A new key of an analyst: printed once and stored nowhere; the configuration gets its hash. The file keeps its mode and its
 * owner, because it may hold passwords. Runs that add keys at the same time wait for each other and read the file again, so no hash
 * is lost. A symbolic link is followed, and the file that it names is the one that changes.
 * @module
 */
import { rmSync } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { didYouMean, Refusal } from "winnow-release";
import { fileRefusal } from "../refusal.js";
import { print, tell } from "../render/terminal.js";
import { prepareFile } from "../write-file.js";
import { readServiceFile } from "./machine.js";

interface NewKey {
  readonly key: string;
  readonly hash: string;
  readonly label?: string | undefined;
  readonly expires?: string | undefined;
}

/** How long to wait for other runs, and between looks, in milliseconds. */
const [PATIENCE, PAUSE] = [15_000, 20];

/** `check` throws if the service would refuse the changed configuration. */
export async function addKey(
  analyst: string,
  path: string,
  { key, ...known }: NewKey,
  check: (config: unknown) => void,
): Promise<void> {
  const target = await realpath(path).catch((error: unknown) => {
    throw fileRefusal("The configuration of the service", path, error);
  });
  const release = await lock(target);
  try {
    const changed = withKey(await readServiceFile(target), analyst, known);
    check(changed);
    const pending = await prepareFile(target, { force: true, keepsAccess: true });
    await pending.write(`${JSON.stringify(changed, undefined, 2)}\n`);
  } finally {
    release();
  }
  await print(`${key}\n`);
  tell(
    `Its hash is in ${JSON.stringify(path)}. The key itself isn't stored anywhere: give it to ${analyst}. A service that runs takes it on SIGHUP.`,
  );
}

function withKey(config: unknown, analyst: string, { hash, label, expires }: Omit<NewKey, "key">): unknown {
  const analysts = fieldsOf(fieldsOf(config).analysts);
  const known = Object.hasOwn(analysts, analyst) ? fieldsOf(analysts[analyst]) : undefined;
  if (known === undefined)
    throw new Refusal(
      "usage",
      `The configuration has no analyst ${JSON.stringify(analyst)}.${didYouMean(analyst, Object.keys(analysts))}`,
    );
  const added = label === undefined && expires === undefined ? hash : { hash, label, expires };
  const keys = [...(Array.isArray(known.keys) ? known.keys : []), added];
  return { ...fieldsOf(config), analysts: { ...analysts, [analyst]: { ...known, keys } } };
}

/** Has the file to itself until the returned function is called, or the run ends. */
async function lock(target: string): Promise<() => void> {
  const path = join(dirname(target), `.${basename(target)}.lock`);
  for (const deadline = performance.now() + PATIENCE; ; await sleep(PAUSE)) {
    try {
      await (await open(path, "wx", 0o600)).close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw fileRefusal("The file", path, error);
      if (performance.now() < deadline) continue;
      throw new Refusal(
        "file-exists",
        `Another run is adding a key to ${JSON.stringify(target)}. If none is, delete the file ${JSON.stringify(path)}.`,
      );
    }
  }
  const remove = () => rmSync(path, { force: true });
  process.once("exit", remove);
  return () => {
    process.off("exit", remove);
    remove();
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
