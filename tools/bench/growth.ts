/*
 * What each further resource costs, beside as many idle ones: single resources, and one ServerlessFleet beside one idle resource
 * with a state of its size. Ends with a table in Markdown and a plot.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { scratch } from "../run/checkout";
import type { Program } from "../run/program";
import { newStack } from "../run/stack";
import { type Panel, plot } from "./chart";
import { type Comparison, compare } from "./compare";
import type { BenchOptions } from "./options";
import { dynamic, idle, native, type Shape } from "./programs";
import { newCloud, newSide } from "./provider";

const STEPS = ["up", "no-op", "refresh", "destroy"];
const PEAKS = { "engine's memory": "engine peak, MB", "provider's memory": "peak, MB" };
/** So many resources and more take minutes: they have one round. */
const ONE_ROUND = 600;
/**
 * The engine writes its state once, at the end of a command. After each change it would write all of it: three quarters of the CPU
 * time of 600 resources, and half an hour for 2,000, whoever provides them.
 */
const WRITTEN_ONCE = { PULUMI_SKIP_CHECKPOINTS: "true" };
/** CPU time: a growth run is long, and few machines do nothing else for so long. */
const TIME = "cpu";

/** By the number of resources. */
type Measured = (readonly [number, Comparison])[];

export async function growth(
  { rounds, sizes, members }: BenchOptions,
  report: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  const measured: Measured = [];
  for (const count of sizes) {
    const single = (name: string, subject: (shape: Shape) => Program) =>
      newSide(name, (changed) => subject({ count, changed }), { steps: STEPS, env: WRITTEN_ONCE });
    const sides = [single("idle", idle), single("dynamic", dynamic), single("native", native)] as const;
    const comparison = await compare(`${count} resources`, count < ONE_ROUND ? rounds : 1, sides);
    await report(comparison);
    measured.push([count, comparison]);
  }
  if (members > 0) {
    const state = await stateOf(members);
    const sides = [
      newSide("idle", () => nothing(state), { steps: STEPS }),
      newSide("fleet", () => fleet(members), { steps: STEPS }),
    ] as const;
    const comparison = await compare(`A fleet of ${members}, beside one idle resource`, 1, sides);
    await report(comparison);
    measured.push([members, comparison]);
  }
  console.log(`\n${tableOf(measured)}`);
  const file = join(scratch, "growth.svg");
  await writeFile(file, plot("as a multiple of as many idle resources", panelsOf(measured)));
  console.log(file);
}

const fleet = (count: number): Program => `
  const { ServerlessFleet, Template } = require("pulumi-computecloud");
  const template = new Template("shared", { image: "example.com/a:1", serverless: true });
  new ServerlessFleet("models", {
    defaults: { template, gpuIds: "ADA_24", workersMax: 1 },
    endpoints: Object.fromEntries(Array.from({ length: ${count} }, (_, index) => ["e" + index, {}])),
  });`;

interface State {
  readonly inputs: object;
  readonly outputs: object;
}

/** Of a fleet. */
async function stateOf(count: number): Promise<State> {
  await using cloud = await newCloud();
  await using stack = await newStack({ program: fleet(count), emulator: cloud.emulator });
  await stack.up();
  const { inputs, outputs } = await stack.resource("models");
  const withoutProvider = ({ __provider: _, ...rest }: Readonly<Record<string, unknown>>) => rest;
  return { inputs: withoutProvider({ ...inputs }), outputs: withoutProvider({ ...outputs }) };
}

/** One resource with this state. */
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

/** The baseline's own figures, and what the sides have of them. */
function tableOf(measured: Measured): string {
  const lines = [
    `| resources | | ${STEPS.join(" | ")} | calls | ${Object.keys(PEAKS).join(" | ")} | state |`,
    "|---|---|---|---|---|---|---|---|---|---|",
  ];
  for (const [count, { rows }] of measured) {
    for (const name of ["idle", ...new Set(rows.map(({ side }) => side))]) {
      const isIdle = name === "idle";
      const all = rows.filter(({ side }) => isIdle || side === name);
      const of = (measure: string) => all.filter((row) => row.measure === measure);
      const figureOf = (row: { baseline: number; own: number }) => (isIdle ? row.baseline : row.own);
      const times = STEPS.map((step) => of(TIME).find(({ operation }) => operation === step)).map(
        (row) => row && (isIdle ? `${row.baseline.toFixed(1)} s` : row.ratio.median.toFixed(2)),
      );
      const calls = isIdle ? "" : of("calls").map(figureOf).join(", ");
      const peaks = Object.values(PEAKS).map((peak) => `${Math.max(...of(peak).map(figureOf)).toFixed(0)} MB`);
      const state = `${Math.round(Math.max(...of("state").map(figureOf)) / 1000)} KB`;
      lines.push(`| ${[isIdle ? count : "", name, ...times, calls, ...peaks, state].join(" | ")} |`);
    }
  }
  return lines.join("\n");
}

function panelsOf(measured: Measured): Panel[] {
  const panel = (title: string, ratios: (comparison: Comparison, side: string) => readonly number[]): Panel => ({
    title,
    lines: ["dynamic", "native", "fleet"].map((name) => ({
      name,
      points: measured.flatMap(([x, comparison]) => {
        const values = ratios(comparison, name);
        return values.length === 0 ? [] : [{ x, y: Math.max(...values) }];
      }),
    })),
  });
  return [
    ...STEPS.map((step) =>
      panel(step, ({ rows }, name) =>
        rows
          .filter(({ side, operation, measure }) => side === name && operation === step && measure === TIME)
          .map(({ ratio }) => ratio.median),
      ),
    ),
    ...Object.entries(PEAKS).map(([title, peak]) =>
      panel(title, ({ rows }, name) => {
        const all = rows.filter(({ side, measure }) => side === name && measure === peak);
        const most = (of: "own" | "baseline") => Math.max(...all.map((row) => row[of]));
        return all.length === 0 ? [] : [most("own") / most("baseline")];
      }),
    ),
  ];
}
