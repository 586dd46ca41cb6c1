import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { Control } from "../../tools/run/control";
import { checkout } from "../../tools/run/environment";
import { newStack, Stack, writeStack } from "../../tools/run/stack";
import { programOf } from "../harness/program";
import { type Run, runEngine } from "./engineRun";
import type { Trouble } from "./faults";
import { type HostileProxy, startHostileProxy } from "./hostileProxy";
import { type ConsoleAct, type Life, QUIET, type StackName, type Step } from "./life";
import {
  edited,
  isNative,
  logicalName,
  type Options,
  type Program,
  resourcesOf,
  SERVERS,
  type Slot,
  slotOf,
  sshKey,
} from "./program";
import { deploymentOf, essence, idsIn, type Row, rowsOf, stateFile, type Thing, thingsIn } from "./view";

/** How many times faster than ours the time of providers and accounts runs. */
const SPEED = 10;

export interface Side {
  readonly stack: Stack;
  /** What the next `up` declares. */
  program: Program;
  /** What the next runs are to do with what has a generated name and is not in the state. The default is to refuse. */
  existing: "adopt" | "duplicate" | "refuse";
  /** What killed and failed runs left in no state: the next run that ends well has to say so. */
  readonly unspoken: Set<string>;
  /** The run before was killed: its provider may have gone on into this one. */
  isAfterKill: boolean;
  /** The last `up` went well, and nothing has happened since that the next one would have to do anything about. */
  settled: boolean;
  /** What somebody changed or deleted at the console since a run has looked at all of it. */
  readonly drifted: Set<string>;
  /** The same, of a run of its own that was killed before the engine could record it: a plain `up` looks at nothing. */
  readonly unrecorded: Set<string>;
  /** Its state before each command. */
  readonly exports: Awaited<ReturnType<typeof deploymentOf>>[];
}

/** What is known of the accounts besides what they and the states hold. */
export interface World {
  readonly account: Account;
  readonly other: Account;
  readonly proxy: HostileProxy;
  readonly sides: Map<StackName, Side>;
  /** What runs may neither change nor delete: made at the console, let go of, or retained; as it was. */
  readonly foreign: Map<string, Thing>;
  /** What no state held when the machine changed, or an older state came back: no note names it any more. */
  readonly notedElsewhere: Set<string>;
  /** By id: the stack whose runs made it. */
  readonly maker: Map<string, StackName>;
  /** By id: whether a native resource of the program made it. A host doesn't adopt what another has begun: it reports it. */
  readonly isNative: Map<string, boolean>;
  readonly parallel: number;
  readonly base: number;
  machineAheadMs: number;
  /** How late reads and lists show what was written, on the service's clock. */
  lagMs: number;
  /** The stack whose calls may outlast their run. */
  lateOf: StackName;
}

interface Account {
  readonly emulator: Emulator;
  readonly service: Control;
}

/** What the account and the states hold at one moment. */
export interface View {
  readonly things: ReadonlyMap<string, Thing>;
  readonly others: ReadonlyMap<string, Thing>;
  readonly rows: ReadonlyMap<StackName, readonly Row[]>;
}

/** A step that ran the engine, with all that can be seen of it. */
export interface StepOutcome {
  readonly command: "up" | "refresh" | "destroy";
  readonly stack: StackName;
  readonly side: Side;
  readonly program: Program;
  readonly existing: Side["existing"];
  readonly run: Run;
  readonly before: View;
  readonly after: View;
  readonly otherKey: boolean;
  /** Only a part of the stack. */
  readonly partial: boolean;
  /** Replaces by `--replace`, of which the provider isn't told. */
  readonly forced: boolean;
  readonly refreshes: boolean;
  /** Nothing went wrong on the way, and nobody was at the console meanwhile. */
  readonly calm: boolean;
  /** Reads and lists lag, so a refresh may see old values. */
  readonly lagging: boolean;
  /** Nothing has changed since a green `up`. */
  readonly repeated: boolean;
  /** What somebody at the console, or a killed run, changed or deleted, so that this run need not have seen it. */
  readonly drifted: ReadonlySet<string>;
  readonly deletedAtConsole: ReadonlySet<string>;
}

