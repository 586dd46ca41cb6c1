// @long: every fact is tried against a service of its own that does otherwise.
import { spawn } from "node:child_process";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { factIds } from "../../cli/verify/facts";
import { Ledger } from "../../cli/verify/ledger";
import { clean, cleanRun, type Finding, trialPlan, tryFacts } from "../../cli/verify/verify";
import { Wire } from "../../cli/verify/wire";
import type { Clock } from "../../client";
import { settingsSchema } from "../../emulator/settings";
import { addressVariables, inheritedEnv } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { MAIN } from "../harness/commandLine";
import { folderForAll } from "../harness/folder";
import { impatient, placeForAll } from "../harness/place";
import { endpoint, registry, template, volume } from "../harness/requests";
import { otherwise, settings } from "./otherwise";
import { type Rule, type ServiceProxy, startProxy } from "./proxy";

const honest: Rule = (call, forward) => forward(call);

/** An emulator behind a proxy, which answers by a rule: that of the emulator, unless a test sets another one. */
const place = placeForAll({ settings: {} });
const folder = folderForAll();
const proxy = {} as ServiceProxy;
let rule = honest;
beforeAll(async () => Object.assign(proxy, await startProxy(place.emulator, () => rule)));
afterEach(async () => {
  rule = honest;
  await place.service.settings(settingsSchema.parse({}));
  await place.reset();
});
afterAll(async () => proxy[Symbol.asyncDispose]());

const env = () => ({ ...inheritedEnv(), PULUMI_HOME: folder.path, ...addressVariables(proxy) });
/** `pulumi-computecloud verify` of this service. */
const command = (args: readonly string[], signal?: AbortSignal) =>
  run(process.execPath, [MAIN, "verify", ...args], { env: env(), signal });

const ledger = () => new Ledger(folder.at("computecloud", "verifying"));

function wireTo(apiKey: string, clock: Clock): Wire {
  const rest = { apiKeySource: "", graphqlKeyIn: "header", endpointsThrough: "auto", retryBudgetMs: 0 } as const;
  return new Wire({ ...proxy, ...rest, apiKey }, clock);
}

/** Tries all facts, and leaves nothing of what was made. */
async function verified({ key = proxy.apiKey, clock = impatient() as Clock, maxUsd = 1 } = {}) {
  const wire = wireTo(key, clock);
  const notes = ledger();
  const entry = notes.begin("1234abcd", { service: proxy.baseUrl });
  const { signal } = new AbortController();
  const findings = await tryFacts(trialPlan(maxUsd), { wire, entry, signal });
  const { left } = await cleanRun({ wire, ledger: notes }, entry.word, entry.now);
  await wire.close();
  expect(notes.all().size).toBe(0);
  expect(left).toEqual([]);
  expect(await place.service.isEmpty()).toBe(true);
  return findings;
}

const idsOf = (findings: readonly Finding[], result: Finding["result"]) =>
  findings.filter((finding) => finding.result === result).map(({ id }) => id);
const whysOf = (findings: readonly Finding[]) =>
  findings.filter(({ result }) => result !== "holds").map(({ id, why }) => `${id}: ${why}`);

test("the emulator does what the table says, and nothing is left on it", async () => {
  const findings = await verified();
  expect(whysOf(findings)).toEqual([]);
  expect(idsOf(findings, "holds")).toEqual(factIds);
});

test.each(factIds)("a service that does otherwise is found out about #%s, and about nothing else", async (id) => {
  await place.service.settings(settings[id] ?? {});
  rule = otherwise[id]?.() ?? honest;
  const findings = await verified();
  expect(findings.filter(({ result }) => result === "differs").map((each) => [each.id, each.why])).toEqual([
    [id, expect.stringMatching(/\S/)],
  ]);
});

test("an account that allows little with a key that only reads, says of what it could not try why", async () => {
  await place.service.settings({ keys: [{ key: "reader", kind: "read-only" }] });
  const findings = await verified({ key: "reader" });
  expect(idsOf(findings, "differs")).toEqual([]);
  expect(idsOf(findings, "holds").length).toBeGreaterThan(5);
  expect(new Set(whysOf(findings).map((why) => why.replace(/^.*?: (.*?):.*/, "$1")))).toEqual(
    new Set(["the key may not do this"]),
  );
});

