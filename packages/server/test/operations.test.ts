/**
 * The files that an operator starts from (examples/service): alert rules and dashboard use metrics and labels that exist, and units and
 * manifests agree with the service about ports, probes, times and fields.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "../src/config.js";
import { createOperatorApp } from "../src/http/operator.js";
import { FAMILIES } from "../src/metrics.js";
import { PROBLEM_CODES } from "../src/problems.js";
import { configJson } from "./support/service-folder.js";

const path = (file: string) => fileURLToPath(new URL(`../../../examples/service/${file}`, import.meta.url));
const text = (file: string) => readFileSync(path(file), "utf8");

/** In continuous integration every tool must be there, so that none of these tests is skipped. */
function hasTool(name: string): boolean {
  return process.env.CI !== undefined || spawnSync(name, ["--version"]).error === undefined;
}

function tool(name: string, ...args: readonly string[]): string {
  return execFileSync(name, args, { encoding: "utf8", stdio: "pipe" });
}

interface FamilyShape {
  readonly type: string;
  readonly labels?: readonly string[];
  readonly isPrivate?: true;
}

/** By the names of their samples. */
const SAMPLES = new Map<string, FamilyShape>(
  Object.entries<FamilyShape>(FAMILIES).flatMap(([name, family]): [string, FamilyShape][] =>
    family.type === "histogram"
      ? ["_bucket", "_sum", "_count"].map((suffix) => [name + suffix, family])
      : [[name, family]],
  ),
);

const FUNCTIONS =
  /^(sum|min|max|rate|increase|histogram_quantile|time|by|up|label_values|instance|job|le|for|on)$/;
/** Labels that Prometheus adds, and that of buckets. */
const OUTER = ["job", "instance", "le"];

/** What is wrong with an expression: names that aren't metrics, labels that a metric doesn't have, codes that don't exist. */
function problemsOf(expression: string): string[] {
  const problems: string[] = [];
  const bare = expression.replace(/"[^"]*"/g, '""').replace(/\$\w+|\$\{\w+\}/g, "");
  const used = [...bare.matchAll(/\b([a-z_]\w*)\b(?:\{([^}]*)\})?/g)]
    .map(([, name = "", matchers = ""]) => ({ name, matchers }))
    .filter(({ name }) => SAMPLES.has(name) || name.includes("_"))
    .filter(({ name }) => name !== "histogram_quantile" && name !== "label_values");
  if (used.length === 0 && !/\bup\b/.test(bare)) problems.push("no metric");
  const known = new Set<string>(OUTER);
  for (const { name, matchers } of used) {
    const family = SAMPLES.get(name);
    if (family === undefined) problems.push(`no metric ${name}`);
    for (const label of family?.labels ?? []) known.add(label);
    for (const [, label = ""] of matchers.matchAll(/(\w+)\s*[=!]~?/g))
      if (![...OUTER, ...(family?.labels ?? [])].includes(label))
        problems.push(`${name} has no label ${label}`);
  }
  for (const [, labels = ""] of bare.matchAll(/by \(([^)]*)\)/g))
    for (const label of labels.split(",").map((each) => each.trim()))
      if (!known.has(label)) problems.push(`no label ${label}`);
  for (const [name] of bare.matchAll(/\b[a-z]+\b(?=\s*\()/g))
    if (!FUNCTIONS.test(name)) problems.push(`no function ${name}`);
  for (const [, code = ""] of expression.matchAll(/code="([^"]+)"/g))
    if (!(PROBLEM_CODES as readonly string[]).includes(code)) problems.push(`no code ${code}`);
  let open = 0;
  for (const sign of bare) open += Number("({[".includes(sign)) - Number(")}]".includes(sign));
  if (open !== 0) problems.push("brackets");
  return problems;
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly do: string };
}

const RULES: readonly Rule[] = parse(text("alerts.yaml")).groups.flatMap(
  (group: { readonly rules: readonly Rule[] }) => group.rules,
);

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly targets: readonly { readonly expr: string }[];
}

const PANELS: readonly Panel[] = JSON.parse(text("dashboard.json")).panels;

