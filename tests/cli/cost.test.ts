/* What `cost` says of a preview: every kind, every change, what is unknown, and the limits. */
import { describe, expect, test } from "@jest/globals";
import { emulatorForAll } from "../harness/account";
import { commandOn, documentOf, fails, scriptedEngine } from "../harness/commandLine";
import { folderForAll } from "../harness/folder";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const RTX = "NVIDIA GeForce RTX 4090";
const dynamic = (kind: string) => `pulumi-nodejs:dynamic/computecloud:${kind}`;

interface State {
  inputs: object;
  outputs?: object;
  retainOnDelete?: boolean;
  importID?: string;
}

/** A step as the engine prints it. */
function step(op: string, type: string, name: string, { old, next }: { old?: State; next?: State }): object {
  const urn = `urn:pulumi:dev::shop::${type}::${name}`;
  return {
    op,
    urn,
    ...(old && { oldState: { urn, custom: true, id: name, type, ...old } }),
    ...(next && { newState: { urn, custom: true, type, ...next } }),
    detailedDiff: null,
  };
}

const adds = (type: string, name: string, inputs: object) => step("create", type, name, { next: { inputs } });
const updates = (kind: string, name: string, old: object, inputs: object, outputs: object = {}) =>
  step("update", dynamic(kind), name, { old: { inputs: old, outputs }, next: { inputs } });

const queueOf = { gpuIds: "AMPERE_24,ADA_24", gpuCount: 1, workersMin: 0, workersMax: 3 };
const container = { cpu: [{ id: "cpu5c", vcpuCount: 4 }], workers: { min: 0, max: 4 } };
const volumeOf = { size: 500, dataCenter: "EU-RO-1" };

const steps = [
  step("same", "pulumi:pulumi:Stack", "shop-dev", { old: { inputs: {} }, next: { inputs: {} } }),
  adds(dynamic("Pod"), "trainer", { gpu: { id: RTX, count: 2 }, disk: 50, cloud: "SECURE", env: { A: "[secret]" } }),
  // New to the stack.
  step("import", dynamic("Pod"), "bastion", {
    next: { inputs: { cpu: { id: "cpu5c", vcpuCount: 2 } }, importID: "pod9" },
  }),
  adds(dynamic("Pod"), "asleep", {
    gpu: { id: RTX },
    mounts: { persistent: { size: 100, path: "/data" } },
    desiredStatus: "EXITED",
  }),
  // The native type of the same kind.
  adds("computecloud:index:Cluster", "team|a", {
    compute: { gpuTypeId: RTX, gpuCountPerPod: 8, podCount: 2 },
    mounts: { network: [{ volumeId: UNKNOWN, path: "/models" }] },
  }),
  adds(dynamic("Pod"), "sized", { gpu: { id: RTX, count: UNKNOWN } }),
  adds(dynamic("NetworkVolume"), "fast", { size: 100, dataCenter: "EU-RO-1", type: "HIGH_PERFORMANCE" }),
  adds(dynamic("ServerlessFleet"), "models", {
    defaults: { gpuIds: "AMPERE_16", workersMax: 2 },
    endpoints: { chat: { workersMin: 1 }, embed: { gpuIds: "AMPERE_24" } },
  }),
  adds(dynamic("Template"), "chat", { image: "a/b:1" }),
  adds(dynamic("Registry"), "images", {}),
  adds(dynamic("EcrDelegation"), "images", {}),
  adds(dynamic("SshKeys"), "keys", {}),
  adds(dynamic("SmokeJob"), "answers", {}),
  adds("aws:s3/bucket:Bucket", "bucket", {}),
  updates("ServerlessEndpoint", "chat", queueOf, { ...queueOf, workersMin: 1 }),
  updates("ServerlessContainer", "embed", container, { ...container, workers: { min: 0, max: 2 } }),
  // What the service chose stays what it is.
  updates("NetworkVolume", "models", volumeOf, { ...volumeOf, size: 2000 }, { size: 500, type: "STANDARD" }),
  step("replace", dynamic("Pod"), "notebook", {
    old: { inputs: { gpu: { id: RTX, count: 1 } }, outputs: { disk: 50 } },
    next: { inputs: { gpu: { id: RTX, count: 2 } } },
  }),
  step("delete", dynamic("Pod"), "old", { old: { inputs: { gpu: { id: RTX, count: 1 }, cloud: "COMMUNITY" } } }),
];