export async function newWorld({ program, parallel }: Life): Promise<World> {
  const accountOf = async (owner: string): Promise<Account> => {
    const settings = { rateLimitExempt: true, podBootMs: 2_000, workerColdStartMs: 2_000 };
    const account = { id: `user_${owner}`, email: `${owner}@example.com` };
    const options = { apiKey: `chaos-key-of-${owner}`, settings: { ...settings, account }, servers: SERVERS };
    const emulator = await startEmulator(options);
    const service = new Control(emulator);
    await service.speedUp(SPEED);
    return { emulator, service };
  };
  const [account, other] = await Promise.all([accountOf("nobody"), accountOf("somebody-else")]);
  const proxy = await startHostileProxy([account.emulator, other.emulator], SPEED);
  const world: World = {
    account,
    other,
    proxy,
    sides: new Map(),
    foreign: new Map(),
    notedElsewhere: new Set(),
    maker: new Map(),
    isNative: new Map(),
    parallel,
    base: Date.now(),
    machineAheadMs: 0,
    lagMs: 0,
    lateOf: "dev",
  };
  await sideOf(world, "dev", program);
  return world;
}

export async function endWorld({ account, other, proxy, sides }: World): Promise<void> {
  await proxy[Symbol.asyncDispose]();
  await Promise.all([account, other].map(({ emulator }) => emulator.stop()));
  await Promise.all([...sides.values()].map(({ stack }) => stack.remove()));
}

/** The stack, made when it is first used, with the program that `dev` has by then. */
export async function sideOf(world: World, name: StackName, first?: Program): Promise<Side> {
  const existing = world.sides.get(name);
  if (existing !== undefined) return existing;
  const dev = world.sides.get("dev");
  const program = { native: false, slots: {}, ...(first ?? dev?.program), takes: {}, stack: name };
  const beside = { prod: prodBeside, cousin: cousinBeside }[String(name)];
  const stack = beside && dev ? await beside(dev.stack) : await ownStack(world);
  const side = newSide(stack, program);
  world.sides.set(name, side);
  return side;
}

const newSide = (stack: Stack, program: Program): Side => ({
  stack,
  program,
  existing: "refuse",
  unspoken: new Set(),
  isAfterKill: false,
  settled: false,
  drifted: new Set(),
  unrecorded: new Set(),
  exports: [],
});

async function ownStack({ account, proxy }: World): Promise<Stack> {
  const { baseUrl, serverlessUrl, graphqlUrl } = proxy;
  const preloaded = ["tools/run/deferUnused.cjs", "tests/chaos/hurry.cjs"];
  const requires = preloaded.map((file) => `--require=${JSON.stringify(join(checkout, file))}`);
  return newStack({
    program: "",
    emulator: { apiKey: account.emulator.apiKey, baseUrl, serverlessUrl, graphqlUrl },
    env: { NODE_OPTIONS: requires.join(" ") },
  });
}

async function prodBeside({ folder, project, env }: Stack): Promise<Stack> {
  const stack = new Stack({ folder, project, name: "prod", env });
  await writeStack(stack);
  return stack;
}

async function cousinBeside({ folder, project, env }: Stack): Promise<Stack> {
  const stack = new Stack({ folder, project: join(folder, "cousin"), name: "dev", env });
  await mkdir(stack.project);
  await copyFile(join(project, "package.json"), join(stack.project, "package.json"));
  const settings = await readFile(join(project, "Pulumi.yaml"), "utf8");
  await writeFile(join(stack.project, "Pulumi.yaml"), settings.replace(/(\bname\W+)test/, "$1cousin"));
  await writeStack(stack);
  return stack;
}

export async function look({ account, other, sides }: World): Promise<View> {
  const [things, others, ...rows] = await Promise.all([
    thingsIn(account.service),
    thingsIn(other.service),
    ...[...sides].map(async ([name, { stack }]) => [name, rowsOf(await deploymentOf(stack))] as const),
  ]);
  return { things, others, rows: new Map(rows) };
}

