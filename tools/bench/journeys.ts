/*
 * The package's own functions and files that a journey enters, and its calls, by V8's precise coverage: how much code somebody
 * reads who follows it. Each journey is made twice and counted the second time: the first one also loads modules.
 */
import { mkdtemp, rm } from "node:fs/promises";
import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../dist/client";
import { type Emulator, startEmulator } from "../../emulator";
import { Control } from "../run/control";
import { type Comparison, compare, type Figures, type Side } from "./compare";
import type { BenchOptions } from "./options";

/** What stands. A test holds the journeys within 3 % of it, so that whoever makes one longer or shorter changes it here. */
const RECORDED: Readonly<Record<string, Figures>> = {
  check: { functions: 125, files: 37, calls: 519 },
  create: { functions: 228, files: 52, calls: 565 },
  update: { functions: 258, files: 58, calls: 1_052 },
  GET: { functions: 90, files: 22, calls: 123 },
  "GET, one 429": { functions: 118, files: 24, calls: 226 },
  "batch input": { functions: 183, files: 30, calls: 447 },
};
const ECHO: Parameters<ReturnType<typeof createClient>["serverless"]["create"]>[0] = {
  name: "echo",
  type: "QUEUE",
  image: "emulator/echo:1",
  gpu: { pools: ["ADA_24"] },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
};
/** Without graphql-request and zod, which the build writes beside our files. */
const OWN = /\/dist\/(client(?!\/graphql\/library)|common(?!\/zod)|provider|sdk)\//;

/** Does one thing, of which it has the part counted that matters. */
type Journey = (count: <T>(part: () => Promise<T>) => Promise<T>) => Promise<unknown>;

export async function journeys(_: BenchOptions, report: (comparison: Comparison) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "computecloud-bench-"));
  const emulator = await startEmulator({ settings: { rateLimitExempt: true } });
  const client = createClient(emulator);
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    const all = { ...(await savedEndpoint(emulator, home)), ...clientCalls(emulator, client, home) };
    const entered: Side = {
      name: "entered",
      async round() {
        const figures: Record<string, Figures> = {};
        for (const [name, journey] of Object.entries(all)) {
          await journey((part) => part());
          await journey(async (part) => {
            await session.post("Profiler.takePreciseCoverage");
            const result = await part();
            figures[name] = entriesOf((await session.post("Profiler.takePreciseCoverage")).result);
            return result;
          });
        }
        return figures;
      },
    };
    const recorded: Side = { name: "recorded", round: async () => RECORDED };
    await report(await compare("functions and files entered, beside what is recorded", 1, [recorded, entered]));
  } finally {
    session.disconnect();
    await client.close();
    await emulator.stop();
    await rm(home, { recursive: true });
  }
}

function entriesOf(scripts: readonly Profiler.ScriptCoverage[]): Figures {
  const entered = scripts.flatMap(({ url, functions }) =>
    functions.flatMap(({ ranges: [range] }) => {
      // What begins with its file is the module itself.
      const isEntered = range !== undefined && range.count > 0 && range.startOffset > 0;
      return isEntered && OWN.test(url) ? [{ url, calls: range.count }] : [];
    }),
  );
  return {
    functions: entered.length,
    files: new Set(entered.map(({ url }) => url)).size,
    calls: entered.reduce((sum, { calls }) => sum + calls, 0),
  };
}

function clientCalls(
  emulator: Emulator,
  client: ReturnType<typeof createClient>,
  home: string,
): Record<string, Journey> {
  const control = new Control(emulator);
  let batches = 0;
  let endpointId: string | undefined;
  return {
    GET: (count) => count(() => client.pods.list()),
    async "GET, one 429"(count) {
      await control.fault({ match: { path: "/v2/pods" }, act: { status: 429, headers: { "retry-after": "1" } } });
      await count(() => client.pods.list());
    },
    async "batch input"(count) {
      endpointId ??= (await client.serverless.create(ECHO)).id;
      const queue = client.queue(endpointId);
      const journal = join(home, `${++batches}.journal`);
      await count(async () => {
        for await (const { error } of queue.runMany([{ n: batches }], { journal })) if (error) throw error;
      });
    },
  };
}

/** As the engine has an endpoint made and changed. */
async function savedEndpoint(emulator: Emulator, home: string): Promise<Record<string, Journey>> {
  process.env.PULUMI_HOME = home;
  const { serverlessEndpoint: kind, template } = require("../../dist/provider") as typeof import("../../dist/provider");
  const get = (key: string): string | undefined =>
    Object.entries(emulator).find(([name]) => key.endsWith(`:${name}`))?.[1];
  for (const each of [kind, template]) await each.configure?.({ config: { get, require: (key) => get(key) ?? "" } });
  const complete = async (of: typeof kind, declared: Readonly<Record<string, unknown>>) => {
    const { inputs = {}, failures = [] } = (await of.check?.({}, declared)) ?? {};
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    return inputs;
  };
  const { id: templateId } = await template.create(
    await complete(template, { name: "worker", image: "repo/worker:1", serverless: true }),
  );
  let name = 0;
  const inputsOf = (workersMax: number) =>
    complete(kind, { name: `journey-${name}`, templateId, gpuIds: "ADA_24", workersMax });
  let endpoint = { id: "", state: {} };
  let workersMax = 1;
  return {
    check: (count) => count(() => inputsOf(workersMax)),
    async create(count) {
      name += 1;
      const inputs = await inputsOf(workersMax);
      const { id, outs = {} } = await count(() => kind.create(inputs));
      endpoint = { id, state: outs };
    },
    async update(count) {
      workersMax += 1;
      const inputs = await inputsOf(workersMax);
      const { outs = {} } = (await count(async () => kind.update?.(endpoint.id, endpoint.state, inputs))) ?? {};
      endpoint = { id: endpoint.id, state: outs };
    },
  };
}
