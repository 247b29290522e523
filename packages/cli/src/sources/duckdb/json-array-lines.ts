/**
 * The elements of a JSON array, each on a line of its own: byte for byte, in a single pass and in constant memory. What
 * separates elements becomes the end of a line; the ends of lines within an element become spaces, or, inside a string,
 * where JSON forbids them, another forbidden character, so that the element stays as malformed as it was.
 * @module
 */

const [QUOTE, BACKSLASH, COMMA, SPACE, LF, CR, FORBIDDEN] = [34, 92, 44, 32, 10, 13, 1];
const OPEN = [91, 123];
const CLOSE = [93, 125];
const BLANK = [SPACE, LF, CR, 9];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

export class JsonArrayLines {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isOver = false;

  /** The next part, as long as the chunk; undefined where the file is no array. */
  push(chunk: Uint8Array): Uint8Array | undefined {
    const lines = new Uint8Array(chunk.length);
    for (let i = 0; i < chunk.length; i++) {
      const byte = this.#isInString ? this.#withinString(chunk[i]!) : this.#between(chunk[i]!);
      if (byte === undefined) return undefined;
      lines[i] = byte;
    }
    return lines;
  }

  /** Whether the array was closed. */
  isComplete(): boolean {
    return this.#isOver;
  }

  #withinString(byte: number): number {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
    return byte === LF || byte === CR ? FORBIDDEN : byte;
  }

  #between(byte: number): number | undefined {
    if (byte === LF || byte === CR) return SPACE;
    if (this.#depth === 0) return this.#outside(byte);
    if (byte === QUOTE) this.#isInString = true;
    else if (OPEN.includes(byte)) this.#depth++;
    else if (CLOSE.includes(byte) && --this.#depth === 0) {
      this.#isOver = true;
      return LF;
    }
    return byte === COMMA && this.#depth === 1 ? LF : byte;
  }

  /** Before and behind the array. */
  #outside(byte: number): number | undefined {
    if (BLANK.includes(byte)) return SPACE;
    if (this.#isOver) return undefined;
    if (byte === OPEN[0]) {
      this.#depth = 1;
      return SPACE;
    }
    return BYTE_ORDER_MARK.includes(byte) ? SPACE : undefined;
  }
}