/** Plays a step; answers what it came to where the engine ran. */
export async function play(world: World, step: Step): Promise<StepOutcome | undefined> {
  switch (step.step) {
    case "up":
    case "refresh":
    case "destroy":
      return command(world, step);
    case "state delete":
      return deleteFromState(world, step);
    case "move":
      return move(world, step);
    case "console":
      await atConsole(world, step.act);
      return undefined;
    case "rename":
      return rename(world);
    case "another machine":
      for (const { stack } of world.sides.values()) {
        // The provider of a killed engine may still write a note.
        await rm(join(stack.folder, "home", "computecloud"), { recursive: true, force: true, maxRetries: 9 });
      }
      await leaveNotes(world);
      return undefined;
    case "lags":
      world.lagMs = step.ms;
      await world.account.service.settings({ readLagMs: step.ms, listLagMs: step.ms });
      // A refresh may have recorded old values, and the next `up` then has something to do.
      for (const side of world.sides.values()) side.settled = false;
      return undefined;
    case "import":
      return importOlder(world, step);
    case "GraphQL ends": {
      const graphqlEndsAt = new Date(0).toISOString();
      await Promise.all([world.account, world.other].map(({ service }) => service.settings({ graphqlEndsAt })));
      return undefined;
    }
    case "clock":
      if (step.whose === "machine") world.machineAheadMs += step.aheadMs;
      else await Promise.all([world.account, world.other].map(({ service }) => service.advance(step.aheadMs)));
      return undefined;
  }
}

async function rename(world: World): Promise<undefined> {
  const before = await sideOf(world, "dev");
  if (world.sides.has("live")) return;
  const recorded = idsIn((await look(world)).rows.get("dev") ?? []);
  await before.stack.pulumi(["stack", "rename", "live"]);
  world.sides.set("live", {
    ...before,
    stack: new Stack({ ...before.stack.place, name: "live" }),
    unspoken: new Set(),
  });
  // What no state has is told by the notes of the old name.
  for (const id of recorded) if (world.maker.get(id) === "dev") world.maker.set(id, "live");
  const dev = new Stack({ ...before.stack.place, name: "dev" });
  await writeStack(dev);
  const program = { ...before.program, stack: "next", takes: {} };
  world.sides.set("dev", { ...newSide(dev, program), unspoken: before.unspoken, isAfterKill: before.isAfterKill });
}

async function leaveNotes(world: World): Promise<void> {
  const { things, rows } = await look(world);
  const recorded = idsIn([...rows.values()].flat());
  for (const id of things.keys()) if (!recorded.has(id)) world.notedElsewhere.add(id);
}

type Command = Extract<Step, { trouble: Trouble }>;

/** What a person does when all has to be in order again. */
export function undisturbedUp(stack: StackName): Command & { step: "up" } {
  const whole = { edits: [], native: undefined, target: undefined, replace: undefined, continueOnError: false };
  return { step: "up", stack, ...QUIET, ...whole, refresh: true };
}

