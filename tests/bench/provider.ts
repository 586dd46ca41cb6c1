/*
 * What this provider adds to the engine's own time: 100 resources of ours against 100 dynamic resources that do nothing,
 * in the same run on the same machine. Figures are seconds; what counts is the ratio.
 */
import { startEmulator } from "../emulator";
import { Control } from "../harness/control";
import { newStack, type Stack } from "../harness/stack";

const COUNT = 100;

const FLOOR = `
  const pulumi = require("@pulumi/pulumi");
  class Nothing extends pulumi.CustomResource {
    constructor(name) {
      super("pulumi-nodejs:dynamic/floor:Nothing", name, { __provider: \`exports.handler=()=>require("\${__dirname}/nothing.js")\` });
    }
  }
  for (let i = 0; i < ${COUNT}; i++) new Nothing("n" + i);
`;
const NOTHING = `
  exports.check = async (olds, news) => ({ inputs: news });
  exports.diff = async () => ({ changes: false });
  exports.create = async (inputs) => ({ id: "x", outs: inputs });
  exports.read = async (id, props) => ({ id, props, inputs: props });
  exports.delete = async () => {};
`;
const FLEET = `
  const { ServerlessEndpoint, Template } = require("pulumi-computecloud");
  for (let i = 0; i < ${COUNT / 2}; i++) {
    const template = new Template("t" + i, { image: "example.com/a:1", serverless: true });
    new ServerlessEndpoint("e" + i, { templateId: template.id, gpuIds: "ADA_24" });
  }
`;

const STEPS = ["preview", "up", "no-op up", "refresh", "destroy"] as const;
type Seconds = Record<(typeof STEPS)[number], number>;

async function measure(stack: Stack): Promise<Seconds> {
  const seconds = async (step: Promise<{ ms: number }>) => (await step).ms / 1000;
  return {
    preview: await seconds(stack.preview()),
    up: await seconds(stack.up()),
    "no-op up": await seconds(stack.up()),
    refresh: await seconds(stack.refresh()),
    destroy: await seconds(stack.destroy()),
  };
}

async function main(): Promise<void> {
  const emulator = await startEmulator({ settings: { rateLimitExempt: true } });
  try {
    await using floorStack = await newStack({ program: { files: { "index.js": FLOOR, "nothing.js": NOTHING } } });
    await using fleetStack = await newStack({ program: FLEET, emulator });
    const floor = await measure(floorStack);
    const fleet = await measure(fleetStack);
    const calls = await new Control(emulator).log();
    console.log(`${COUNT} resources      floor      ours     ratio`);
    for (const step of STEPS) {
      const [a, b] = [floor[step], fleet[step]];
      console.log(
        `${step.padEnd(16)}${a.toFixed(1).padStart(8)}${b.toFixed(1).padStart(10)}${(b / a).toFixed(2).padStart(10)}`,
      );
    }
    console.log(`${calls.length} API calls in all`);
  } finally {
    await emulator.stop();
  }
}

void main();
