/*
 * A long life of many gated endpoints in waves: `npm run tool tests/chaos/waves.ts -- [--members 100] [--runs 12] [--seed N]`. Images
 * fail, calls break, engine and provider are killed, changes pause, go back, or have targets. After each run every member
 * serves what it served before or what the program declares; at the end a calm `up` brings all of them there.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { startEmulator } from "../../emulator";
import { Control } from "../../tools/run/control";
import { newStack, type Stack } from "../../tools/run/stack";
import { type Run, runEngine } from "./engineRun";
import { NO_TROUBLE, type Trouble } from "./faults";
import { startHostileProxy } from "./hostileProxy";

const BAD = "emulator/fail:1";
const SHARES = [0.01, 0.1, 0.5, 1];

interface Step {
  /** Declares the version before this one, as somebody does who goes back. */
  readonly isBack: boolean;
  /** Members whose image fails, as shares of the fleet. */
  readonly bad: readonly number[];
  readonly pauseAfter: number;
  /** Members that `--target` names, as shares of the fleet; empty: all. */
  readonly targets: readonly number[];
  readonly continues: boolean;
  readonly trouble: Trouble;
}

const share = fc.integer({ min: 0, max: 999 }).map((thousandths) => thousandths / 1000);
const often = <T>(value: T, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, { weight: 1, arbitrary });
const at = fc.record({ of: fc.constant("writes" as const), nth: fc.integer({ min: 1, max: 400 }) });
const step: fc.Arbitrary<Step> = fc.record({
  isBack: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  bad: fc.oneof(fc.constant([]), fc.array(share, { minLength: 1, maxLength: 3 })),
  pauseAfter: often(SHARES.length, fc.integer({ min: 0, max: SHARES.length - 1 })),
  targets: often<number[]>([], fc.array(share, { minLength: 1, maxLength: 3 })),
  continues: often(false, fc.constant(true)),
  trouble: fc.record({
    faults: fc.array(
      fc.record({
        at,
        fate: fc.constantFrom(
          { kind: "drop", work: "done" },
          { kind: "drop", work: "none" },
          { kind: "fails", status: 503 },
        ),
        lasts: fc.constant(false),
      }),
      { maxLength: 3 },
    ),
    kill: often<Trouble["kill"]>(
      undefined,
      fc.record({ victim: fc.constantFrom("engine" as const, "provider" as const), at }),
    ),
  }),
});

/** What a member runs: an image, and a setting that belongs to it. */
type Settings = `${string} of ${number}`;
type Fleet = ReadonlyMap<string, Settings>;

function program(declared: Fleet, pauseAfter: number): string {
  return `
    const { GatedEndpoint, Waves } = require("pulumi-computecloud");
    const declared = ${JSON.stringify(Object.fromEntries(declared))};
    new Waves("fleet", {
      members: Object.keys(declared),
      pauseAfter: ${pauseAfter},
      make: (name, options) => {
        const [image, VERSION] = declared[name].split(" of ");
        return new GatedEndpoint(name, {
          image, env: { VERSION }, gpu: { pools: ["AMPERE_16"] }, scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
          gate: { input: { text: "ping" }, timeout: "2m" },
        }, options);
      },
    });
  `;
}