test("an account that allows little with a key for templates alone, tries these", async () => {
  await place.service.settings({ keys: [{ key: "some", kind: "restricted", areas: { templates: "read-write" } }] });
  const findings = await verified({ key: "some" });
  expect(idsOf(findings, "differs")).toEqual([]);
  expect(idsOf(findings, "holds")).toEqual(expect.arrayContaining(["template-names-unique", "env-replaced"]));
  expect(idsOf(findings, "not tried")).toEqual(expect.arrayContaining(["registry-patch", "two-views", "account"]));
});

test("an account that allows little with a key that nobody has, tries nothing that needs one", async () => {
  const findings = await verified({ key: "nobody-has-it" });
  expect(idsOf(findings, "differs")).toEqual([]);
  expect(idsOf(findings, "holds")).toEqual(["key-refused", "request-id", "graphql-bad-key", "large-pod-413"]);
});

test("an account that allows little without money and without capacity, tries the same: nothing that it makes runs", async () => {
  await place.service.settings({ balance: 0 });
  await place.fault({ times: 100_000 }, { capacity: {} });
  expect(whysOf(await verified())).toEqual([]);
});

test("an account that allows little where volumes are refused for want of money, says so", async () => {
  await place.fault({ operation: "createNetworkVolume", times: 100 }, { status: 402, headers: {} });
  expect(whysOf(await verified())).toEqual([
    expect.stringMatching(/^volume-names-repeat: the account has no money/),
    expect.stringMatching(/^volume-grows-only: the account has no money/),
  ]);
});

test("an account that allows little with ten calls a minute, waits for its turn", async () => {
  await place.service.settings({ rateLimitExempt: false, quotas: { minute: 10 } });
  expect(whysOf(await verified({ clock: place.sharedClock() }))).toEqual([]);
  expect((await place.calls()).filter(({ status }) => status === 429).length).toBeGreaterThan(5);
});

test("an account that allows little where a template stays in use for two minutes, takes no longer than it says", async () => {
  await place.service.settings({ templateReleaseMs: 120_000, restDeletesTemplate: "never" });
  const clock = place.sharedClock();
  const began = clock.now();
  const findings = await verified({ clock });
  expect(clock.now() - began).toBeLessThan(5 * 60_000);
  expect(idsOf(findings, "differs")).toEqual(["rest-deletes-template"]);
});

test("an account that allows little with a service that fails, says that it could not be tried", async () => {
  await place.fault({ method: "POST", path: "/v2/registries", times: 100 }, { status: 503, headers: {} });
  await place.fault({ method: "POST", path: "/v2/account/secrets", times: 100 }, { drop: "after" });
  expect(whysOf(await verified())).toEqual([
    "registry-names-unique: the service failed: POST /v2/registries answered 503",
    "registry-patch: the service failed: POST /v2/registries answered 503",
    "secret-value-hidden: no answer to POST /v2/account/secrets",
    "secret-list-hides-values: no answer to POST /v2/account/secrets",
    "secret-names-any-case: no answer to POST /v2/account/secrets",
  ]);
});

test("what it costs never passes the limit", () => {
  expect(trialPlan(0.25)).toMatchObject({ tried: expect.arrayContaining(["volume-grows-only"]) });
  const { tried: cheap, usd } = trialPlan(0.03);
  expect([cheap.includes("volume-grows-only"), cheap.includes("volume-names-repeat")]).toEqual([true, false]);
  expect(usd).toBeLessThanOrEqual(0.03);
});

test("what it costs is nothing when nothing may cost", async () => {
  expect(whysOf(await verified({ maxUsd: 0 }))).toEqual([
    "volume-names-repeat: it could exceed the limit of --max-usd",
    "volume-grows-only: it could exceed the limit of --max-usd",
  ]);
  expect(await place.sent()).not.toContain("POST /v2/network-volumes");
});

test("pulumi-computecloud verify says what it is going to do, and ends with a table", async () => {
  const { exitCode, stdout, stderr } = await command(["--yes"]);
  expect(stderr).toMatch(
    /^Tries \d+ facts, which takes up to \d+ minutes, more where few calls a minute are allowed, and costs \$0\.\d\d at most\.\nMakes, /,
  );
  expect(stdout).toMatch(/^holds +key-refused +A missing or made-up key is answered with 401\.$/m);
  expect(stdout).toMatch(/hold, 0 differ, \d+ were not tried\.\n$/);
  expect(exitCode).toBe(0);
});