/** What exists before the stack has it, or after. */
const retained = { inputs: { gpu: { id: RTX, count: 1 } }, outputs: { disk: 50 }, retainOnDelete: true };
const moving = [
  adds(dynamic("Pod"), "adopted", { adoptId: "pod1", gpu: { id: RTX, count: 2 } }),
  step("replace", dynamic("Pod"), "renewed", { old: retained, next: { inputs: { gpu: { id: RTX, count: 2 } } } }),
  step("delete", dynamic("Pod"), "kept", { old: retained }),
  // One of the fleet's members was a resource of its own.
  step("delete", dynamic("ServerlessEndpoint"), "moved", {
    old: { inputs: { gpuIds: "AMPERE_16", workersMin: 1, workersMax: 1 } },
  }),
  updates(
    "ServerlessFleet",
    "fleet",
    { endpoints: { a: { gpuIds: "AMPERE_16", workersMax: 1 }, b: { gpuIds: "AMPERE_16", workersMax: 1 } } },
    { endpoints: { c: { adoptId: "moved", gpuIds: "AMPERE_16", workersMin: 1, workersMax: 2 } }, released: ["a"] },
  ),
];

const { emulator, service } = emulatorForAll();

const cost = (document: unknown, ...args: string[]) => command("cost", document, ...args);

function command(name: "cost" | "plan", document: unknown, ...args: string[]) {
  const input = typeof document === "string" ? document : JSON.stringify(document);
  return commandOn(emulator, [name, ...args], { input });
}