async function command(world: World, step: Command): Promise<StepOutcome> {
  const side = await sideOf(world, step.stack);
  const late = [...world.proxy.outlasting];
  const before = await look(world);
  arrive(world, before);
  side.exports.push(await deploymentOf(side.stack));
  const edits = step.step === "up" ? step.edits : [];
  const native = step.step === "up" ? (step.native ?? side.program.native) : side.program.native;
  const changed = edits.length > 0 || native !== side.program.native;
  side.program = { ...edits.reduce(edited, side.program), native };
  const text = programOf(resourcesOf(side.program, side.existing));
  if (step.stack === "cousin") await writeFile(join(side.stack.project, "index.js"), text);
  else await side.stack.edit(text);

  const rows = before.rows.get(step.stack) ?? [];
  const urnOf = (slot: Slot | undefined) => {
    const name = slot && logicalName(slot, side.program.slots[slot]);
    return rows.find((row) => row.name === name && !row.leaving)?.urn;
  };
  const target = step.step === "refresh" ? undefined : urnOf(step.target);
  const replace = step.step === "up" ? urnOf(step.replace) : undefined;
  const isQuiet = step.trouble.faults.length === 0 && step.trouble.kill === undefined;
  const calm = isQuiet && step.meanwhile === undefined && late.length === 0;
  const previewed = step.step === "up" && calm && target === undefined;
  const args = [
    step.step,
    "--yes",
    ...(previewed ? [] : ["--skip-preview"]),
    ...(step.step === "up" && step.refresh ? ["--refresh"] : []),
    ...(step.step !== "refresh" && step.continueOnError ? ["--continue-on-error"] : []),
    ...(target === undefined ? [] : ["--target", target]),
    ...(replace === undefined ? [] : ["--replace", replace]),
    "--parallel",
    String(world.parallel),
  ];
  const drifted = new Set([...side.drifted, ...side.unrecorded]);
  const deletedAtConsole = new Set<string>();
  const { meanwhile } = step;
  const run = await runEngine(side.stack, world.proxy, args, {
    trouble: step.trouble,
    env: {
      CHAOS_TIME: `${world.base}:${SPEED}:${world.machineAheadMs}`,
      COMPUTECLOUD_EXISTING: side.existing,
      ...(step.otherKey && { COMPUTECLOUD_API_KEY: world.other.emulator.apiKey }),
    },
    meanwhile:
      meanwhile &&
      (async () => {
        if (meanwhile === "up") return secondRun(side.stack);
        const { touched, deleted } = await atConsole(world, meanwhile);
        for (const id of touched) drifted.add(id);
        for (const id of deleted) deletedAtConsole.add(id);
      }),
  });
  if (!isQuiet) await mendState(side.stack);
  const after = await look(world);
  const isLate = (text: string) => late.some((each) => each.includes(text));
  for (const { id, name } of [...before.things.values(), ...after.things.values()]) {
    if (!before.things.has(id) && isLate(name) && !world.foreign.has(id)) world.maker.set(id, world.lateOf);
    if (!isLate(id)) continue;
    for (const set of [drifted, side.drifted]) set.add(id);
    if (!after.things.has(id)) deletedAtConsole.add(id);
  }
  if (world.proxy.outlasting.size > 0) world.lateOf = step.stack;
  // Perhaps because the provider of a killed run goes on: it may delete something under this run's eyes.
  const unshown = [...idsIn(rows)].filter((id) => run.messages.some((message) => isUnshown(message, id)));
  for (const id of after.things.keys()) {
    if (before.things.has(id) || world.foreign.has(id)) continue;
    if (!world.maker.has(id)) world.maker.set(id, step.stack);
    const slot = slotOf(after.things.get(id)?.name ?? "");
    world.isNative.set(id, slot === undefined ? native : isNative(side.program, slot));
  }
  const refreshes = step.step === "refresh" || (step.step === "up" && step.refresh);
  const outcome: StepOutcome = {
    command: step.step,
    stack: step.stack,
    side,
    program: side.program,
    existing: side.existing,
    run,
    before,
    after,
    otherKey: step.otherKey,
    partial: target !== undefined,
    forced: replace !== undefined,
    refreshes,
    calm,
    lagging: world.lagMs > 0,
    repeated: side.settled && !changed && replace === undefined,
    drifted: refreshes && meanwhile === undefined && world.lagMs === 0 ? new Set(unshown) : drifted,
    deletedAtConsole,
  };
  remember(world, outcome);
  take(world, outcome);
  return outcome;
}

/** What has arrived since the run that sent it is that stack's: its next run that ends well has to name it. */
function arrive({ foreign, maker, lateOf, sides }: World, { things, rows }: View): void {
  const recorded = idsIn([...rows.values()].flat());
  for (const id of things.keys()) {
    if (maker.has(id) || foreign.has(id) || recorded.has(id)) continue;
    maker.set(id, lateOf);
    sides.get(lateOf)?.unspoken.add(id);
  }
}

/** A refresh keeps what may be too young to be shown, and says so. */
function isUnshown(message: string, id: string): boolean {
  return message.includes(`"${id}" is new, and the service does not show it yet`);
}

/** Both may fail: the invariants say what must not come of it. */
async function secondRun(stack: Stack): Promise<void> {
  await rm(join(stack.folder, "backend", ".pulumi", "locks"), { recursive: true, force: true });
  await stack.pulumi(["up", "--yes", "--skip-preview"]).catch(() => {});
}

/**
 * A file backend is no transaction: a kill in the middle of a write leaves half a file. A person puts the copy of the state
 * back, and removes the attributes beside it, without which `EOF` is all that a command says.
 */