describe("expressions of Prometheus", () => {
  it.each<[string, string]>([
    ["winnow_ledger_anwsers == 0", "no metric winnow_ledger_anwsers"],
    ["rate(winnow_request_seconds[5m])", "no metric winnow_request_seconds"],
    ['winnow_refusals_total{status="500"}', "winnow_refusals_total has no label status"],
    ['winnow_refusals_total{code="unexpectd"}', "no code unexpectd"],
    ["sum by (route) (winnow_queue_waiting)", "no label route"],
    ["sun(winnow_queue_waiting)", "no function sun"],
    ["sum(winnow_queue_waiting", "brackets"],
    ["1 == 1", "no metric"],
  ])("with a mistake are found out: %s", (expression, problem) => {
    expect(problemsOf(expression)).toContain(problem);
  });

  it.each(RULES.map((rule) => [rule.alert, rule] as const))("of the alert %s", (_, rule) => {
    expect(problemsOf(rule.expr)).toEqual([]);
    expect(rule.labels.severity).toMatch(/^(page|ticket)$/);
    for (const told of [rule.annotations.summary, rule.annotations.do]) expect(told).toMatch(/^[A-Z].+\.$/);
  });

  it("of the dashboard, which shows every metric, and says which depend on rows", () => {
    const shown = new Set<string>();
    for (const { title, description, targets } of PANELS)
      for (const { expr } of targets) {
        expect([title, problemsOf(expr)]).toEqual([title, []]);
        for (const [name, family] of SAMPLES) {
          if (!new RegExp(`\\b${name}\\b`).test(expr)) continue;
          shown.add(name.replace(/_(bucket|sum|count)$/, ""));
          if (family.isPrivate && name.startsWith("winnow_"))
            expect([title, description]).toEqual([title, "Private: it depends on rows."]);
        }
      }
    expect([...shown].sort()).toEqual(Object.keys(FAMILIES).sort());
    expect(new Set(PANELS.map(({ id }) => id)).size).toBe(PANELS.length);
  });

  it("of the alerts, which name each alert once and leave out what no one must act on", () => {
    expect(new Set(RULES.map(({ alert }) => alert)).size).toBe(RULES.length);
    const watched = RULES.map(({ expr }) => expr).join(" ");
    for (const name of [
      "winnow_ledger_answers",
      "winnow_counts_failed_total",
      "winnow_release_ticks",
      "winnow_budget_left_share",
      "winnow_ledger_reconnects_total",
    ])
      expect(watched).toContain(name);
  });
});

interface AlertTests {
  readonly rule_files: readonly string[];
  readonly tests: readonly {
    readonly input_series: readonly { readonly series: string }[];
    readonly promql_expr_test: readonly {
      readonly exp_samples: readonly { readonly labels: string }[];
    }[];
  }[];
}

describe("the tests of the alerts", () => {
  const { rule_files, tests }: AlertTests = parse(text("alerts.test.yaml"));

  it("see each of them fire, on series that the service has", () => {
    expect(rule_files).toEqual(["alerts.yaml"]);
    const fired = tests.flatMap(({ promql_expr_test }) =>
      promql_expr_test.flatMap(({ exp_samples }) => exp_samples.map(({ labels }) => labels)),
    );
    expect([...new Set(fired)].sort()).toEqual(RULES.map(({ alert }) => `{alertname="${alert}"}`).sort());
    for (const { series } of tests.flatMap(({ input_series }) => input_series))
      expect([series, series.startsWith("up{") ? [] : problemsOf(series)]).toEqual([series, []]);
  });

  it.runIf(hasTool("promtool"))("pass in Prometheus", () => {
    expect(tool("promtool", "test", "rules", path("alerts.test.yaml"))).toContain("SUCCESS");
  });
});

const DEFAULTS = readConfig(configJson());

describe("the unit for systemd", () => {
  const unit = text("winnow.service");
  const field = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";

  it("checks before it starts, reloads by SIGHUP, and waits longer than a stop takes", () => {
    expect(field("ExecStart")).toBe("/usr/bin/env winnow serve /etc/winnow/service.json");
    expect(field("ExecStartPre")).toBe(`${field("ExecStart")} --check`);
    expect(field("ExecReload")).toBe("/bin/kill -HUP $MAINPID");
    expect(Number(field("TimeoutStopSec"))).toBeGreaterThan(DEFAULTS.stop.drain + DEFAULTS.stop.grace + 2);
    expect([field("UMask"), field("LimitCORE"), field("NoNewPrivileges")]).toEqual(["0077", "0", "yes"]);
    const allowed = new Set(["Unit", "Service", "Install"]);
    for (const [, section] of unit.matchAll(/^\[(\w+)\]$/gm)) expect(allowed).toContain(section);
    for (const line of unit.split("\n")) expect(line).toMatch(/^$|^#|^\[\w+\]$|^[A-Za-z]+=/);
  });

  it.runIf(hasTool("systemd-analyze"))("is one that systemd takes", () => {
    expect(tool("systemd-analyze", "verify", "--man=no", path("winnow.service"))).toBe("");
  });
});

type Yaml = Readonly<Record<string, never>>;

function manifests(...files: readonly string[]): Yaml[] {
  return files.flatMap((file) =>
    parseAllDocuments(text(file)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Yaml;
    }),
  );
}

