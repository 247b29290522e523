import { describe, expect, it } from "vitest";
import { GaussianStrips, lazyGaussian } from "../../src/sample/lazy-gaussian.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";
import { cellOf, normalLaw } from "./gaussian-cells.js";

describe("Many lazy Gaussians", () => {
  it("are normal in cells of 1/8, at 98.4 bits each", () => {
    const draws = tally({
      seed: "lazy Gaussian",
      runs: 60_000,
      sample: (entropy) => cellOf(lazyGaussian(entropy), 3),
    });
    expectAccepts(draws, normalLaw(3));
    expectRejects(draws, normalLaw(3, "1.03"));
    expect(Math.abs(draws.bitsPerRun - 98.4)).toBeLessThan(0.2);
  });

  it("are normal with Karney's strips, at 134.3 bits each", () => {
    const strips = new GaussianStrips(0);
    const draws = tally({
      seed: "Karney",
      runs: 60_000,
      sample: (entropy) => cellOf(strips.draw(entropy), 3),
    });
    expectAccepts(draws, normalLaw(3));
    expectRejects(draws, normalLaw(3, "1.03"));
    expect(Math.abs(draws.bitsPerRun - 134.3)).toBeLessThan(1);
  });
});
