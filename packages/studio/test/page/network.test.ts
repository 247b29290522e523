import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { countExample, releaseOnce, setBudget } from "../../scripts/steps.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";
import { startWitness, type Witness } from "../support/witness.js";

const studio = studioBrowser();
let witness: Witness;

beforeAll(async () => {
  witness = await startWitness();
});

afterAll(() => witness.close());

afterEach(() => witness.forget());

describe("nothing leaves the machine", () => {
  it("loads three files, and makes no request after that, whatever is done", async () => {
    const page = await (await studio.context()).newPage();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url().replace(studio.address, "/")));
    const errors = consoleErrors(page);
    await page.goto(studio.address);
    await page.getByRole("button", { name: "Try the example" }).waitFor();
    expect(ofNetwork(requests).sort()).toEqual(["/", "/studio.css", "/studio.js"]);
    requests.length = 0;
    await page.context().setOffline(true);
    await walk(page);
    expect(ofNetwork(requests)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("gives the page no way to send anything", async () => {
    const page = await studio.open();
    expect(await page.evaluate(tryEverything, witness.address)).toEqual(ALL_REFUSED);
    expect(witness.seen()).toBe(0);
  });

  it("gives the worker no way to send or load anything", async () => {
    const page = await studio.open();
    const [worker] = page.workers();
    expect(await worker!.evaluate(tryEverything, witness.address)).toEqual(ALL_REFUSED);
    const load = (address: string) => {
      try {
        importScripts(address);
        return "went through";
      } catch {
        return "refused";
      }
    };
    expect(await worker!.evaluate(load, witness.address)).toBe("refused");
    expect(witness.seen()).toBe(0);
  });

  it("lets no picture, form, frame, style or script carry anything out", async () => {
    const page = await studio.open();
    const seen = new Set<string>();
    await page.exposeFunction("tellViolation", (directive: string) => seen.add(directive));
    await page.evaluate((address) => {
      document.addEventListener("securitypolicyviolation", (event) =>
        tellViolation(event.effectiveDirective),
      );
      const make = (tag: string, properties: object) =>
        Object.assign(document.createElement(tag), properties);
      const form = document.createElement("form");
      form.action = `${address}form`;
      document.body.append(
        make("img", { src: `${address}picture` }),
        make("iframe", { src: `${address}frame` }),
        make("link", { rel: "stylesheet", href: `${address}style` }),
        make("script", { textContent: "window.hacked = 1" }),
        form,
      );
      form.submit();
      navigator.sendBeacon(`${address}beacon`, "x");
    }, witness.address);
    await expect
      .poll(() => [...seen].sort(), PATIENTLY)
      .toEqual(["connect-src", "form-action", "frame-src", "img-src", "script-src-elem", "style-src-elem"]);
    expect(witness.seen()).toBe(0);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });
});

declare function tellViolation(directive: string): void;

async function walk(page: Page): Promise<void> {
  await countExample(page);
  await setBudget(page, "1");
  await page.getByRole("img", { name: /^Right names, of those you ask for/ }).waitFor();
  await releaseOnce(page);
  for (const name of ["CSV", "JSON", "SVG", "PNG"])
    await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: `Download ${name}` }).click(),
    ]);
  await page.getByRole("link", { name: "See why" }).click();
  await page.locator(".success").first().waitFor();
}

const ALL_REFUSED = { fetch: "refused", request: "refused", socket: "refused", events: "refused" };

function ofNetwork(requests: readonly string[]): string[] {
  return requests.filter((url) => !/^(blob|data):/.test(url));
}

function consoleErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  return errors;
}

/** Runs in the page and in the worker. */
async function tryEverything(address: string): Promise<Record<string, string>> {
  const outcome = (attempt: Promise<unknown>) =>
    attempt.then(
      () => "went through",
      () => "refused",
    );
  const event = (target: EventTarget, good: string, bad: string) =>
    new Promise((resolve, reject) => {
      target.addEventListener(good, resolve);
      target.addEventListener(bad, reject);
    });
  const request = () => {
    const sent = new XMLHttpRequest();
    sent.open("GET", address);
    const heard = event(sent, "load", "error");
    sent.send();
    return heard;
  };
  return {
    fetch: await outcome(fetch(address)),
    request: await outcome(request()),
    socket: await outcome(
      (async () => event(new WebSocket(address.replace("http", "ws")), "open", "error"))(),
    ),
    events: await outcome((async () => event(new EventSource(address), "open", "error"))()),
  };
}