describe("containers", () => {
  it("are started as the unit is, and publish the ports of the service", () => {
    const image = text("Containerfile");
    const start = /^ENTRYPOINT (.*)$/m.exec(image)?.[1] ?? "[]";
    expect(JSON.parse(start)).toEqual(["winnow", "serve", "/etc/winnow/service.json"]);
    expect(/^EXPOSE (.*)$/m.exec(image)?.[1]).toBe(`${DEFAULTS.listen.port} ${DEFAULTS.listen.port + 1}`);
    expect(image).toMatch(/^USER 10001:10001$/m);
    expect(image).toContain(`http://127.0.0.1:${DEFAULTS.listen.port + 1}/health`);
    const { services, volumes } = parse(text("compose.yaml"));
    expect(services.ledger.ports).toEqual(["127.0.0.1:4477:4477", "127.0.0.1:4478:4478"]); // this machine only
    expect(services.winnow.network_mode).toBe("service:ledger");
    expect(Object.keys(services.winnow.depends_on)).toEqual(["ledger"]);
    expect(Object.keys(volumes)).toEqual(["ledger"]);
    expect(existsSync(path(services.winnow.build.dockerfile))).toBe(true);
    const { drain, grace } = DEFAULTS.stop;
    expect(Number.parseInt(services.winnow.stop_grace_period, 10)).toBeGreaterThan(drain + grace + 2);
  });
});

describe("manifests of Kubernetes", () => {
  const [deployment] = manifests("kubernetes/deployment.yaml") as never[] as {
    spec: { template: { spec: Pod } };
  }[];
  interface Probe {
    readonly httpGet: { readonly path: string; readonly port: string };
  }
  interface Pod {
    readonly terminationGracePeriodSeconds: number;
    readonly containers: readonly [
      {
        readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
        readonly startupProbe: Probe;
        readonly livenessProbe: Probe;
        readonly readinessProbe: Probe & { readonly periodSeconds: number };
      },
    ];
  }
  const pod = deployment!.spec.template.spec;
  const [container] = pod.containers;
  const config = readConfig(JSON.parse(text("kubernetes/service.json")));

  it("have a configuration that the service takes, with its ports and enough time to stop", () => {
    const { listen, operator, stop } = config;
    expect(container.ports).toEqual([
      { name: "analysts", containerPort: listen.port },
      { name: "operator", containerPort: operator.port },
    ]);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(stop.drain + stop.grace + 2);
    expect(stop.drain).toBeGreaterThan(2 * container.readinessProbe.periodSeconds); // two looks miss no one
  });

  it("probe what the operator's port has, and never restart because the ledger is away", async () => {
    const app = createOperatorApp({
      service: { pulse: { state: async () => ({ failure: new Error(), sequence: 1 }) } as never },
      state: () => "ok",
      metrics: async () => "",
    });
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const statusOf = async ({ httpGet }: Probe) => (await app.request(httpGet.path)).status;
    for (const probe of [startupProbe, livenessProbe, readinessProbe])
      expect(probe.httpGet.port).toBe("operator");
    expect(await Promise.all([startupProbe, livenessProbe, readinessProbe].map(statusOf))).toEqual([
      200, 200, 503,
    ]);
  });

  it("are listed in the kustomization, and the operator's port is open to monitoring only", () => {
    const { resources, configMapGenerator } = parse(text("kubernetes/kustomization.yaml"));
    for (const file of [...resources, ...configMapGenerator[0].files])
      expect(existsSync(path(`kubernetes/${file}`))).toBe(true);
    const all = manifests(...resources.map((file: string) => `kubernetes/${file}`)) as unknown as {
      kind: string;
      spec: never;
    }[];
    expect(all.map(({ kind }) => kind)).toEqual([
      "Deployment",
      "Service",
      "Service",
      "PodDisruptionBudget",
      "NetworkPolicy",
    ]);
    const { ingress } = all.at(-1)!.spec as { ingress: { from?: unknown; ports: { port: string }[] }[] };
    for (const { from, ports } of ingress)
      expect(ports.some(({ port }) => port === "operator")).toBe(from !== undefined);
  });

  it.runIf(hasTool("kubectl"))("are rendered by kubectl", () => {
    const kinds = parseAllDocuments(tool("kubectl", "kustomize", path("kubernetes"))).map(
      (document) => document.toJS().kind,
    );
    expect(kinds.sort()).toEqual([
      "ConfigMap",
      "Deployment",
      "NetworkPolicy",
      "PodDisruptionBudget",
      "Service",
      "Service",
    ]);
  });
});
