/**
 * The measures that the parts of a picture share, in pixels.
 * @module
 */

export const WIDTH = 720;
export const MARGIN = 28;

/** A part of the picture, drawn from its own top left corner. */
export interface Drawing {
  readonly content: string;
  readonly height: number;
}