test("pulumi-computecloud verify prints a table for an issue, and ends with 1 when something differs", async () => {
  await place.service.settings({ streamForm: "array" });
  const { exitCode, stdout } = await command(["--yes", "--max-usd", "0", "--markdown"]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^\| stream-object \| .* \| seen \| \*\*differs\*\* \| .* answered a list \(the provider can handle that: it reads .*\) \|$/m,
  );
  expect(stdout).not.toMatch(/verify-[0-9a-f]{8}|user_emulated|emulator-key/);
  const json = await command(["--yes", "--max-usd", "0", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ id: "stream-object", result: "differs" })]),
    left: [],
  });
});

test("pulumi-computecloud verify asks before it makes anything", async () => {
  const { exitCode, stderr } = await command([]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("Add --yes")]);
  expect(await place.calls()).toEqual([]);
  expect((await command(["--max-usd", "much", "--yes"])).stderr).toMatch(/--max-usd takes a sum in USD/);
});

test("pulumi-computecloud verify deletes what it has made when it is interrupted", async () => {
  const interrupt = new AbortController();
  rule = async (call, forward) => {
    const reply = await forward(call);
    if (call.method === "PATCH" && call.path.startsWith("/v2/serverless/")) interrupt.abort();
    return reply;
  };
  const { exitCode, stdout } = await command(["--yes"], interrupt.signal);
  expect(stdout).toMatch(/^not tried +\S+ +interrupted$/m);
  expect(exitCode).toBe(2);
  expect(await place.service.isEmpty()).toBe(true);
  expect(ledger().all().size).toBe(0);
});

test("pulumi-computecloud verify killed at any moment, leaves nothing that --clean does not delete, and touches nothing else", async () => {
  const others = { templates: 2, endpoints: 1, registries: 1, networkVolumes: 1 };
  await place.service.rest("POST", "/v2/templates", template("verify"));
  await place.service.rest("POST", "/v2/templates", template("verify-12345678-mine"));
  await place.service.rest("POST", "/v2/serverless", endpoint("mine"));
  await place.service.rest("POST", "/v2/registries", registry("mine"));
  await place.service.rest("POST", "/v2/network-volumes", volume("mine"));
  let leftBehind = 0;
  for (let kill = 0; kill < 20; kill += 1) {
    const child = spawn(process.execPath, [MAIN, "verify", "--yes"], { env: env(), stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    let creates = 0;
    rule = async (call, forward) => {
      creates += call.method === "POST" && call.to !== "queue" ? 1 : 0;
      const isMoment = creates === 2 + 3 * kill;
      // By turns before and after the service has done the work.
      if (isMoment && kill % 2 === 0) child.kill("SIGKILL");
      const reply = isMoment && kill % 4 === 0 ? undefined : await forward(call);
      if (isMoment) child.kill("SIGKILL");
      if (reply === undefined) throw new Error("killed before the call was made");
      return reply;
    };
    await ended;
    expect(child.signalCode).toBe("SIGKILL");
    rule = honest;
    const counts = await countsNow();
    leftBehind += JSON.stringify(counts) === JSON.stringify({ ...counts, ...others }) ? 0 : 1;
    const wire = wireTo(proxy.apiKey, impatient());
    expect((await clean({ wire, ledger: ledger() }, proxy.baseUrl)).left).toEqual([]);
    await wire.close();
    expect(await countsNow()).toMatchObject({ ...others, secrets: 0 });
    expect(ledger().all().size).toBe(0);
  }
  // Else the kills have shown nothing.
  expect(leftBehind).toBeGreaterThan(10);
});

test("pulumi-computecloud verify --clean leaves alone what another key or a run that goes on has made", async () => {
  const notes = ledger();
  notes.begin("aaaaaaaa", { service: proxy.baseUrl });
  notes.begin("bbbbbbbb", { service: "https://elsewhere.example.com" });
  const { exitCode, stdout } = await command(["--clean"]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/verify-aaaaaaaa-\*: process \d+ still works on it/);
  notes.delete("aaaaaaaa");
  notes.delete("bbbbbbbb");
  expect(await command(["--clean"])).toMatchObject({ exitCode: 0, stdout: "Deleted 0.\n" });
});

async function countsNow(): Promise<Record<string, number>> {
  const lists = Object.entries(await place.service.state());
  return Object.fromEntries(lists.map(([name, list]) => [name, list.length]));
}