/** What every member's endpoint is set to, by the ids in the state. */
async function served(stack: Stack, service: Control): Promise<Map<string, string>> {
  const endpoints = new Map((await service.state()).endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const entries = (await stack.resources()).flatMap(({ type, urn, id = "" }): [string, string][] => {
    const name = urn.split("::").at(-1) ?? "";
    if (!/ServerlessContainer$/.test(type) || name.endsWith("-candidate")) return [];
    const endpoint = endpoints.get(id);
    return [[name, `${endpoint?.image} of ${Object(endpoint?.env).VERSION}`]];
  });
  return new Map(entries);
}

interface Judged {
  readonly step: Step;
  readonly run: Run;
  readonly names: readonly string[];
  readonly declared: Fleet;
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

/** What went against a promise. */
function broken({ step, run, names, declared, before, after }: Judged): string[] {
  const at = (name: string) => `${name}: ${before.get(name)} -> ${after.get(name)}, declared ${declared.get(name)}`;
  const isNew = (name: string) => after.get(name) === declared.get(name);
  const between = names.filter((name) => !isNew(name) && after.get(name) !== before.get(name));
  const ungated = names.filter((name) => after.get(name)?.startsWith(BAD));
  const ends = SHARES.map((share) => Math.ceil(share * names.length));
  const waveOf = (name: string) => ends.findIndex((end) => names.indexOf(name) < end);
  const changed = names.filter((name) => after.get(name) !== before.get(name));
  const last = Math.max(-1, ...changed.map(waveOf));
  const isWhole = step.targets.length === 0;
  const overtaken = isWhole ? names.filter((name) => waveOf(name) < last && !isNew(name)) : [];
  // A component is done when its outputs are known, and what was replaced is deleted at the end.
  const begun = run.done
    .filter(({ op, urn }) => op !== "same" && !op.startsWith("delete") && urn.includes("dynamic/"))
    .map(({ urn }) =>
      waveOf(
        urn
          .split("::")
          .at(-1)
          ?.replace(/-(candidate|gate)$/, "") ?? "",
      ),
    );
  const mixed = begun.filter((wave, index) => wave < Math.max(-1, ...begun.slice(0, index)));
  const reached = names.filter((name) => isWhole && waveOf(name) < step.pauseAfter);
  const undone = run.exitCode === 0 ? reached.filter((name) => !isNew(name)) : [];
  const unpaused = changed.filter((name) => waveOf(name) >= step.pauseAfter);
  return [
    ...between.map((name) => `neither old nor new: ${at(name)}`),
    ...ungated.map((name) => `around the gate: ${at(name)}`),
    ...overtaken.map((name) => `a later wave has changed: ${at(name)}`),
    ...(mixed.length > 0 ? [`${mixed.length} steps came after those of a later wave`] : []),
    ...undone.map((name) => `the run went well without it: ${at(name)}`),
    ...unpaused.map((name) => `changed after the pause: ${at(name)}`),
  ];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      members: { type: "string", default: "100" },
      runs: { type: "string", default: "12" },
      seed: { type: "string", default: String(randomInt(1_000_000)) },
    },
  });
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const names = Array.from({ length: Number(values.members) }, (_, index) => `m${String(index + 1).padStart(4, "0")}`);
  const pick = (shares: readonly number[]) => shares.flatMap((share) => names[Math.floor(share * names.length)] ?? []);
  const steps = fc.sample(step, { seed: Number(values.seed), numRuns: Number(values.runs) });
  const handlers = Object.fromEntries(
    Array.from({ length: steps.length + 1 }, (_, version) => [`acme/chat:${version}`, async () => version]),
  );
  const settings = { rateLimitExempt: true, workerQuota: 100 * names.length, balance: 1e6, spendLimit: 1e6 };
  const emulator = await startEmulator({ handlers, settings });
  const service = new Control(emulator);
  await using proxy = await startHostileProxy([emulator], 1);
  const fleet = (version: number, bad: readonly string[] = []): Fleet =>
    new Map(names.map((name) => [name, `${bad.includes(name) ? BAD : `acme/chat:${version}`} of ${version}`]));
  const calm: Step = {
    isBack: false,
    bad: [],
    pauseAfter: SHARES.length,
    targets: [],
    continues: false,
    trouble: NO_TROUBLE,
  };
  await using stack = await newStack({ program: "", emulator: { ...emulator, ...proxy } });
  let changes = 0;
  let version = 0;

  const live = async (what: string, step: Step): Promise<Run> => {
    const declared = fleet(version - (step.isBack ? 1 : 0), pick(step.bad));
    await stack.edit(program(declared, step.pauseAfter));
    const targets = pick(step.targets).flatMap((name) => ["--target", `**::${name}*`]);
    const args = ["up", "--yes", "--skip-preview", ...targets, ...(step.continues ? ["--continue-on-error"] : [])];
    const before = await served(stack, service);
    const begun = performance.now();
    const run = await runEngine(stack, proxy, args, { trouble: step.trouble });
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const after = await served(stack, service);
    const changed = names.filter((name) => before.get(name) !== after.get(name)).length;
    changes += changed;
    const how = [
      step.isBack && "back",
      step.bad.length > 0 && `bad ${pick(step.bad)}`,
      step.pauseAfter < SHARES.length && `pause after ${step.pauseAfter}`,
      targets.length > 0 && `targets ${pick(step.targets)}`,
      step.continues && "continues",
      run.killed && `${run.killed} killed`,
      `${run.met.length} faults`,
    ];
    const failed = run.failed.map(({ urn }) => urn.split("::").at(-1));
    say(
      `${what}: ${how.filter(Boolean).join(", ")}: exit ${run.exitCode}, ${changed} changed, failed [${failed}], ${seconds} s`,
    );
    const wrong = broken({ step, run, names, declared, before, after });
    if (wrong.length > 0) throw new Error([...wrong, run.output].join("\n"));
    return run;
  };

  say(`seed ${values.seed}`);
  try {
    await live("first", calm);
    for (const [index, each] of steps.entries()) {
      version = index + 1;
      await live(`run ${version}`, each);
    }
    // A killed run may leave something that the first further one reports.
    for (let ups = 1; (await live("at last", calm)).exitCode !== 0; ups += 1)
      if (ups === 3) throw new Error("three calm runs failed");
    const awake = (await service.state()).endpoints.filter(
      ({ name, workers }) => name?.includes("-candidate") && Object(workers).max !== 0,
    );
    if (awake.length > 0) throw new Error(`${awake.length} candidates don't rest`);
    await stack.destroy();
    if (!(await service.isEmpty())) throw new Error("something is left");
    say(`${steps.length} runs of ${names.length} members: ${changes} changes of members, every one old or new`);
  } catch (error) {
    say(`FAILED: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  } finally {
    await emulator.stop();
  }
}

void main();
