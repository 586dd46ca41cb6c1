// @long: a real browser.
/* The console as people use it, in the Chromium on PATH. Pictures of the tour are left in build/console. Needs `npm run build`. */
import { randomInt } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { checkout } from "../../tools/run/environment";
import { openEndpoint } from "../contract/emulator/jobPlane";
import { type Account, openAccount } from "../harness/account";
import { until } from "../harness/until";
import { browserPath, openBrowser } from "./browser";

const HOSTILE = `<img src=x onerror="window.wasRun = true"><script>window.wasRun = true</script>`;
const GPU = { id: "NVIDIA GeForce RTX 4090" };
const pictures = join(checkout, "build", "console");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** What axe has against the page, in one line each. */
const AXE_RUN = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`;

/** The elements whose text is cut off: none on a narrow page, no figure or state on any. */
const cut = (selector: string) => `[...document.querySelectorAll("${selector}")]
  .filter((each) => each.checkVisibility() && each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
  .map(({ outerHTML }) => outerHTML.slice(0, 200))`;

const describeInBrowser = browserPath === undefined ? describe.skip : describe;

// The name says why, for the list of skipped tests at the end of a run.
describeInBrowser("the console in a browser, which needs Chromium on PATH:", () => {
  let browser: Browser;
  let cloud: Account;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    cloud = await openAccount({ handlers: { "repo/hostile:1": hostileHandler } });
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    complaints = [];
    page.on("pageerror", ({ message }) => complaints.push(message));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    await page.goto(cloud.consoleUrl);
  });
  afterEach(async () => {
    await page.close();
    await cloud[Symbol.asyncDispose]();
    expect(complaints).toEqual([]);
  });

  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  const menu = (name: string) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });

  it("shows a fleet's life, from its first resource to its last", async () => {
    await cloud.service.settings({ podBootMs: 60_000 });
    await page.getByText("The account is empty").waitFor();

    await cloud.create("/v2/network-volumes", { name: "models", size: 100, dataCenter: "EU-RO-1" });
    await cloud.create("/v2/pods", { name: "trainer", image: "repo/train:1", gpu: GPU });
    const queue = await openEndpoint(cloud, { name: "chat", env: { EMULATOR_DELAY_MS: "5000" } });
    await row("trainer").getByText("PROVISIONING").waitFor();
    await row("chat").getByText("RESTING").waitFor();
    await row("chat").getByRole("img", { name: "no workers, at most 1" }).waitFor();

    await page.getByRole("link", { name: "chat", exact: true }).click();
    await heading("chat").waitFor();
    await button("Run the job").click();
    await page.getByRole("table").getByText("IN PROGRESS").waitFor();
    await cloud.advance(5000);
    await page.getByRole("table").getByText("COMPLETED").waitFor();
    await page.getByRole("img", { name: "queued 0 ms, run 5.0 s" }).waitFor();
    await page
      .locator(".under", { hasText: "Ready" })
      .filter({ hasText: queue.id })
      .getByText("emulator/echo")
      .waitFor();
    // What was before the page was opened is in the plots, between axes.
    const plot = page.getByRole("figure").filter({ hasText: "running jobs" });
    await expect(plot.locator(".ticks").allTextContents()).resolves.toEqual([
      "10",
      expect.stringMatching(/^(\d\d:\d\d:\d\d){3}$/),
    ]);
    await page.screenshot({ path: join(pictures, "endpoint.png") });

    await page.getByRole("table", { name: "Latest jobs" }).getByRole("link").click();
    const steps = page.getByRole("table", { name: "Timeline" }).getByRole("row");
    await steps.filter({ hasText: "queued" }).getByText("0 ms").waitFor();
    await steps.filter({ hasText: "run" }).getByText("5.0 s").waitFor();
    await steps.filter({ hasText: "Completed" }).getByText("Are you there?").waitFor();
    const [, id = ""] = /#\/jobs\/(.+)$/.exec(page.url()) ?? [];
    await heading(`Job ${id}`).waitFor();
    expect(await page.locator(".under").getByText(id, { exact: true }).count()).toBe(0);
    await page.screenshot({ path: join(pictures, "job.png") });

    await menu("Clock, faults, settings").click();
    await button("+1 minute").click();
    await menu("Pods").click();
    await row("trainer").getByText("RUNNING").waitFor();
    await menu("Overview").click();
    await row("chat").waitFor();
    await page.screenshot({ path: join(pictures, "overview.png") });

    await cloud.rest("DELETE", `/v2/serverless/${queue.id}`);
    for (const [name, kind] of [
      ["trainer", "Pods"],
      ["models", "Network volumes"],
    ] as const) {
      await menu(kind).click();
      await page.getByRole("link", { name, exact: true }).click();
      await button("Delete it").click();
      await button("Yes, delete it").click();
      await page.getByText("Not found, or deleted").waitFor();
    }
    await menu("Overview").click();
    await page.getByText("The account is empty").waitFor();
  });

  it("shows all of a fleet, what needs eyes first, and how many more there are", async () => {
    const name = (index: number) => `trainer-${String(index).padStart(2, "0")}`;
    for (let index = 0; index < 75; index++)
      await cloud.create("/v2/templates", { name: name(index), image: "repo/train:1" });
    for (let index = 0; index < 12; index++)
      await cloud.create("/v2/pods", { name: name(index), image: `repo/train:${index}`, gpu: GPU });
    await cloud.create("/v2/pods", { name: "broken", image: "repo/train:does-not-exist", gpu: GPU });
    await cloud.create("/v2/network-volumes", { name: "models", size: 100, dataCenter: "EU-RO-1" });
    for (const endpoint of ["resting", "working", "stuck"])
      await openEndpoint(cloud, { name: endpoint, env: { EMULATOR_DELAY_MS: "600000" } }).then(async ({ run }) => {
        if (endpoint === "stuck") await cloud.service.fault({ act: { capacity: {} }, match: { times: 1e6 } });
        if (endpoint !== "resting") await run({ prompt: "hello" });
      });
    await cloud.advance(60_000);
    for (const state of ["Stuck", "Working", "Error"]) await page.getByText(state, { exact: true }).waitFor();
    const names = await page.getByRole("table", { name: "Resources" }).locator("th[scope=row]").allTextContents();
    const pods = Array.from({ length: 12 }, (_, index) => name(index));
    const templates = Array.from({ length: 50 }, (_, index) => name(index));
    expect(names).toEqual(["stuck", "broken", "working", "resting", ...pods, ...templates, "models"]);
    await page.getByText(/^Costs an hour: .*Endpoints \$.*Pods \$.*Network volumes \$/).waitFor();
    await page.getByRole("link", { name: "25 more" }).click();
    await heading("Templates").waitFor();
    await menu("Clusters").click();
    await page.getByText(/^There are none\./).waitFor();
    await menu("Costs").click();
    const month = page.getByRole("row", { name: "A month like this" }).locator(".number");
    expect((await month.allTextContents())[2]).toBe("$14.00");
  });

  it("makes a change that a program would find as drift, and shows the line that does the same", async () => {
    const { id } = await cloud.create("/v2/templates", { name: "it's mine", image: "repo/image:1" });
    await page.getByRole("link", { name: "it's mine" }).click();
    await page.getByLabel("Fields to change").fill(`{ "name": "somebody's" }`);
    const curl = page.getByRole("region", { name: "curl line of: Change it" });
    await page.getByText("curl", { exact: true }).first().click();
    expect(await curl.textContent()).toBe(
      `curl -X PATCH '${cloud.baseUrl}/v2/templates/${id}' -H "authorization: Bearer $COMPUTECLOUD_API_KEY" ` +
        `-H 'content-type: application/json' -d '{"name":"somebody'\\''s"}'`,
    );
    await button("Change it").click();
    await heading("somebody's").waitFor();
    expect((await cloud.rest("GET", `/v2/templates/${id}`)).body.name).toBe("somebody's");
    await page.getByLabel("Fields to change").fill("{");
    await page.getByRole("alert").getByText("This is not JSON.").waitFor();
  });

  it("sets a fault, which the next call meets and the list of requests, by run, names", async () => {
    await cloud.rest("GET", "/v2/pods");
    await cloud.advance(60_000);
    await menu("Clock, faults, settings").click();
    await button("Add the fault").click();
    await page.getByRole("table", { name: "Faults in force" }).getByRole("row").nth(1).waitFor();
    expect((await cloud.rest("POST", "/v2/templates", { name: "a", image: "b" })).status).toBe(503);
    await cloud.rest("GET", "/v2/pods");
    await menu("Requests").click();
    await row("Run at").first().getByText("2 requests").waitFor();
    await row("Run at").first().getByText("1 refused").waitFor();
    await row("Run at").nth(1).getByText("1 request in 0 ms").waitFor();
    await page.getByLabel("Show").selectOption("refused");
    await row("createTemplate").getByText('fault: {"status":503').waitFor();
    expect(await row("listPods").count()).toBe(0);
  });

  it("marks what changed a moment ago, and only that", async () => {
    // What the page shows first is not a change.
    await page.getByText("The account is empty").waitFor();
    await cloud.create("/v2/templates", { name: "old", image: "repo/image:1" });
    await page.locator("tr.changed", { hasText: "old" }).waitFor();
    await page.locator("tr.changed").waitFor({ state: "detached" });
    await cloud.create("/v2/templates", { name: "new", image: "repo/image:1" });
    await page.locator("tr.changed", { hasText: "new" }).waitFor();
    expect(await page.locator("tr.changed").count()).toBe(1);
    await page.locator("tr.changed").waitFor({ state: "detached" });
  });

  it("has the usual incidents as buttons, which add only faults that the emulator takes, one each", async () => {
    await menu("Clock, faults, settings").click();
    const incidents = page.getByRole("group", { name: "Incidents" }).getByRole("button");
    const count = await incidents.count();
    expect(count).toBeGreaterThanOrEqual(10);
    for (const each of await incidents.all()) await each.click();
    await until(async () => (await cloud.control("GET", "/faults")).body.faults.length === count);
  });

  it("saves the state, and loads it again", async () => {
    await cloud.create("/v2/templates", { name: "kept", image: "repo/image:1" });
    await menu("Clock, faults, settings").click();
    const saving = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save the state" }).click();
    const file = join(pictures, "state.json");
    await (await saving).saveAs(file);
    const [{ id }] = (await cloud.rest("GET", "/v2/templates")).body.templates;
    await cloud.rest("DELETE", `/v2/templates/${id}`);
    await page.getByLabel("Load a state").setInputFiles(file);
    await button("Replace the state").click();
    await button("Yes, replace the state").click();
    await menu("Templates").click();
    await row("kept").waitFor();
  });

  it("shows a secret when it is asked to", async () => {
    await cloud.create("/v2/templates", { name: "quiet", image: "repo/image:1", env: { TOKEN: "hunter2" } });
    await page.getByRole("link", { name: "quiet" }).click();
    await page.getByText('"TOKEN": "••••••"').waitFor();
    expect(await page.content()).not.toContain("hunter2");
    await button("Show secrets").click();
    await page.getByText("hunter2").waitFor();
    await button("Hide secrets").click();
    await page.getByText('"TOKEN": "••••••"').waitFor();
  });

  it("shows whatever resources contain as text", async () => {
    await cloud.create("/v2/templates", { name: HOSTILE, image: "repo/image:1", env: { [HOSTILE]: HOSTILE } });
    const queue = await openEndpoint(cloud, { name: HOSTILE, image: "repo/hostile:1" });
    const jobId = await queue.run({ [HOSTILE]: HOSTILE });
    await cloud.rest("GET", `/v2/pods/${encodeURIComponent(HOSTILE)}`);
    await row("FAILED").or(row("READY")).first().waitFor();
    const places = [
      "#/",
      "#/requests",
      `#/endpoints/${queue.id}`,
      `#/jobs/${jobId}`,
      `#/pods/${encodeURIComponent(HOSTILE)}`,
    ];
    for (const place of places) {
      await page.goto(cloud.consoleUrl + place);
      await page.getByText("onerror").first().waitFor();
      expect(await page.locator("main img, main script").count()).toBe(0);
    }
    expect(await page.evaluate("window.wasRun")).toBeUndefined();
  });

  it("lets no script in that gets into the page all the same", async () => {
    const put = `document.querySelector("main").innerHTML = ${JSON.stringify(HOSTILE)}`;
    await expect(page.evaluate(put)).rejects.toThrow("TrustedHTML");
    const inline = `const script = document.createElement("script");
      script.append("window.wasRun = true");
      document.body.append(script);`;
    await page.evaluate(inline).catch(() => undefined);
    expect(await page.evaluate("window.wasRun")).toBeUndefined();
    expect(complaints.length).toBeGreaterThan(0);
    complaints = [];
  });

  it("can be used without a mouse", async () => {
    await cloud.create("/v2/pods", { name: "trainer", image: "repo/train:1", gpu: GPU });
    await page.getByRole("link", { name: "trainer" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("h1:focus", { hasText: "trainer" }).waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("trainer");
    expect(await page.title()).toBe("trainer · Emulator console");
  });

  it("finds its way back when the emulator was away", async () => {
    await cloud[Symbol.asyncDispose]();
    // Below the ports that a system gives to whoever asks for any: it is still free afterwards.
    const port = randomInt(20_000, 30_000);
    cloud = await openAccount({ port });
    await page.goto(cloud.consoleUrl);
    await page.getByText("live", { exact: true }).waitFor();
    await cloud[Symbol.asyncDispose]();
    await page.getByText("not connected").waitFor();
    cloud = await openAccount({ port });
    await cloud.create("/v2/templates", { name: "new", image: "repo/image:1" });
    await row("new").waitFor();
    // Chromium itself complains about each attempt that failed.
    complaints = complaints.filter((text) => !text.includes("net::ERR_"));
  });

  const LOOKS = [
    { width: 360, height: 740, colorScheme: "light" },
    { width: 1280, height: 900, colorScheme: "dark" },
    { width: 2200, height: 1200, colorScheme: "light" },
  ] as const;
  it.each(LOOKS)("fits and is accessible at $width in $colorScheme", async ({ width, height, colorScheme }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const { id: pod } = await cloud.create("/v2/pods", { name: "trainer", image: "repo/train:1", gpu: GPU });
    const queue = await openEndpoint(cloud, { name: "chat" });
    const jobId = await queue.run({ prompt: "hello" });
    await cloud.rest("GET", "/v2/pods/nobody");
    await cloud.service.fault({ act: { status: 503 }, match: { path: "/nowhere" } });
    const places = [
      "",
      "endpoints",
      "requests",
      "costs",
      "controls",
      `endpoints/${queue.id}`,
      `pods/${pod}`,
      `jobs/${jobId}`,
    ];
    for (const place of places) {
      await page.goto(`${cloud.consoleUrl}#/${place}`);
      await page.locator("main h2, main table").first().waitFor();
      await page.evaluate(axe);
      expect({ place, violations: await page.evaluate(AXE_RUN) }).toEqual({ place, violations: [] });
      const overhang = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect({ place, overhang }).toEqual({ place, overhang: 0 });
      const isCut = await page.evaluate(cut(width < 700 ? "body *" : ".number, .state"));
      expect({ place, isCut }).toEqual({ place, isCut: [] });
      const name = `${place.split("/")[0] || "overview"}-${place.includes("/") ? "detail-" : ""}${width}.png`;
      await page.screenshot({ path: join(pictures, name) });
    }
  });
});

function hostileHandler(_input: unknown, { log }: { log(line: string): void }): never {
  log(HOSTILE);
  throw new Error(HOSTILE);
}
