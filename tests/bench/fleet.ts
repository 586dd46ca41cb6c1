/*
 * A ServerlessFleet against what else could hold as many endpoints: resources of their own, and against one resource that
 * does nothing and has a state of the fleet's size. In one run on one machine; figures are seconds, medians of the rounds.
 *
 *   node -r ts-node/register/transpile-only tests/bench/fleet.ts [members] [singles] [rounds]
 */
import { startEmulator } from "../emulator";
import { Control } from "../harness/control";
import type { Program } from "../harness/program";
import { newStack, type Stack } from "../harness/stack";

const [MEMBERS = 1_000, SINGLES = 400, ROUNDS = 3] = process.argv.slice(2).map(Number);
const STEPS = ["up", "no-op up", "refresh", "destroy"] as const;
type Step = (typeof STEPS)[number];
type Seconds = Readonly<Record<Step, number>>;

const SHARED = `
  const { ServerlessEndpoint, ServerlessFleet, Template } = require("pulumi-computecloud");
  const template = new Template("shared", { image: "example.com/a:1", serverless: true });
  const each = (count, make) => Array.from({ length: count }, (_, index) => make("e" + index, index));
`;
const fleet = (bad?: number) => `${SHARED}
  new ServerlessFleet("models", {
    defaults: { template, gpuIds: "ADA_24", workersMax: 1 },
    endpoints: Object.fromEntries(each(${MEMBERS}, (name, index) => [name, index === ${bad ?? -1} ? { workersMax: 1e6 } : {}])),
  });`;
const singles = `${SHARED}
  each(${SINGLES}, (name) => new ServerlessEndpoint(name, { template, gpuIds: "ADA_24", workersMax: 1 }));`;

/** One resource of the fleet's arguments and outputs whose provider does nothing with them. */
const nothing = (inputs: unknown, outputs: unknown): Program => ({
  files: {
    "index.js": `
      const pulumi = require("@pulumi/pulumi");
      class Nothing extends pulumi.CustomResource {
        constructor(name, args) {
          super("pulumi-nodejs:dynamic/floor:Nothing", name, {
            ...args, __provider: \`exports.handler=()=>require("\${__dirname}/nothing.js")\`,
          });
        }
      }
      new Nothing("n", ${JSON.stringify(inputs)});`,
    "nothing.js": `
      const outs = ${JSON.stringify(outputs)};
      exports.check = async (olds, news) => ({ inputs: news });
      exports.diff = async () => ({ changes: false });
      exports.create = async () => ({ id: "x", outs });
      exports.read = async (id, props) => ({ id, props, inputs: props });
      exports.delete = async () => {};`,
  },
});

const emulated = async () => {
  const settings = { rateLimitExempt: true, workerQuota: 1_000_000 };
  const emulator = await startEmulator({ settings });
  return { emulator, service: new Control(emulator), [Symbol.asyncDispose]: () => emulator.stop() };
};
const seconds = async (step: Promise<{ ms: number }>) => (await step).ms / 1_000;
const count = (calls: readonly string[], operation: string) => calls.filter((call) => call === operation).length;

async function measure(stack: Stack): Promise<Seconds> {
  return {
    up: await seconds(stack.up()),
    "no-op up": await seconds(stack.up()),
    refresh: await seconds(stack.refresh()),
    destroy: await seconds(stack.destroy()),
  };
}

/** The calls that each step makes, and what a failure leaves: not a matter of time, and told once. */
async function counts(): Promise<{ inputs: unknown; outputs: unknown }> {
  await using cloud = await emulated();
  const { emulator, service } = cloud;
  await using stack = await newStack({ program: fleet(Math.floor(MEMBERS / 2)), emulator });
  await stack.up({ fails: true });
  const saves = count(await service.calls(), "saveEndpoint");
  const recorded = Object.keys(((await stack.resource("models")).outputs?.ids ?? {}) as object).length;
  await stack.edit(fleet());
  await service.forgetCalls();
  await stack.up();
  const mended = count(await service.calls(), "saveEndpoint");
  await service.forgetCalls();
  await stack.refresh();
  const reads = await service.calls();
  const { inputs, outputs } = await stack.resource("models");
  console.log(
    `${MEMBERS} members: ${saves} calls save them (at most ${1 + MEMBERS / 20}), ${reads.length} read them (at most 12)`,
  );
  console.log(
    `number ${Math.floor(MEMBERS / 2)} fails: ${recorded} are recorded, and the next up makes ${mended} save`,
  );
  console.log(`state: ${Math.round((await stack.stateText()).length / 1_024)} KB`);
  const own = ({ __provider: _, ...rest }: Record<string, unknown>) => rest;
  return { inputs: own({ ...inputs }), outputs: own({ ...outputs }) };
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function main(): Promise<void> {
  const { inputs, outputs } = await counts();
  const sides: Record<string, { program: Program; rounds: Seconds[] }> = {
    floor: { program: nothing(inputs, outputs), rounds: [] },
    fleet: { program: fleet(), rounds: [] },
    singles: { program: singles, rounds: [] },
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of Object.values(sides)) {
      await using cloud = await emulated();
      await using stack = await newStack({ program: side.program, emulator: cloud.emulator });
      side.rounds.push(await measure(stack));
    }
  }
  const of = (side: string, step: Step) => median(sides[side]?.rounds.map((round) => round[step]) ?? []);
  const column = (value: number | string) => String(typeof value === "number" ? value.toFixed(2) : value).padStart(12);
  console.log(
    [
      "".padEnd(10),
      ...["floor", `fleet ${MEMBERS}`, `single ${SINGLES}`, "fleet/floor", `of ${MEMBERS} singles`].map(column),
    ].join(""),
  );
  for (const step of STEPS) {
    const [floor, one, many] = [of("floor", step), of("fleet", step), of("singles", step)];
    // Single resources cost more than in proportion, for the engine rewrites the whole state at each: this is too kind to them.
    const asMany = (many * MEMBERS) / SINGLES;
    console.log([step.padEnd(10), ...[floor, one, many, one / floor, one / asMany].map(column)].join(""));
  }
  const spread = STEPS.map((step) => {
    const all = sides.fleet?.rounds.map((round) => round[step]) ?? [];
    return `${step} ${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)}`;
  });
  console.log(`the fleet's rounds: ${spread.join(", ")}`);
}

void main();
