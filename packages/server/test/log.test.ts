import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DENIED } from "../src/authenticate.js";
import { EVENTS, Log, type LogFields, type Vocabulary } from "../src/log.js";
import { FAMILIES, type FamilyName, METRICS_TYPE, Metrics } from "../src/metrics.js";

const VOCABULARY: Vocabulary = {
  routes: ["/v1/datasets/:dataset", "/health"],
  codes: ["over-budget", "unexpected"],
  analysts: ["ada", "ben"],
  datasets: ["visits"],
  keys: ["laptop"],
};
const REQUEST = "3f2b8c1e-0d4a-4c57-9f6e-1a2b3c4d5e6f";
const ADDRESS = "2001:db8:1:2::7";
const TIME = new Date(Date.UTC(2030, 0, 2));

/** What a log writes. */
function written(use: (log: Log) => void): string {
  let text = "";
  const log = new Log(
    VOCABULARY,
    (line) => {
      text += line;
    },
    () => TIME,
  );
  use(log);
  return text;
}

describe("a line of the log", () => {
  it("is one JSON object with its fields in a fixed order", () => {
    const fields = {
      status: 200,
      milliseconds: 999.6,
      dataset: "visits",
      analyst: "ada",
      route: "/v1/datasets/:dataset",
      method: "POST",
      request: REQUEST,
      sequence: 7,
    };
    expect(written((log) => log.write("info", "released", fields))).toBe(
      `{"time":"2030-01-02T00:00:00.000Z","level":"info","event":"released","request":"${REQUEST}","method":"POST","route":"/v1/datasets/:dataset","status":200,"milliseconds":1000,"analyst":"ada","dataset":"visits","sequence":7}\n`,
    );
    expect(written((log) => log.write("warn", "refused", { code: "over-budget" }))).toBe(
      '{"time":"2030-01-02T00:00:00.000Z","level":"warn","event":"refused","code":"over-budget"}\n',
    );
  });

  it("shows an unforeseen error by class and place, never by text", () => {
    const text = written((log) =>
      log.unexpected(new TypeError("canary /src/canary:1"), { route: "/health" }),
    );
    expect(text).toMatch(
      /"route":"\/health","error":"TypeError at (src|node_modules)\/[^"]*"}\n$|"error":"TypeError"}\n$/,
    );
    expect(text).not.toContain("canary");
    expect(written((log) => log.unexpected("canary"))).toContain('"error":"string"');
    expect(written((log) => log.unexpected(undefined))).toContain('"error":"undefined"');
  });

  it("contains public words and whole numbers only, whatever is passed", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.anything(),
      fc.constantFrom(
        "ada",
        "GET",
        "/v1/datasets/visits?item=canary",
        REQUEST,
        ADDRESS,
        Number.NaN,
        Infinity,
        12n,
        Symbol("s"),
      ),
    );
    const fields = fc.dictionary(
      fc.oneof(
        fc.constantFrom(
          "request",
          "method",
          "route",
          "status",
          "milliseconds",
          "address",
          "because",
          "analyst",
          "key",
          "dataset",
          "code",
          "sequence",
        ),
        fc.constantFrom("item", "message", "answer", "__proto__", "time", "error", "toJSON"),
      ),
      anything,
    );
    const words = new Set<unknown>([
      "?",
      TIME.toISOString(),
      REQUEST,
      "2001:db8:1:2::/64",
      ...["info", "warn", "error"],
      ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
      ...EVENTS,
      ...DENIED,
      ...Object.values(VOCABULARY).flat(),
    ]);
    fc.assert(
      fc.property(fields, anything, anything, (given, level, event) => {
        const text = written((log) => log.write(level as never, event as never, given as LogFields));
        expect(text.indexOf("\n")).toBe(text.length - 1);
        for (const value of Object.values(JSON.parse(text)))
          expect(Number.isInteger(value) || words.has(value)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it("that can't be written stops nothing", () => {
    const broken = new Log(VOCABULARY, () => {
      throw new Error("the disk is full");
    });
    expect(() => broken.write("info", "started")).not.toThrow();
    expect(() =>
      broken.unexpected(Object.create(Error.prototype, { stack: { get: () => fail() } })),
    ).not.toThrow();
    expect(written((log) => log.write("info", "started", null as never))).toContain('"event":"started"');
  });
});

function fail(): never {
  throw new Error("a getter");
}

describe("the vocabulary", () => {
  it.each<[string, unknown]>([
    ["vocabulary must be an object", undefined],
    [
      "vocabulary has an unknown name; known are routes, codes, analysts, datasets, keys",
      { ...VOCABULARY, items: [] },
    ],
    ["vocabulary.routes must be a list", { ...VOCABULARY, routes: "/health" }],
    ["vocabulary.codes must be a list", { ...VOCABULARY, codes: undefined }],
    ["vocabulary.datasets[0] must be 1 to 200 characters", { ...VOCABULARY, datasets: [""] }],
  ])("is refused: %s", (message, vocabulary) => {
    for (const make of [() => new Log(vocabulary as never, () => {}), () => new Metrics(vocabulary as never)])
      expect(make).toThrow(message);
  });
});

const PROCESS = { residentBytes: 1e8, heapBytes: 5e7, processorSeconds: 1.5, startSeconds: 1.7e9 };

const GAUGES = {
  waiting: 3,
  running: 2,
  countsAge: { visits: 12.5 },
  budgetLeft: { visits: 0.5 },
  ledgerSequence: 41,
  ledgerAnswers: true,
  providerAnswers: true,
  keyExpires: 3600,
  spansDropped: 0,
  process: PROCESS,
  version: "1.2.3",
};

/** The lines that aren't descriptions. */
const samplesIn = (page: string) => page.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

describe("the page of metrics", () => {
  it("lists each family with its samples", () => {
    const metrics = new Metrics(VOCABULARY);
    metrics.request("/health", 200, 0.003);
    metrics.request("/v1/datasets/:dataset", 403, 0.3);
    metrics.request("/health", 200, 100);
    metrics.released("visits", 2);
    metrics.phase("count", 0.25);
    metrics.servedStored("visits");
    metrics.servedStored("visits");
    metrics.refused("over-budget");
    metrics.countFailed("visits");
    metrics.countSlow("visits");
    metrics.rowsDoubtful("visits");
    metrics.reconnected();
    const page = metrics.page(GAUGES);
    const described = [...page.matchAll(/^# HELP (\w+) (.+)\n# TYPE (\w+) (counter|gauge|histogram)$/gm)];
    expect(described.map(([, name]) => name)).toEqual(Object.keys(FAMILIES));
    for (const [, name = "", help, typed, type] of described) {
      const family: { type: string; isPrivate?: true } = FAMILIES[name as FamilyName];
      expect([typed, type]).toEqual([name, family.type]);
      expect(help?.endsWith("Private: it depends on rows.")).toBe(family.isPrivate === true);
    }
    const isShort = (line: string) =>
      !/^winnow_(request|release_phase)_seconds|^winnow_release_ticks/.test(line);
    expect(samplesIn(page).filter(isShort)).toEqual([
      'winnow_requests_total{route="/health",status="200"} 2',
      'winnow_requests_total{route="/v1/datasets/:dataset",status="403"} 1',
      'winnow_releases_total{dataset="visits"} 1',
      'winnow_stored_answers_total{dataset="visits"} 2',
      'winnow_refusals_total{code="over-budget"} 1',
      'winnow_refusals_total{code="unexpected"} 0',
      'winnow_counts_failed_total{dataset="visits"} 1',
      'winnow_counts_slow_total{dataset="visits"} 1',
      'winnow_rows_doubtful_total{dataset="visits"} 1',
      "winnow_connections_refused_total 0",
      "winnow_queue_waiting 3",
      "winnow_queue_running 2",
      'winnow_counts_age_seconds{dataset="visits"} 12.5',
      'winnow_budget_left_share{dataset="visits"} 0.5',
      "winnow_ledger_sequence 41",
      "winnow_ledger_answers 1",
      "winnow_ledger_reconnects_total 1",
      "winnow_identity_provider_answers 1",
      "winnow_key_expires_seconds 3600",
      "winnow_spans_dropped_total 0",
      "process_resident_memory_bytes 100000000",
      "nodejs_heap_size_used_bytes 50000000",
      "process_cpu_seconds_total 1.5",
      "process_start_time_seconds 1700000000",
      'winnow_info{version="1.2.3"} 1',
    ]);
    expect(samplesIn(page).filter((line) => line.startsWith("winnow_release_ticks"))).toEqual([
      ...["1", "2", "3", "4", "6", "10", "20", "60", "+Inf"].map(
        (le) => `winnow_release_ticks_bucket{dataset="visits",le="${le}"} ${le === "1" ? 0 : 1}`,
      ),
      'winnow_release_ticks_sum{dataset="visits"} 2',
      'winnow_release_ticks_count{dataset="visits"} 1',
    ]);
    expect(page).toContain('winnow_request_seconds_bucket{route="/health",le="0.005"} 1\n');
    expect(page).toContain('winnow_request_seconds_bucket{route="/health",le="60"} 1\n');
    expect(page).toContain('winnow_request_seconds_bucket{route="/health",le="+Inf"} 2\n');
    expect(page).toContain('winnow_release_phase_seconds_sum{phase="count"} 0.25\n');
    expect(METRICS_TYPE).toBe("text/plain; version=0.0.4; charset=utf-8");
  });

  it("leaves out what isn't known, and shows nothing that isn't a number", () => {
    const metrics = new Metrics(VOCABULARY);
    metrics.phase("count", Number.NaN);
    const page = metrics.page({
      ...GAUGES,
      waiting: Number.NaN,
      running: Infinity,
      countsAge: {},
      budgetLeft: {},
      ledgerSequence: undefined,
      ledgerAnswers: false,
      providerAnswers: false,
      keyExpires: Infinity,
      process: { ...PROCESS, residentBytes: Number.NaN },
    });
    const isOfTicks = (line: string) => line.startsWith("winnow_release_ticks");
    expect(samplesIn(page).filter((line) => !isOfTicks(line))).toEqual([
      'winnow_releases_total{dataset="visits"} 0',
      'winnow_stored_answers_total{dataset="visits"} 0',
      'winnow_refusals_total{code="over-budget"} 0',
      'winnow_refusals_total{code="unexpected"} 0',
      'winnow_counts_failed_total{dataset="visits"} 0',
      'winnow_counts_slow_total{dataset="visits"} 0',
      'winnow_rows_doubtful_total{dataset="visits"} 0',
      "winnow_connections_refused_total 0",
      "winnow_ledger_answers 0",
      "winnow_ledger_reconnects_total 0",
      "winnow_identity_provider_answers 0",
      "winnow_spans_dropped_total 0",
      "nodejs_heap_size_used_bytes 50000000",
      "process_cpu_seconds_total 1.5",
      "process_start_time_seconds 1700000000",
      'winnow_info{version="1.2.3"} 1',
    ]);
    expect(samplesIn(page).filter(isOfTicks).at(-1)).toBe('winnow_release_ticks_count{dataset="visits"} 0');
  });

  it("escapes labels as the format says", () => {
    const metrics = new Metrics({ ...VOCABULARY, datasets: ['a"b\\c\nd'] });
    metrics.released('a"b\\c\nd', 1);
    expect(metrics.page(GAUGES)).toContain('winnow_releases_total{dataset="a\\"b\\\\c\\nd"} 1\n');
  });

  it("doesn't grow with what strangers send, and shows none of it", () => {
    const metrics = new Metrics(VOCABULARY);
    for (let attempt = 0; attempt < 1000; attempt++) {
      metrics.request(`/canary/${attempt}`, 1000 + attempt, attempt);
      metrics.request("canary", Number.NaN, Number.NaN);
      metrics.phase(`canary${attempt}`, 1);
      metrics.refused(`canary${attempt}`);
      metrics.released(`canary${attempt}`, attempt);
    }
    const page = metrics.page({ ...GAUGES, countsAge: { canary: 1 }, budgetLeft: { canary: 1 } });
    expect(page).not.toContain("canary");
    expect(page).toContain('winnow_requests_total{route="other",status="other"} 2000\n');
    expect(samplesIn(page).length).toBe(3 + 2 * (13 + 3) + 2 * (8 + 3) + 16 + 7);
  });
});