async function mendState(stack: Stack): Promise<void> {
  const file = stateFile(stack);
  if (!(await isWhole(`${file}.attrs`))) await rm(`${file}.attrs`, { force: true });
  if (!(await isWhole(file))) await copyFile(`${file}.bak`, file);
}

const isWhole = (file: string): Promise<boolean> =>
  readFile(file, "utf8").then(
    (text) => text.trimEnd().endsWith("}"),
    () => false,
  );

/** What this run means for the next ones. */
function remember({ foreign, maker }: World, { run, command, before, after, stack: name, ...rest }: StepOutcome): void {
  const { side, otherKey, partial, refreshes, calm, lagging, drifted } = rest;
  const green = run.exitCode === 0 && run.killed === undefined;
  const now = idsIn(after.rows.get(name) ?? []);
  for (const row of before.rows.get(name) ?? []) {
    if (!row.retainOnDelete) continue;
    for (const id of row.ids) {
      const thing = after.things.get(id);
      if (thing === undefined || now.has(id)) continue;
      foreign.set(id, thing);
      maker.delete(id);
    }
  }
  // A plain `up` looks at nothing of what has drifted: the next one that refreshes has something to do.
  const isBlind = drifted.size > 0;
  side.settled = green && command === "up" && !partial && !otherKey && calm && !isBlind && !lagging;
  if (run.killed !== undefined || side.isAfterKill) {
    const recorded = idsIn([...after.rows.values()].flat());
    for (const id of after.things.keys()) {
      const isNew = run.killed !== undefined || !before.things.has(id);
      if (isNew && maker.get(id) === name && !recorded.has(id)) side.unspoken.add(id);
    }
  }
  side.isAfterKill = run.killed !== undefined;
  if (green && command === "up" && !partial) side.existing = "refuse";
  if (run.killed !== undefined) {
    for (const [id, previous] of before.things) {
      const current = after.things.get(id);
      if (current === undefined || essence(current) !== essence(previous)) side.unrecorded.add(id);
    }
  }
  if (green && refreshes && calm && !otherKey && !partial && !lagging) {
    side.drifted.clear();
    side.unrecorded.clear();
    for (const id of drifted) side.unrecorded.add(id);
  }
}

async function deleteFromState(
  world: World,
  { stack, slot, thenBy }: Extract<Step, { step: "state delete" }>,
): Promise<undefined> {
  const side = await sideOf(world, stack);
  const { things, rows } = await look(world);
  const wanted = logicalName(slot, side.program.slots[slot]);
  const row = rows.get(stack)?.find((each) => each.name === wanted && each.ids.length > 0 && !each.leaving);
  if (row === undefined) return;
  try {
    await side.stack.pulumi(["state", "delete", row.urn, "--yes", "--force", "--stack", side.stack.name]);
  } catch {
    // Others depend on it: the engine says so, and all stays as it is.
    return;
  }
  side.settled = false;
  for (const id of row.ids) {
    const thing = things.get(id);
    if (thing !== undefined) world.foreign.set(id, thing);
    world.maker.delete(id);
  }
  const [id] = row.ids;
  // What is many things, as a fleet is, can't be taken over by one id.
  if (thenBy !== undefined && id !== undefined && row.ids.length === 1 && slot !== "gated") {
    side.program = { ...side.program, takes: { ...side.program.takes, [slot]: { id, by: thenBy } } };
  }
}

/** What only the newer state knew is still the stack's own, and a state that another stack has moved on from stays. */
async function importOlder(world: World, { stack, back }: Extract<Step, { step: "import" }>): Promise<undefined> {
  const side = await sideOf(world, stack);
  const older = side.exports.at(-back);
  if (older === undefined) return;
  const { things, rows } = await look(world);
  const heldElsewhere = idsIn([...rows].flatMap(([name, each]) => (name === stack ? [] : each)));
  const restored = idsIn(rowsOf(older));
  if ([...restored].some((id) => heldElsewhere.has(id) || world.maker.get(id) !== stack)) return;
  const file = join(side.stack.folder, "older.json");
  await writeFile(file, JSON.stringify({ version: 3, deployment: older }));
  await side.stack.pulumi(["stack", "import", "--file", file, "--force", "--stack", side.stack.name]);
  side.settled = false;
  for (const id of restored) side.drifted.add(id);
  for (const id of idsIn(rows.get(stack) ?? [])) if (!restored.has(id) && things.has(id)) world.notedElsewhere.add(id);
}

