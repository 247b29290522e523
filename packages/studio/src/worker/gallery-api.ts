/**
 * What the page may ask about attacks. No data of the curator take part in them.
 * @module
 */

/** A mistake of textbook code and the adversary who uses it, in words. */
export interface AttackShape {
  readonly id: string;
  readonly title: string;
  /** What textbook code does wrong. */
  readonly mistake: string;
  /** What the adversary looks at. */
  readonly trick: string;
  /** Why it does not work here. */
  readonly defence: string;
  readonly epsilon: string;
  /** The largest share of right answers that ε allows. */
  readonly bound: number;
  /** How many rounds are enough to see it. */
  readonly rounds: number;
  /** What is attacked. */
  readonly textbook: string;
  readonly ours: string;
}

/** How often the adversary told two neighbouring worlds apart, of so many rounds each. */
export interface AttackScore {
  readonly rounds: number;
  readonly textbook: number;
  readonly ours: number;
  /** What that proves about the probability of being right, 95 times out of 100; once all rounds are played. */
  readonly intervals?: { readonly textbook: Shares; readonly ours: Shares };
  /** The ε that the answers prove at least, wrongly in one run of 1000; once all rounds are played. */
  readonly proven?: { readonly textbook: number; readonly ours: number };
}

/** Exact by Clopper and Pearson, rounded outward. */
export type Shares = readonly [low: number, high: number];