describe("the cost of a preview", () => {
  test("names every resource that has a price, before and after", async () => {
    const { stdout, exitCode } = await cost({ steps, changeSummary: { same: 4 } });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`Cost a month: $648.60 to $3,620.56 → $7,563.90 to $11,198.70 (+$6,915.30 to +$7,578.14)

      resource                                   before                    after                    change
  +   team|a (Cluster)                                                 $5,149.20                +$5,149.20
  +   fast (NetworkVolume)                                               unknown                   unknown
  +   asleep (Pod)                                                        $20.00                   +$20.00
  +   sized (Pod)                                                        unknown                   unknown
  +   trainer (Pod)                                                      $647.40                  +$647.40
  +   models (ServerlessFleet)                              $422.48 to $1,847.60    +$422.48 to +$1,847.60
  =   bastion (Pod)                              $56.10                   $56.10                     $0.00
  ~   models (NetworkVolume)                     $35.00                  $120.00                   +$85.00
  ~   embed (ServerlessContainer)      $0.00 to $521.92         $0.00 to $260.96         $0.00 to -$260.96
  ~   chat (ServerlessEndpoint)      $0.00 to $2,450.04     $501.32 to $2,450.04         +$501.32 to $0.00
  +-  notebook (Pod)                            $326.20                  $647.40                  +$321.20
  -   old (Pod)                                 $231.30                                           -$231.30
      sum                          $648.60 to $3,620.56  $7,563.90 to $11,198.70  +$6,915.30 to +$7,578.14

Serverless: minimum: always-on workers; maximum: all workers busy all month.
bastion exists already, and is billed.
chat: at most with ADA_24
fast: price unknown, not in the sum: type: can't be estimated: the service publishes the price of STANDARD only
sized: price unknown, not in the sum: gpu: not known before the update
Without 3 unchanged resources: pulumi preview --json --show-sames lists them.
Estimated with the catalog's prices of today and 730 hours a month.
`);
  });

  test("is a comment for a pull request", async () => {
    const some = steps.filter((each) => /::(team|fast|chat|old)/.test(JSON.stringify(each)));
    const { stdout } = await cost({ steps: some }, "--markdown");
    expect(stdout).toBe(`### Cost a month: $231.30 to $2,681.34 → $5,650.52 to $7,599.24 (+$5,419.22 to +$4,917.90)

|  | resource | before | after | change |
|---|---|---:|---:|---:|
| + | \`team\\|a\` (Cluster) |  | $5,149.20 | +$5,149.20 |
| + | \`fast\` (NetworkVolume) |  | unknown | unknown |
| ~ | \`chat\` (ServerlessEndpoint) | $0.00 to $2,450.04 | $501.32 to $2,450.04 | +$501.32 to $0.00 |
| - | \`old\` (Pod) | $231.30 |  | -$231.30 |
|  | sum | $231.30 to $2,681.34 | $5,650.52 to $7,599.24 | +$5,419.22 to +$4,917.90 |

- Serverless: minimum: always-on workers; maximum: all workers busy all month.
- \`chat\`: at most with \`ADA_24\`
- \`fast\`: price unknown, not in the sum: \`type: can't be estimated: the service publishes the price of STANDARD only\`
- Estimated with the catalog's prices of today and 730 hours a month.
`);
  });

  test("counts what is adopted, kept, released or moved before and after", async () => {
    const { stdout } = await cost({ steps: moving });
    const [table, notes] = stdout.split("\n\n").slice(1);
    expect(table).toBe(`\
      resource                                 before                   after    change
  =   adopted (Pod)                           $647.40                 $647.40     $0.00
  ~   fleet (ServerlessFleet)    $422.48 to $1,267.44    $422.48 to $1,267.44     $0.00
  +-  renewed (Pod)                           $326.20                 $973.60  +$647.40
      kept (Pod)                              $326.20                 $326.20     $0.00
      sum                      $1,722.28 to $2,567.24  $2,369.68 to $3,214.64  +$647.40`);
    expect(notes?.split("\n").slice(1, -2)).toEqual([
      ...["adopted", "fleet.c"].map((name) => `${name} exists already, and is billed.`),
      ...["fleet.a", "renewed", "kept"].map(
        (name) => `What the stack has as ${name} goes on outside it, and is billed.`,
      ),
    ]);
    const chat = { gpuIds: "AMPERE_16", workersMax: 1 };
    const removed = { ...chat, schedule: byDay(true, 6, 13) };
    const unscheduled = updates("ServerlessEndpoint", "chat", removed, chat, removed);
    const { sum } = JSON.parse((await cost({ steps: [unscheduled] }, "--json")).stdout);
    expect(sum.before.max / sum.after.max).toBeCloseTo(13);
  });

  test("is a document for programs", async () => {
    const { stdout } = await cost({ steps: steps.slice(-2), changeSummary: { same: 1 } }, "--json");
    const both = (amount: number) => ({ min: amount, max: amount });
    const pod = (name: string) => ({ urn: `urn:pulumi:dev::shop::${dynamic("Pod")}::${name}`, name, kind: "Pod" });
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: 1,
      violations: [],
      currency: "USD",
      resources: [
        { ...pod("notebook"), change: "replace", before: both(326.2), after: both(647.4) },
        { ...pod("old"), change: "delete", before: both(231.3) },
      ],
      sum: { before: both(557.5), after: both(647.4) },
      unknown: 0,
      unlisted: 1,
      exceeded: [],
    });
  });

  const endpoint = (inputs: object) => adds(dynamic("ServerlessEndpoint"), "chat", inputs);
  const pools = { a: { gpuIds: "AMPERE_24,AMPERE_80" }, b: { gpuIds: "AMPERE_80,HOPPER_141" } };
  const fleet = { endpoints: pools, defaults: { workersMax: 2 } };
  test.each<[string, object, number, string]>([
    ["the first pool", endpoint({ gpuIds: "AMPERE_24,BLACKWELL_180", workersMax: 10 }), 63_092, "BLACKWELL_180"],
    ["each member's first pool", adds(dynamic("ServerlessFleet"), "chat", fleet), 12_149.36, "AMPERE_80, HOPPER_141"],
  ])("has as its upper end the dearest that the arguments allow, not %s", async (_, resource, most, dearest) => {
    const within = await cost({ steps: [resource] }, "--max-possible", `${most}`);
    expect([within.exitCode, within.stdout]).toEqual([0, expect.stringContaining(`chat: at most with ${dearest}\n`)]);
    const limited = await cost({ steps: [resource] }, "--max-possible", `${most - 0.01}`, "--markdown");
    expect([limited.exitCode, limited.stdout]).toEqual([1, expect.stringContaining(`- \`chat\`: at most with \``)]);
  });

  test("of a pod that exists is that of the GPU type that it got", async () => {
    const gpuAlternatives = [RTX, "NVIDIA H100 80GB HBM3"];
    const inputs = { gpu: { id: "NVIDIA L4", count: 1 }, gpuAlternatives, cloud: "SECURE" };
    const old = { inputs, outputs: { gpuTypeId: RTX } };
    const pod = step("same", dynamic("Pod"), "chat", { old, next: { inputs } });
    const { sum } = JSON.parse((await cost({ steps: [pod] }, "--json")).stdout);
    expect(sum.after).toEqual({ min: 326.2, max: 326.2 });
  });

  /** Works by day in a zone in which it is night now, or the other way round. */
  const byDay = (zoneAtNight: boolean, least: number, most: number) => ({
    timezone: `Etc/GMT${zoneAtNight === hour() >= 12 ? "+12" : "0"}`,
    rules: [{ days: "mon-sun", from: "12:00", to: "24:00", workersMin: least, workersMax: most }],
  });
  const hour = () => new Date().getUTCHours();

  test.each([
    ["at night", true],
    ["by day", false],
  ])("judges every window of a schedule, and says which counts: %s", async (_, isNight) => {
    const gpuIds = "ADA_24";
    const day = byDay(isNight, 6, 13);
    const night = { workersMin: 1, workersMax: 4 };
    const schedule = { ...day, otherwise: night };
    const now = isNight ? night : { workersMin: 6, workersMax: 13 };
    const workers = { min: now.workersMin, max: now.workersMax };
    const scheduled = [
      adds(dynamic("ServerlessEndpoint"), "chat", { gpuIds, ...now, schedule }),
      adds(dynamic("ServerlessFleet"), "models", { endpoints: { a: { gpuIds, schedule }, b: { gpuIds, schedule } } }),
      adds(dynamic("ServerlessContainer"), "embed", { gpu: { pools: [gpuIds] }, workers, schedule }),
    ];
    const { stdout, exitCode } = await cost({ steps: scheduled }, "--markdown", "--max", "19000");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("| `chat` (ServerlessEndpoint) |  | $4,900.08 to $10,616.84 |");
    expect(stdout).toContain("|  | sum | $0.00 | $19,600.32 to $42,467.36 |");
    const [from, to] = [`12:00 (${day.timezone})`, `00:00 (${day.timezone})`];
    const counts = stdout.matchAll(/- `(\w+)`: counts as from \w{3} (.*): 6 to 13 workers\n/g);
    expect(Array.from(counts, ([, ...each]) => each)).toEqual(["embed", "chat", "models"].map((name) => [name, from]));
    const next = stdout.matchAll(/- `(\w+)`: from \w{3} (.*): (.*)\n/g);
    const change = isNight ? [from, "1 to 4 workers -> 6 to 13 workers"] : [to, "6 to 13 workers -> 1 to 4 workers"];
    expect(Array.from(next, ([, ...each]) => each)).toEqual(
      ["embed", "chat", "models"].map((name) => [name, ...change]),
    );

    // 25 workers at night, 54 by day.
    const shift = { ...byDay(!isNight, 0, 9), otherwise: { workersMax: 2 } };
    const planned = [...scheduled, adds(dynamic("ServerlessEndpoint"), "shift", { gpuIds, schedule: shift })];
    await service.settings({ workerQuota: 54 });
    const within = await command("plan", { steps: planned });
    expect(within.stdout.match(/most workers, all together.*/)?.[0]).toMatch(
      isNight ? /, from \w{3} 12:00 \(.*\) +0 +54$/ : /together +0 +54$/,
    );
    expect(within.exitCode).toBe(0);
    await service.settings({ workerQuota: 40 });
    const { sum, problems } = JSON.parse((await command("plan", { steps: planned }, "--json")).stdout);
    expect(sum).toEqual({ before: 0, during: isNight ? 25 : 54, after: 54 });
    const when = isNight ? " from \\w{3} 12:00 \\(.*\\) on" : "";
    expect(problems).toEqual([expect.stringMatching(`^The endpoints ask for 54 workers${when}, and the quota is 40`)]);
    // The job of a gate has no maximum that could be lowered.
    const chat = updates("ServerlessEndpoint", "chat", { gpuIds, workersMax: 60 }, { gpuIds, workersMax: 60 });
    const gate = adds(dynamic("SmokeJob"), "gate", { endpointId: "x", workersMax: 30 });
    expect((await command("plan", { steps: [chat, gate] })).stdout).toContain(
      "is 40. Lower the maximum of one of them.",
    );
    await service.settings({ workerQuota: 1000 });
  });

  test("of workers whose schedule is not known before the update is not known", async () => {
    const { stdout } = await cost({ steps: [endpoint({ gpuIds: "ADA_24", workersMax: 2, schedule: UNKNOWN })] });
    expect(stdout).toContain("chat: price unknown, not in the sum: schedule: not known before the update");
  });

  test("is the same before a resource is made as after: disks and tiers that nobody declared", async () => {
    const urn = `urn:pulumi:dev::shop::${dynamic("Template")}::image`;
    const inputs = { gpuIds: "AMPERE_16", gpuCount: 1, workersMin: 1, workersMax: 1, templateId: UNKNOWN };
    const queue = { inputs, propertyDependencies: { templateId: [urn] } };
    const container = {
      inputs: { ...inputs, gpuIds: undefined, gpu: { pools: ["AMPERE_16"] }, workers: { min: 1, max: 1 } },
    };
    const pod = { inputs: { gpu: { id: RTX, count: 1 }, cloud: "SECURE" } };
    const volume = { inputs: { size: 100, dataCenter: "US-TX-3" } };
    const resources: [kind: string, name: string, next: State, chosen: object][] = [
      ["Template", "image", { inputs: { image: "a/b:1", disk: 40 } }, { disk: 40 }],
      ["ServerlessEndpoint", "queue", queue, {}],
      ["ServerlessContainer", "live", { ...queue, ...container }, { disk: 20 }],
      ["Pod", "pod", pod, { disk: 50 }],
      ["NetworkVolume", "volume", volume, { type: "STANDARD" }],
    ];
    const before = resources.map(([kind, name, next]) => step("create", dynamic(kind), name, { next }));
    const after = resources.map(([kind, name, next, outputs]) =>
      step("same", dynamic(kind), name, { old: { ...next, outputs }, next }),
    );
    const sums = await Promise.all(
      [before, after].map(async (each) => JSON.parse((await cost({ steps: each }, "--json")).stdout)),
    );
    expect(sums[1].sum).toEqual({ before: sums[0].sum.after, after: sums[0].sum.after });
    expect(sums.map(({ unknown }) => unknown)).toEqual([0, 0]);
  });

  test.each<[string, string[], RegExp, number]>([
    ["is named", [], /Too much: the price of models, x\\nfast is not known, so the limit can't be checked/, 1],
    ["is passed over on request", ["--allow-unknown"], /price unknown, not in the sum/, 0],
    ["may be given", ["--price", "HIGH_PERFORMANCE=0.14"], /Too much: the price of models is not known/, 1],
  ])("a price that is not known %s", async (_, args, said, code) => {
    const unknown = [
      adds(dynamic("NetworkVolume"), "models", { size: 4096, dataCenter: "EU-RO-1" }),
      adds(dynamic("NetworkVolume"), "x\nfast", { size: 4096, dataCenter: "EU-RO-1", type: "HIGH_PERFORMANCE" }),
    ];
    const { stdout, exitCode } = await cost({ steps: unknown }, "--max", "1000", ...args);
    expect(stdout).toMatch(said);
    expect(exitCode).toBe(code);
    expect(stdout.split("\n").filter((line) => line.startsWith("fast"))).toEqual([]);
    if (args.includes("--price")) expect(stdout).toContain("$573.44");
  });

  test("of nothing is nothing", async () => {
    const { stdout } = await cost({ changeSummary: { same: 3 } }, "--markdown");
    expect(stdout).toContain("### Cost a month: $0.00 → $0.00 ($0.00)\n");
  });

  test.each<[string[], object[], number, RegExp]>([
    [["--max", "647.40"], steps.slice(-2), 0, /sum/],
    [["--max", "647.39"], steps.slice(-2), 1, /Too much: \$647\.40 a month is above --max \$647\.39/],
    // Endpoints count with their always-on workers, unless the maximum is limited as well.
    [["--max", "502"], steps.slice(14, 15), 0, /chat/],
    [["--max-possible", "500", "--markdown"], steps.slice(14, 15), 1, /\*\*Too much:\*\* \$2,450\.04 a month is above/],
  ])("has its limits: %j", async (args, limited, code, said) => {
    const stdout = expect.stringMatching(said);
    expect(await cost({ steps: limited }, ...args)).toMatchObject({ exitCode: code, stdout });
  });

  test("of a preview that failed is its errors, in the comment and in the log", async () => {
    const message = "computecloud:Pod resource 'a': gpu.id: is not a `GPU` type\n  did you mean @this\n";
    const failed = {
      steps: [],
      diagnostics: [
        { severity: "warning", message: "w" },
        { severity: "error", message },
      ],
    };
    // A preview that did not begin has written no event log; one that succeeded has, so its name is wrong.
    const events = ["--events", folder.at("events.json")];
    expect(await cost({ steps }, ...events)).toMatchObject(fails("events.json can't be read (ENOENT)"));
    const { stdout, stderr, exitCode } = await cost(failed, "--markdown", "--max", "5", ...events);
    expect(exitCode).toBe(2);
    expect(stdout).toBe(
      "### The preview failed\n\n- ``computecloud:Pod resource 'a': gpu.id: is not a `GPU` type``\n- `  did you mean @this`\n",
    );
    expect(stderr).toContain("did you mean @this");
  });

  const failure = { severity: "error", message: "gpu.id: is not a GPU type" };
  test.each<[string, unknown, string]>([
    ["text", "Previewing update (dev)", "standard input is not JSON"],
    ["another document", [1], "this is not a preview: give what `pulumi preview --json` prints"],
    ["a preview that failed", { steps: [], diagnostics: [failure] }, "the preview failed:\ngpu.id: is not a GPU type"],
  ])("can't be told from %s", async (_, document, said) => {
    expect(await cost(document, "--max", "5")).toMatchObject({ ...fails(said), stdout: "" });
  });
});

const folder = folderForAll();

test("the cost of all stacks counts what a stack only reads in the stack that has it alone", async () => {
  const volume = (external: boolean) => {
    const type = "computecloud:index:NetworkVolume";
    const outputs = { size: 100, dataCenter: "EU-RO-1", type: "HIGH_PERFORMANCE" };
    const resource = { urn: `urn:pulumi:x::shop::${type}::models`, type, id: "models", external, outputs };
    return JSON.stringify({ deployment: { resources: [resource] } });
  };
  const pulumi = `case "$*" in *ls*) echo '[{"name":"owner"},{"name":"reader"}]' ;; *owner*) echo '${volume(false)}' ;; *) echo '${volume(true)}' ;; esac`;
  const args = ["cost", "--all-stacks", "--price", "HIGH_PERFORMANCE=0.1", "--max", "10", "--json"];
  const env = await scriptedEngine(folder.path, pulumi);
  const [once, none] = [10, 0].map((usd) => ({ min: usd, max: usd }));
  const document = { stacks: [{ sum: once }, { sum: none }], sum: once, exceeded: [] };
  expect(documentOf(await commandOn(emulator, args, { env }))).toMatchObject(document);
});
