/**
 * Standard output, awaited: a release that could not be written is a failure, not a silence. A reader that has seen enough
 * (`winnow … | head`) is none: the answer is recorded and can be printed again.
 * @module
 */
import { fileRefusal } from "../file-refusal.js";

export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error || (error as NodeJS.ErrnoException).code === "EPIPE") resolve();
      else reject(fileRefusal("The stream", "standard output", error));
    });
  });
}
