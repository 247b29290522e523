import { expect, it } from "vitest";
import { discreteLaplace } from "../../src/sample/discrete-laplace.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { expectLaw } from "../support/expect-law.js";
import { symmetricLaw } from "../support/law.js";
import { vectors } from "../support/vectors.js";

// At full size in discrete-laplace.exhaustive.test.ts.
it.each(vectors.discrete_laplace.filter(({ s, t }) => s > t))(
  "discreteLaplace has its law for scale $t/$s, all but an eighth of it",
  ({ s, t, pmf_abs }) => {
    const tree = bitTree((entropy) => discreteLaplace(`${t}/${s}`, entropy), { depth: 11 });
    expectLaw({ tree, probabilities: symmetricLaw(pmf_abs) });
    expect(tree.undecided.compare("1/8")).toBe(-1);
  },
);
