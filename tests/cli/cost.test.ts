/* What `cost` says of a preview: every kind, every change, what is unknown, and the limits. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { bin } from "../../package.json";
import { type Emulator, startEmulator } from "../emulator";
import { checkout } from "../harness/checkout";
import { run } from "../harness/process";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const RTX = "NVIDIA GeForce RTX 4090";
const dynamic = (kind: string) => `pulumi-nodejs:dynamic/computecloud:${kind}`;

interface State {
  inputs: object;
  outputs?: object;
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

const made = (type: string, name: string, inputs: object) => step("create", type, name, { next: { inputs } });

const steps = [
  step("same", "pulumi:pulumi:Stack", "shop-dev", { old: { inputs: {} }, next: { inputs: {} } }),
  made(dynamic("Pod"), "trainer", { gpu: { id: RTX, count: 2 }, disk: 50, cloud: "SECURE", env: { A: "[secret]" } }),
  // New to the stack.
  step("import", dynamic("Pod"), "bastion", { next: { inputs: { cpu: { id: "cpu5c", vcpuCount: 2 } } } }),
  made(dynamic("Pod"), "asleep", {
    gpu: { id: RTX },
    mounts: { persistent: { size: 100, path: "/data" } },
    desiredStatus: "EXITED",
  }),
  // The native type of the same kind.
  made("computecloud:index:Cluster", "team|a", {
    compute: { gpuTypeId: RTX, gpuCountPerPod: 8, podCount: 2 },
    mounts: { network: [{ volumeId: UNKNOWN, path: "/models" }] },
  }),
  made(dynamic("Pod"), "sized", { gpu: { id: RTX, count: UNKNOWN } }),
  made(dynamic("NetworkVolume"), "fast", { size: 100, dataCenter: "EU-RO-1", type: "HIGH_PERFORMANCE" }),
  made(dynamic("ServerlessFleet"), "models", {
    defaults: { gpuIds: "AMPERE_16", workersMax: 2 },
    endpoints: { chat: { workersMin: 1 }, embed: { gpuIds: "AMPERE_24" } },
  }),
  made(dynamic("Template"), "chat", { image: "a/b:1" }),
  made(dynamic("Registry"), "images", {}),
  made(dynamic("EcrDelegation"), "images", {}),
  made(dynamic("SshKeys"), "keys", {}),
  made(dynamic("SmokeJob"), "answers", {}),
  made("aws:s3/bucket:Bucket", "bucket", {}),
  step("update", dynamic("ServerlessEndpoint"), "chat", {
    old: { inputs: { gpuIds: "AMPERE_24,ADA_24", gpuCount: 1, workersMin: 0, workersMax: 3 } },
    next: { inputs: { gpuIds: "AMPERE_24,ADA_24", gpuCount: 1, workersMin: 1, workersMax: 3 } },
  }),
  step("update", dynamic("ServerlessContainer"), "embed", {
    old: { inputs: { cpu: [{ id: "cpu5c", vcpuCount: 4 }], workers: { min: 0, max: 4 } } },
    next: { inputs: { cpu: [{ id: "cpu5c", vcpuCount: 4 }], workers: { min: 0, max: 2 } } },
  }),
  // What the service chose stays what it is.
  step("update", dynamic("NetworkVolume"), "models", {
    old: { inputs: { size: 500, dataCenter: "EU-RO-1" }, outputs: { size: 500, type: "STANDARD" } },
    next: { inputs: { size: 2000, dataCenter: "EU-RO-1" } },
  }),
  step("replace", dynamic("Pod"), "notebook", {
    old: { inputs: { gpu: { id: RTX, count: 1 } }, outputs: { disk: 50 } },
    next: { inputs: { gpu: { id: RTX, count: 2 } } },
  }),
  step("delete", dynamic("Pod"), "old", { old: { inputs: { gpu: { id: RTX, count: 1 }, cloud: "COMMUNITY" } } }),
];

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.stop());

async function cost(document: unknown, ...args: string[]) {
  const { stdout, stderr, exitCode } = await run(
    process.execPath,
    [join(checkout, bin["pulumi-computecloud"]), "cost", ...args],
    {
      input: typeof document === "string" ? document : JSON.stringify(document),
      env: {
        PATH: process.env.PATH,
        COMPUTECLOUD_API_KEY: emulator.apiKey,
        COMPUTECLOUD_BASE_URL: emulator.baseUrl,
        COMPUTECLOUD_SERVERLESS_URL: emulator.serverlessUrl,
        COMPUTECLOUD_GRAPHQL_URL: emulator.graphqlUrl,
      },
    },
  );
  return { stdout, stderr, exitCode };
}

describe("the cost of a preview", () => {
  test("names every resource that has a price, before and after", async () => {
    const { stdout, exitCode } = await cost({ steps, changeSummary: { same: 4 } });
    expect(exitCode).toBe(0);
    expect(
      stdout,
    ).toBe(`    resource                                   before                    after                    change
+   team|a (Cluster)                                                 $5,139.20                +$5,139.20
+   fast (NetworkVolume)                                               unknown                   unknown
+   asleep (Pod)                                                        $20.00                   +$20.00
+   bastion (Pod)                                                       $51.10                   +$51.10
+   sized (Pod)                                                        unknown                   unknown
+   trainer (Pod)                                                      $647.40                  +$647.40
+   models (ServerlessFleet)                              $420.48 to $1,839.60    +$420.48 to +$1,839.60
~   models (NetworkVolume)                     $35.00                  $120.00                   +$85.00
~   embed (ServerlessContainer)      $0.00 to $513.92         $0.00 to $256.96         $0.00 to -$256.96
~   chat (ServerlessEndpoint)      $0.00 to $1,497.96     $499.32 to $1,497.96         +$499.32 to $0.00
+-  notebook (Pod)                            $326.20                  $642.40                  +$316.20
-   old (Pod)                                 $226.30                                           -$226.30
    sum                          $587.50 to $2,599.38  $7,539.90 to $10,214.62  +$6,952.40 to +$7,615.24

Serverless: from what its always-on workers cost to what all its workers would, busy the whole month.
fast: price unknown, not in the sum. type: can't be estimated: the service publishes the price of STANDARD only.
sized: price unknown, not in the sum. gpu: not known before the update.
Without 3 unchanged resources: pulumi preview --json --show-sames lists them.
Estimated with the catalog's prices of today and 730 hours a month.
`);
  });

  test("is a comment for a pull request", async () => {
    const { stdout } = await cost({ steps, changeSummary: { same: 1 } }, "--markdown");
    expect(stdout).toBe(`### Cost a month: $587.50 to $2,599.38 → $7,539.90 to $10,214.62 (+$6,952.40 to +$7,615.24)

|  | resource | before | after | change |
|---|---|---:|---:|---:|
| + | team\\|a (Cluster) |  | $5,139.20 | +$5,139.20 |
| + | fast (NetworkVolume) |  | unknown | unknown |
| + | asleep (Pod) |  | $20.00 | +$20.00 |
| + | bastion (Pod) |  | $51.10 | +$51.10 |
| + | sized (Pod) |  | unknown | unknown |
| + | trainer (Pod) |  | $647.40 | +$647.40 |
| + | models (ServerlessFleet) |  | $420.48 to $1,839.60 | +$420.48 to +$1,839.60 |
| ~ | models (NetworkVolume) | $35.00 | $120.00 | +$85.00 |
| ~ | embed (ServerlessContainer) | $0.00 to $513.92 | $0.00 to $256.96 | $0.00 to -$256.96 |
| ~ | chat (ServerlessEndpoint) | $0.00 to $1,497.96 | $499.32 to $1,497.96 | +$499.32 to $0.00 |
| +- | notebook (Pod) | $326.20 | $642.40 | +$316.20 |
| - | old (Pod) | $226.30 |  | -$226.30 |
|  | sum | $587.50 to $2,599.38 | $7,539.90 to $10,214.62 | +$6,952.40 to +$7,615.24 |

- Serverless: from what its always-on workers cost to what all its workers would, busy the whole month.
- fast: price unknown, not in the sum. type: can't be estimated: the service publishes the price of STANDARD only.
- sized: price unknown, not in the sum. gpu: not known before the update.
- Estimated with the catalog's prices of today and 730 hours a month.
`);
  });

  test("is a document for programs", async () => {
    const { stdout } = await cost({ steps: steps.slice(-2), changeSummary: { same: 1 } }, "--json");
    const both = (amount: number) => ({ min: amount, max: amount });
    const pod = (name: string) => ({ urn: `urn:pulumi:dev::shop::${dynamic("Pod")}::${name}`, name, kind: "Pod" });
    expect(JSON.parse(stdout)).toEqual({
      currency: "USD",
      resources: [
        { ...pod("notebook"), change: "replace", before: both(326.2), after: both(642.4) },
        { ...pod("old"), change: "delete", before: both(226.3) },
      ],
      sum: { before: both(552.5), after: both(642.4) },
      unknown: 0,
      unlisted: 1,
      exceeded: [],
    });
  });

  test("of nothing is nothing", async () => {
    const { stdout } = await cost({ changeSummary: { same: 3 } }, "--markdown");
    expect(stdout).toContain("### Cost a month: $0.00 → $0.00 ($0.00)\n\nNo resource of this change has a price.");
  });

  test.each<[string[], object[], number, RegExp]>([
    [["--max", "642.40"], steps.slice(-2), 0, /sum/],
    [["--max", "642.39"], steps.slice(-2), 1, /Too much: \$642\.40 a month is above --max \$642\.39/],
    // Endpoints count with their always-on workers, unless the maximum is limited as well.
    [["--max", "500"], steps.slice(14, 15), 0, /chat/],
    [["--max-possible", "500", "--markdown"], steps.slice(14, 15), 1, /\*\*Too much:\*\* \$1,497\.96 a month is above/],
    [["--max", "99999"], steps, 1, /a price is not known, so that the limit can't be judged/],
    [["--max", "99999", "--allow-unknown"], steps, 0, /price unknown/],
  ])("has its limits: %j", async (args, limited, code, said) => {
    const { stdout, exitCode } = await cost({ steps: limited }, ...args);
    expect(stdout).toMatch(said);
    expect(exitCode).toBe(code);
  });

  test.each<[string, unknown, RegExp]>([
    ["text", "Previewing update (dev)", /standard input is no JSON/],
    ["another document", [1], /this is no preview: give what `pulumi preview --json` prints/],
    [
      "a preview that failed",
      { steps: [], diagnostics: [{ severity: "error", message: "gpu.id: is no GPU type" }] },
      /the preview failed:\ngpu\.id: is no GPU type/,
    ],
  ])("can't be told from %s", async (_, document, said) => {
    const { stderr, stdout, exitCode } = await cost(document, "--max", "5");
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(said);
  });
});