async function move(world: World, { stack, slot, across }: Extract<Step, { step: "move" }>): Promise<undefined> {
  const side = await sideOf(world, stack);
  const declared = side.program.slots[slot];
  const { rows } = await look(world);
  const name = logicalName(slot, declared);
  const [id, ...more] = rows.get(stack)?.find((row) => row.name === name && !row.leaving)?.ids ?? [];
  if (declared === undefined || id === undefined || more.length > 0 || slot === "gated") return;
  const { options } = declared;
  const moved = { ...declared, options: { ...options, renamed: !options.renamed, second: options.second !== across } };
  const { slots, takes } = side.program;
  side.program = {
    ...side.program,
    slots: { ...slots, [slot]: moved },
    takes: { ...takes, [slot]: { id, by: "move" } },
  };
  side.settled = false;
}

/**
 * Follows the advice of a run's errors. A person knows what is their own: that is taken over by its id, and so is what they
 * have let go of, or else the resource gets another name. Answers what they do.
 */
export function followAdvice({ side, run, after, stack }: StepOutcome, { foreign, maker, sides }: World): string[] {
  const held = new Map([...after.rows].flatMap(([name, rows]) => [...idsIn(rows)].map((id) => [id, name])));
  const isOwn = (id: string) =>
    held.get(id) === stack || (maker.get(id) === stack && !foreign.has(id) && !held.has(id));
  const renamed = new Set<Slot>();
  return run.errors.flatMap(({ about, message }) => {
    const slot = slotOf(about);
    const declared = slot && side.program.slots[slot];
    if (slot === undefined || declared === undefined) return [];
    const named = [...after.things.keys()].filter((id) => message.includes(id));
    const ownId = named.find(isOwn);
    // Who declares the second image wants something of their own, and not what somebody else has.
    const releasedId = declared.settings.image === 2 ? undefined : named.find((id) => foreign.has(id) && !held.has(id));
    const takeOver = (id: string): string[] => {
      if (side.program.takes[slot] !== undefined) return [];
      side.program = { ...side.program, takes: { ...side.program.takes, [slot]: { id, by: "adoptId" } } };
      return [`sets the adoptId ${id} of ${slot}`];
    };
    const list = /set adoptId: "([^"]+)" to adopt the list/.exec(message)?.[1];
    if (list !== undefined) return takeOver(list);
    if (/remove adoptId/.test(message) && side.program.takes[slot] !== undefined) {
      const { [slot]: _, ...takes } = side.program.takes;
      side.program = { ...side.program, takes };
      return [`removes the adoptId of ${slot}`];
    }
    if (/choose another name|to adopt it where this resource takes its place/i.test(message)) {
      const isMany = slot === "fleet" || slot === "gated";
      const taken = ownId ?? (isMany ? undefined : releasedId);
      if (taken !== undefined) return isMany ? [] : takeOver(taken);
      // Two errors about one resource ask for one other name.
      if (renamed.has(slot)) return [];
      renamed.add(slot);
      side.program = edited(side.program, { slot, to: { ...declared, options: otherName(slot, declared.options) } });
      return [`gives ${slot} another name`];
    }
    if (/computecloud:existing adopt|pass existing "adopt"/.test(message) && side.existing === "refuse") {
      // What a stack of the same name in another backend has, the setting would take over as well.
      side.existing = (ownId ?? releasedId) === undefined || sides.has("twin") ? "duplicate" : "adopt";
      const left = side.existing === "duplicate" && ownId !== undefined && after.things.get(ownId);
      if (left) foreign.set(left.id, left);
      return [`sets computecloud:existing to ${side.existing}`];
    }
    return [];
  });
}

/** A component has no name: its children's names begin with its logical one. */
function otherName(slot: Slot, options: Options): Options {
  return slot === "gated" ? { ...options, renamed: !options.renamed } : { ...options, named: !options.named };
}

