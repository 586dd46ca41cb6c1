/*
 * A ServerlessFleet beside one resource that does nothing and has a state of the fleet's size, and beside as many single
 * endpoints: `npm run bench -- fleet --counts 1000`. What it calls and what a failure leaves are counted once.
 */
import { startEmulator } from "../../emulator";
import { Control } from "../run/control";
import type { Program } from "../run/program";
import { newStack } from "../run/stack";
import type { Update } from "../run/update";
import { type Comparison, compare, type Figures, type Side, type Targets } from "./compare";
import { newMeter } from "./meter";
import type { BenchOptions } from "./options";

/** `up` of singles has to take ten times as long as that of a fleet: it is the fleet that is held to the floor. */
const TARGETS: Targets = { fleet: { up: 1.5 } };

/** Above this number single endpoints take minutes; they are measured with fewer, and so come off too well. */
const MOST_SINGLES = 400;

const SHARED = `
  const { ServerlessEndpoint, ServerlessFleet, Template } = require("pulumi-computecloud");
  const template = new Template("shared", { image: "example.com/a:1", serverless: true });`;

const members = (count: number, bad = -1): Program => `${SHARED}
  const each = (index) => ["e" + index, index === ${bad} ? { workersMax: 1e6 } : {}];
  new ServerlessFleet("models", {
    defaults: { template, gpuIds: "ADA_24", workersMax: 1 },
    endpoints: Object.fromEntries(Array.from({ length: ${count} }, (_, index) => each(index))),
  });`;

const singles = (count: number): Program => `${SHARED}
  for (let i = 0; i < ${count}; i++) new ServerlessEndpoint("e" + i, { template, gpuIds: "ADA_24", workersMax: 1 });`;

/** One resource of the fleet's arguments and outputs. */
const nothing = ({ inputs, outputs }: State): Program => ({
  files: {
    "nothing.js": `
      const outs = ${JSON.stringify(outputs)};
      exports.handler = () => ({
        check: async (olds, news) => ({ inputs: news }),
        diff: async () => ({ changes: false }),
        create: async () => ({ id: "x", outs }),
        read: async (id, props) => ({ id, props, inputs: props }),
        delete: async () => {},
      });`,
    "index.js": `
      const pulumi = require("@pulumi/pulumi");
      class Nothing extends pulumi.CustomResource {
        constructor(name, inputs) {
          const __provider = \`exports.handler=()=>require("\${__dirname}/nothing.js").handler()\`;
          super("pulumi-nodejs:dynamic/floor:Nothing", name, { ...inputs, __provider });
        }
      }
      new Nothing("n", ${JSON.stringify(inputs)});`,
  },
});

interface State {
  readonly inputs: object;
  readonly outputs: object;
}

/** A fleet beside a larger one: `npm run bench -- growth --counts 1000,10000 --rounds 1`. */
export async function growth(
  { rounds, counts: [small = 1_000, ...larger] }: BenchOptions,
  report: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  const sides = larger.map((count) => side(String(count), members(count)));
  await report(
    await compare(`A fleet beside one of ${small}`, rounds, [side(String(small), members(small)), ...sides]),
  );
}

export async function fleet(
  { rounds, counts }: BenchOptions,
  report: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  for (const count of counts) {
    const state = await counted(count);
    const few = Math.min(count, MOST_SINGLES);
    const sides = [
      side("floor", nothing(state)),
      side("fleet", members(count)),
      side(`${few} single`, singles(few)),
    ] as const;
    await report(await compare(`A fleet of ${count}`, rounds, sides, TARGETS));
  }
}

function side(name: string, program: Program): Side {
  return {
    name,
    async round() {
      await using meter = await newMeter();
      await using cloud = await newCloud();
      await using stack = await newStack({ program, emulator: cloud.emulator, env: meter.env });
      const measured = async (step: () => Promise<Update>): Promise<Figures> => {
        await cloud.service.forgetCalls();
        await meter.read();
        const { ms } = await step();
        return { wall: ms / 1_000, ...(await meter.read()), calls: (await cloud.service.calls()).length };
      };
      const up = await measured(() => stack.up());
      const state = Buffer.byteLength(await stack.stateText());
      const noOp = await measured(() => stack.up());
      const refresh = await measured(() => stack.refresh());
      const destroy = await measured(() => stack.destroy());
      return { up: { ...up, state }, "no-op": noOp, refresh, destroy };
    },
  };
}

/** The calls of each step, and what is left where the member in the middle fails. */
async function counted(count: number): Promise<State> {
  await using cloud = await newCloud();
  const { emulator, service } = cloud;
  const middle = Math.floor(count / 2);
  await using stack = await newStack({ program: members(count, middle), emulator });
  const saves = async () => (await service.calls()).filter((call) => call === "saveEndpoint").length;
  await stack.up({ fails: true });
  const first = await saves();
  const { ids = {} } = { ...(await stack.resource("models")).outputs };
  await stack.edit(members(count));
  await service.forgetCalls();
  await stack.up();
  const second = await saves();
  await service.forgetCalls();
  await stack.refresh();
  const reads = await service.calls();
  console.log(`\n${count} members: ${first} calls save them (at most ${1 + count / 20}), ${reads.length} read them`);
  console.log(
    `Where number ${middle} fails ${Object.keys({ ...(ids as object) }).length} are recorded; the next up saves ${second}`,
  );
  const { inputs, outputs } = await stack.resource("models");
  const own = ({ __provider: _, ...rest }: Readonly<Record<string, unknown>>) => rest;
  return { inputs: own({ ...inputs }), outputs: own({ ...outputs }) };
}

async function newCloud() {
  const settings = { rateLimitExempt: true, workerQuota: 1_000_000 - 1, requestLogSize: 20_000 };
  const emulator = await startEmulator({ settings });
  return { emulator, service: new Control(emulator), [Symbol.asyncDispose]: () => emulator.stop() };
}
