/**
 * A signed head in a file: a note by itself, or the one that a release carries.
 * @module
 */
import { WinnowError } from "winnow-dp";
import { type Checkpoint, Refusal, readCheckpoint, readNote, readWitnessedPlace } from "winnow-release";
import { readPublicFile } from "../public-files.js";

/** The text of the note, and what it says; its signatures aren't verified. */
export async function readNoteFile(path: string): Promise<{ note: string; checkpoint: Checkpoint }> {
  const text = await readPublicFile("The head", path);
  const note = carried(text) ?? text;
  try {
    return { note, checkpoint: readCheckpoint(readNote(note).text) };
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new Refusal(
      "usage",
      `The file ${JSON.stringify(path)} must be a signed head, or a release that carries one.`,
    );
  }
}

/** Undefined for what isn't a release with a head. */
function carried(text: string): string | undefined {
  try {
    const { ledger } = JSON.parse(text) as { ledger?: { witnessed?: unknown } };
    return readWitnessedPlace(ledger?.witnessed)?.note;
  } catch {
    return undefined;
  }
}
