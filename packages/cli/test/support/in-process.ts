/**
 * The program's commands in the process of the test: the same words and the same exit code without two processes to start.
 * For the many cases of one kind; in-process.test.ts holds it to the program.
 * @module
 */
import { runProgram } from "../../src/program.js";
import { type Ended, type Folder, PROGRAM } from "./winnow.js";

const SIDES = ["stdout", "stderr"] as const;

/** One at a time: the working directory and the arguments belong to the process. */
export async function winnowHere(place: Folder, args: readonly string[]): Promise<Ended> {
  const said = { stdout: "", stderr: "" };
  const { argv, exitCode } = process;
  const before = process.cwd();
  const restore = SIDES.map((side) => listenTo(process[side], (text) => (said[side] += text)));
  process.argv = [process.execPath, PROGRAM, ...args];
  process.exitCode = undefined;
  process.chdir(place.path);
  try {
    await runProgram();
    return { exit: Number(process.exitCode ?? 0), ...said };
  } finally {
    process.chdir(before);
    Object.assign(process, { argv, exitCode });
    for (const back of restore) back();
  }
}

type Written = (error?: Error | null) => void;

/** Takes what is written to a stream, until it is given back as it was. */
function listenTo(stream: NodeJS.WriteStream, hear: (text: string) => void): () => void {
  const { write } = stream;
  const known = stream.listeners("error");
  stream.write = (text: string | Uint8Array, encoding?: BufferEncoding | Written, written?: Written) => {
    hear(typeof text === "string" ? text : Buffer.from(text).toString());
    const done = typeof encoding === "function" ? encoding : written;
    done?.();
    return true;
  };
  return () => {
    stream.write = write;
    for (const listener of stream.listeners("error"))
      if (!known.includes(listener)) stream.off("error", listener as () => void);
  };
}
