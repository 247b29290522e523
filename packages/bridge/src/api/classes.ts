/**
 * The classes of `winnow-dp`, and the objects that its functions make, described for bindings in other languages: an object stays
 * in the engine, and a binding calls its methods there.
 * @module
 */
import type * as core from "winnow-dp";
import type * as sample from "winnow-dp/sample";
import {
  argument,
  BOOLEAN,
  type Call,
  type ClassKind,
  COUNTS,
  choice,
  ENTROPY,
  EXTENDED,
  INTEGER,
  type Kind,
  LOSS,
  list,
  maybe,
  NAME,
  NUMBERS,
  object,
  optional,
  options,
  RATIONAL,
  record,
  SCORES,
  TEXT,
} from "./describe.js";
import { FUNCTIONS, SHARED_NOISE } from "./functions.js";

/** By the names of the bindings, which are those of TypeScript. */
interface Instances {
  NoisyTopK: core.NoisyTopK;
  StableTopKMeasurement: core.StableTopKMeasurement;
  StableTopKFixedMeasurement: core.StableTopKFixedMeasurement;
  LimitedTopKMeasurement: core.LimitedTopKMeasurement;
  TopKWithCountsMeasurement: core.TopKWithCountsMeasurement;
  CountNoise: core.CountNoise;
  Base2ExponentialMeasurement: core.Base2ExponentialMeasurement;
  AboveThresholdMeasurement: core.AboveThresholdMeasurement;
  ThresholdStream: core.ThresholdStream;
  ListRenewal: core.ListRenewal;
  AboveThreshold: core.AboveThreshold;
  TopKStream: core.TopKStream<unknown>;
  LimitedTopKStream: core.LimitedTopKStream;
  TeacherRun: core.TeacherRun;
  Budget: core.Budget;
  RenyiCurve: core.RenyiCurve;
  Base2Parameter: core.Base2Parameter;
  Entropy: core.Entropy;
  DiscreteGaussian: sample.DiscreteGaussian;
  DiscreteLaplace: sample.DiscreteLaplace;
  Geometric: sample.Geometric;
}

const D_IN = argument("d_in", RATIONAL);
const LIST_STEP = record("ListStep", {
  ...{ candidates: list(INTEGER), isRenewed: BOOLEAN, renewed: INTEGER, isFrozen: BOOLEAN, state: TEXT },
});
const ENTROPY_LAST = optional("entropy", ENTROPY);
const call = <Gives extends Kind>(takes: Call["takes"], gives: Gives) => ({ takes, gives });
/** The privacy map of a measurement. */
const MAP = { map: call([D_IN], LOSS), check: call([D_IN, argument("d_out", LOSS)], BOOLEAN) };
const invoke = <Gives extends Kind>(input: ReturnType<typeof argument>, gives: Gives) =>
  call([input, ENTROPY_LAST], gives);

const SCORES_IN = argument("scores", SCORES);
const HISTOGRAM = argument("histogram", COUNTS);
const WINNERS = {
  winners: list(record("Winner", { candidate: NAME, gap: maybe(RATIONAL) })),
};
const SET = { candidates: list(NAME) };
const ABOVE = { above: BOOLEAN, gap: maybe(RATIONAL), level: maybe(INTEGER) };
const RUN = record("ThresholdRun", {
  above: list(record("ListedAnswer", { ...ABOVE, index: INTEGER })),
  answered: INTEGER,
});
const PUSH_VALUE = {
  push: call([argument("value", INTEGER), optional("threshold", RATIONAL)], record("ThresholdAnswer", ABOVE)),
  pushAll: call([argument("values", NUMBERS), optional("threshold", RATIONAL)], RUN),
};
const CHARGED = record("Charge", { loss: LOSS, counted: LOSS, label: maybe(TEXT) });
const optionsOf = (name: "topK" | "limitedTopK" | "labelByTeachers") => FUNCTIONS[name].takes[1];
const PREPARED = { sample: call([ENTROPY_LAST], INTEGER) };