/** What the program has taken over is its stack's again. */
function take({ foreign, maker }: World, { side, stack: name, existing, after: { rows } }: StepOutcome): void {
  const stackIds = idsIn(rows.get(name) ?? []);
  if (existing === "adopt") {
    for (const id of stackIds) {
      foreign.delete(id);
      maker.set(id, name);
    }
  }
  const { slots } = side.program;
  // What moves is in the state already, at the place that it leaves.
  const isTaken = (slot: Slot, id: string) =>
    (rows.get(name) ?? []).some(
      (row) =>
        row.name === logicalName(slot, slots[slot]) &&
        row.ids.includes(id) &&
        !row.leaving &&
        row.type.startsWith("computecloud:") === isNative(side.program, slot),
    );
  // A list has whatever it sets, whoever had added it before.
  for (const id of idsIn((rows.get(name) ?? []).filter(({ type }) => type.endsWith(":SshKeys")))) {
    foreign.delete(id);
    maker.set(id, name);
  }
  const takes = Object.entries(side.program.takes).filter(
    ([slot, { id, by }]) => by === "stays" || !isTaken(slot as Slot, id),
  );
  for (const { id } of Object.values(side.program.takes)) {
    if (!stackIds.has(id)) continue;
    foreign.delete(id);
    maker.set(id, name);
  }
  side.program = { ...side.program, takes: Object.fromEntries(takes) };
}

const PATHS: Readonly<Record<string, string>> = {
  pods: "/v2/pods",
  clusters: "/v2/clusters",
  endpoints: "/v2/serverless",
  templates: "/v2/templates",
  networkVolumes: "/v2/network-volumes",
  registries: "/v2/registries",
  secrets: "/v2/account/secrets",
  globalVolumes: "/v2/global-volumes",
  delegations: "/v2/registries/delegations",
};

/** Somebody at the console. Answers what was touched and what is gone. */
export async function atConsole(
  { account: { service }, foreign, sides }: World,
  { act, nth }: ConsoleAct,
): Promise<{ touched: string[]; deleted: string[] }> {
  const all = [...(await thingsIn(service)).values()];
  const thing = all[nth % Math.max(1, all.length)];
  if (thing === undefined) return { touched: [], deleted: [] };
  const path = `${PATHS[thing.collection]}/${thing.id}`;
  let created: unknown;
  try {
    if (thing.collection === "sshKeys") created = await changeKeys(service, act, thing.id);
    else if (act === "delete") await service.removed(path);
    else if (act === "change") await service.rest("PATCH", path, CHANGES[thing.collection] ?? { name: thing.name });
    else
      created = await service.rest("POST", "/v2/pods", {
        name: thing.name,
        image: "console:1",
        gpu: { id: "NVIDIA L4" },
      });
  } catch {
    // In use, or nothing that can be changed: the console says so too.
  }
  // A run may be under way: of what has come and gone meanwhile only this is the console's.
  const after = await thingsIn(service);
  // With an endpoint the service deletes the template that is bound to it.
  const touched = act === "make" ? [] : [thing.id, String(thing.record.templateId ?? thing.id)];
  const deleted = act === "delete" ? touched.filter((id) => !after.has(id)) : [];
  for (const id of [...touched, String(Reflect.get(Object(created), "id"))]) {
    const now = after.get(id);
    if (now === undefined) foreign.delete(id);
    else if (foreign.has(id) || !touched.includes(id)) foreign.set(id, now);
  }
  for (const side of sides.values()) {
    side.settled = false;
    for (const id of touched) side.drifted.add(id);
  }
  return { touched, deleted };
}

/** A colleague adds a key of theirs to the list, or takes one away. Answers what was added. */
async function changeKeys(service: Control, act: ConsoleAct["act"], key: string): Promise<{ id: string } | undefined> {
  if (act === "change") return undefined;
  const changed = act === "make" ? sshKey("colleague") : key;
  const others = (await service.state()).sshKeys.map((each) => String(each.key)).filter((each) => each !== changed);
  await service.rest("PUT", "/v2/account/ssh-keys", { keys: act === "make" ? [...others, changed] : others });
  return act === "make" ? { id: changed } : undefined;
}

const CHANGES: Readonly<Record<string, object>> = {
  pods: { image: "console:2" },
  templates: { image: "console:2" },
  secrets: { description: "console" },
  endpoints: { workers: { min: 0, max: 5, idleTimeout: 10 } },
};
