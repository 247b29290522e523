/**
 * The attacks: each breaks textbook code and fails on Winnow's.
 * @module
 */
import type { Attack } from "./attack.js";
import { leakingShuffleAttack } from "./leaking-shuffle.js";
import { lowOrderBits } from "./low-order-bits.js";
import { nonIdenticalSupports } from "./non-identical-supports.js";
import { rejectionTiming } from "./rejection-timing.js";
import { setByCount } from "./set-by-count.js";
import { swappedRounding } from "./swapped-rounding.js";
import { tiesByIndex } from "./ties-by-index.js";
import { truncatedAddition } from "./truncated-addition.js";
import { unknownDomain } from "./unknown-domain.js";
import { zeroRounding } from "./zero-rounding.js";

export type { Attack, AttackDefinition, AttackOptions, AttackResult, Contestant } from "./attack.js";
export { defineAttack } from "./attack.js";
export {
  type Adversary,
  type GameOptions,
  type GameResult,
  mostSuccess,
  type PrivacyPromise,
  playGame,
  type World,
} from "./distinguishing-game.js";

/** All of them, those on floating point first. */
export const attacks: readonly Attack[] = [
  zeroRounding,
  truncatedAddition,
  lowOrderBits,
  nonIdenticalSupports,
  leakingShuffleAttack,
  tiesByIndex,
  setByCount,
  unknownDomain,
  swappedRounding,
  rejectionTiming,
];