export const CLASSES: { readonly [Name in keyof Instances]: ClassKind<Instances[Name]> } = {
  NoisyTopK: {
    methods: { invoke: invoke(SCORES_IN, record("NoisyTopKAnswer", WINNERS)), ...MAP },
    fields: {
      measure: TEXT,
      method: TEXT,
      k: INTEGER,
      scale: RATIONAL,
      negate: BOOLEAN,
      resolution: maybe(RATIONAL),
      domain: record("ScoreDomain", { size: maybe(INTEGER), isWhole: maybe(BOOLEAN) }),
      metric: record("ScoreMetric", { monotone: BOOLEAN }),
    },
  },
  StableTopKMeasurement: {
    methods: {
      invoke: invoke(
        HISTOGRAM,
        record("StableRelease", { candidates: maybe(list(NAME)), released: BOOLEAN, k: INTEGER }),
      ),
      ...MAP,
    },
    fields: { measure: TEXT, zcdp: LOSS, renyi: LOSS },
  },
  StableTopKFixedMeasurement: {
    methods: {
      invoke: invoke(
        HISTOGRAM,
        record("StableTopKFixedAnswer", {
          ...SET,
          stable: record("StableTest", { k: INTEGER, released: BOOLEAN }),
        }),
      ),
      ...MAP,
    },
    fields: { measure: TEXT, zcdp: LOSS },
  },
  LimitedTopKMeasurement: {
    methods: {
      invoke: invoke(
        HISTOGRAM,
        record("LimitedAnswer", {
          ...{ ...WINNERS, stopped: BOOLEAN, rounds: INTEGER },
          charge: record("LimitedCharge", { approx: LOSS, zcdp: LOSS, renyi: LOSS }),
        }),
      ),
      ...MAP,
    },
    fields: {
      ...{ measure: TEXT, k: INTEGER, maxCandidates: INTEGER, noise: TEXT, scale: RATIONAL },
      ...{ threshold: RATIONAL, failure: RATIONAL, resolution: maybe(RATIONAL), privacy: LOSS },
    },
  },
  TopKWithCountsMeasurement: {
    methods: {
      invoke: invoke(
        HISTOGRAM,
        record("CountedAnswer", {
          winners:
            FUNCTIONS.topKWithCounts.gives.is === "record"
              ? FUNCTIONS.topKWithCounts.gives.fields.winners
              : NAME,
          ...{ stopped: BOOLEAN, halfWidth: RATIONAL, simultaneous: RATIONAL, shared: SHARED_NOISE },
          charge: record("ReservedCharge", { reserved: LOSS, settled: LOSS }),
        }),
      ),
      ...MAP,
    },
    fields: { measure: TEXT, k: INTEGER, halfWidth: RATIONAL, reservation: LOSS, privacy: LOSS },
  },
  CountNoise: {
    methods: {
      lossOf: call([argument("names", INTEGER), optional("distance", RATIONAL)], LOSS),
      movedOf: call([argument("names", INTEGER)], INTEGER),
    },
    fields: { law: TEXT, size: RATIONAL, k: INTEGER, factor: INTEGER },
  },
  Base2ExponentialMeasurement: {
    methods: {
      invoke: invoke(argument("utilities", list(RATIONAL)), record("Base2Choice", { candidate: INTEGER })),
      ...MAP,
    },
    fields: { measure: TEXT, precision: INTEGER, privacy: LOSS },
  },
  AboveThresholdMeasurement: {
    methods: {
      start: call([ENTROPY_LAST], object("ThresholdStream")),
      invoke: invoke(argument("values", NUMBERS), RUN),
      ...MAP,
      curve: call([D_IN], object("RenyiCurve")),
      bounds: call(
        [argument("confidence", RATIONAL), argument("queries", INTEGER)],
        record("ThresholdBounds", { miss: RATIONAL, falseAlarm: RATIONAL }),
      ),
    },
    fields: { measure: TEXT, maxAbove: INTEGER, threshold: RATIONAL },
  },
  ThresholdStream: { methods: PUSH_VALUE, fields: { remaining: INTEGER } },
  ListRenewal: {
    methods: {
      start: call([argument("counts", NUMBERS), ENTROPY_LAST], LIST_STEP),
      next: call([argument("state", TEXT), argument("counts", NUMBERS), ENTROPY_LAST], LIST_STEP),
      settled: call([argument("renewed", INTEGER)], LOSS),
      bounds: call(
        [argument("confidence", RATIONAL), argument("periods", INTEGER)],
        record("RenewalBounds", { miss: RATIONAL, falseAlarm: RATIONAL }),
      ),
    },
    fields: { privacy: LOSS, renewals: INTEGER },
  },
  AboveThreshold: {
    takes: [
      argument(
        "options",
        options({
          ...{ epsilon: RATIONAL, rho: RATIONAL, eta: object("Base2Parameter") },
          ...{ maxAbove: INTEGER, threshold: RATIONAL, monotone: BOOLEAN, ordered: BOOLEAN },
          resolution: RATIONAL,
          levels: list(options({ margin: RATIONAL, share: RATIONAL }, "margin", "share")),
          ...{ sensitivity: RATIONAL, step: RATIONAL, entropy: ENTROPY },
        }),
      ),
    ],
    methods: PUSH_VALUE,
    fields: { remaining: INTEGER, privacy: LOSS },
  },
  TopKStream: {
    takes: [
      argument(
        "options",
        options(
          {
            ...{ k: INTEGER, epsilon: RATIONAL, rho: RATIONAL, scale: RATIONAL, resolution: RATIONAL },
            ...{ sensitivity: RATIONAL, monotone: BOOLEAN, negate: BOOLEAN, entropy: ENTROPY },
            domain: options({ size: INTEGER }, "size"),
          },
          "k",
        ),
      ),
    ],
    methods: {
      push: call([argument("candidate", NAME), argument("score", INTEGER)], object("TopKStream")),
      pushScores: call([argument("scores", NUMBERS), optional("first", INTEGER)], object("TopKStream")),
      merge: call([argument("other", object("TopKStream"))], object("TopKStream")),
      finish: call([], record("StreamAnswer", { ...WINNERS, privacy: LOSS })),
    },
    fields: {},
  },
  LimitedTopKStream: {
    takes: [optionsOf("limitedTopK")],
    methods: {
      push: call([argument("name", TEXT), argument("count", INTEGER)], object("LimitedTopKStream")),
      pushAll: call([HISTOGRAM], object("LimitedTopKStream")),
      merge: call([argument("other", object("LimitedTopKStream"))], object("LimitedTopKStream")),
      finish: call([], FUNCTIONS.limitedTopK.gives),
    },
    fields: {},
  },
  TeacherRun: {
    takes: [optionsOf("labelByTeachers")],
    methods: {
      answer: call(
        [argument("votes", list(INTEGER)), ENTROPY_LAST],
        maybe(record("TeacherAnswer", { released: BOOLEAN, labels: maybe(list(INTEGER)) })),
      ),
      report: call(
        [],
        record("TeacherReport", {
          ...{ queries: INTEGER, abstentions: INTEGER, isExhausted: BOOLEAN },
          ...{ privacy: LOSS, accounting: TEXT },
        }),
      ),
    },
    fields: { votesPerQuery: INTEGER },
  },
  Budget: {
    takes: [argument("limit", LOSS), optional("options", options({ orders: list(RATIONAL) }))],
    methods: {
      admits: call([argument("loss", LOSS)], BOOLEAN),
      admitsTimes: call([argument("loss", LOSS)], EXTENDED),
      charge: call([argument("loss", LOSS), optional("label", TEXT)], CHARGED),
    },
    fields: { limit: LOSS, spent: LOSS, reserved: LOSS, remaining: LOSS, history: list(CHARGED) },
  },
  RenyiCurve: {
    methods: {
      at: call([argument("alpha", RATIONAL), optional("rounding", choice("up", "down"))], RATIONAL),
      plus: call([argument("other", object("RenyiCurve"))], object("RenyiCurve")),
      times: call([argument("count", INTEGER)], object("RenyiCurve")),
      min: call([argument("other", object("RenyiCurve"))], object("RenyiCurve")),
    },
    fields: { rho: EXTENDED, epsilon: EXTENDED },
  },
  Base2Parameter: {
    methods: {},
    fields: { x: INTEGER, y: INTEGER, z: INTEGER, eta: RATIONAL },
  },
  Entropy: {
    methods: {
      word: call([], INTEGER),
      bits: call([argument("count", INTEGER)], INTEGER),
      bit: call([], INTEGER),
      bigBits: call([argument("count", INTEGER)], INTEGER),
      wipe: call([], maybe(NAME)),
    },
    fields: { wordBits: INTEGER, bitsUsed: INTEGER },
  },
  DiscreteGaussian: { takes: [argument("sigma_squared", RATIONAL)], methods: PREPARED, fields: {} },
  DiscreteLaplace: { takes: [argument("scale", RATIONAL)], methods: PREPARED, fields: {} },
  Geometric: { takes: [argument("rate", RATIONAL)], methods: PREPARED, fields: {} },
};
