import { NO_TROUBLE } from "./faults";
import { INVARIANTS, isGreen, isNamed, strays } from "./invariants";
import { type Life, QUIET, type StackName, type Step } from "./life";
import { isRefused, type Program } from "./program";
import type { Thing } from "./view";
import { endWorld, followAdvice, look, newWorld, play, type StepOutcome, undisturbedUp, type World } from "./world";

/** How many clean runs a person who follows the messages may need at the end. */
const MOST_FURTHER_UPS = 3;
/** And how many more, each of which only tells what to do. */
const MOST_ADVICE = 20;

/** A life that violated an invariant. */
export class ChaosError extends Error {
  override readonly name = "ChaosError";
  constructor(
    readonly broken: readonly string[],
    story: readonly string[],
  ) {
    super([...broken, "", ...story].join("\n"));
  }
}

/**
 * Lives a life to its end: the first program's `up`, then the steps, then clean runs until everything is as declared.
 *
 * @param except skips invariants whose sentences contain these words, to ignore a known fault
 * @throws ChaosError with the violated invariants, and all that is needed to see why
 */
export async function live(life: Life, { except }: { except?: string | undefined } = {}): Promise<{ runs: number }> {
  const world = await newWorld(life);
  const story: string[] = [];
  const judged = INVARIANTS.filter(({ sentence }) => except === undefined || !sentence.includes(except));
  let runs = 0;
  const judge = async (step: Step) => {
    story.push(`== ${describe(step)}`);
    const outcome = await play(world, step);
    if (outcome === undefined) return undefined;
    runs += 1;
    const { run } = outcome;
    story.push(`$ ${run.command}  (exit ${run.exitCode}${run.killed ? `, ${run.killed} killed` : ""})`);
    story.push(...run.met.map((line) => `  met: ${line}`), run.output);
    const broken = await Promise.all(
      judged.map(async ({ sentence, check }) => {
        const wrong = await check(outcome, world);
        return wrong.length === 0 ? [] : [[sentence, ...wrong.map((what) => `    ${what}`)].join("\n")];
      }),
    );
    if (broken.flat().length > 0) throw new ChaosError(broken.flat(), story);
    // What a failed run has said, the next one that fails need not say again.
    if (!isGreen(outcome)) for (const { id } of strays(outcome, world)) outcome.side.unspoken.add(id);
    const followed = followAdvice(outcome, world);
    story.push(...followed.map((what) => `== a person ${what}`));
    return { ...outcome, followed };
  };
  try {
    const { program, steps } = life;
    await judge({ ...undisturbedUp("dev"), refresh: false, trouble: life.trouble });
    for (const step of steps) await judge(step);
    for (const stack of [...world.sides.keys()]) if (!isRefused(program)) await recover(world, stack, judge, story);
    return { runs };
  } catch (error) {
    if (error instanceof ChaosError) throw error;
    throw new ChaosError([error instanceof Error ? (error.stack ?? error.message) : String(error)], story);
  } finally {
    await endWorld(world);
  }
}

/** What a person does to finish: unprotects, runs `up`, and follows the messages. */
async function recover(
  world: World,
  name: StackName,
  judge: (step: Step) => Promise<(StepOutcome & { readonly followed: readonly string[] }) | undefined>,
  story: string[],
): Promise<void> {
  const side = world.sides.get(name);
  if (side === undefined || isRefused(side.program)) return;
  const { rows, others } = await look(world);
  const held = rows.get(name) ?? [];
  if (held.some(({ protect }) => protect)) {
    await side.stack.pulumi(["state", "unprotect", "--all", "--yes", "--stack", side.stack.name]);
  }
  // A stack that was empty, or is on another host by now, may have begun in the other account: the messages say to destroy
  // it with that one's key. What is in its own stays.
  const whole = { target: undefined, continueOnError: true } as const;
  const destroyElsewhere = () => judge({ step: "destroy", stack: name, ...QUIET, ...whole, otherKey: true });
  if (held.some(({ ids }) => ids.some((id) => others.has(id)))) await destroyElsewhere();
  // What can't be taken over as it is declared by now is left to itself.
  side.program = { ...unprotected(side.program), takes: {} };
  for (let ups = 1, advised = 0; ; ups += 1) {
    const outcome = await judge(undisturbedUp(name));
    if (outcome === undefined) return;
    // The engine stops at the first error: each may name another resource.
    if (outcome.followed.length > 0 && advised++ < MOST_ADVICE) {
      ups -= 1;
      continue;
    }
    for (const thing of strays(outcome, world).filter((each) => isNamed(each, outcome))) {
      story.push(`== a person deletes ${thing.name} (${thing.id}), which the messages name`);
      await deleteIt(world, thing.id);
    }
    if (isGreen(outcome)) return;
    // A killed destroy may have left nothing there but in the state.
    if (outcome.run.messages.some((each) => each.includes("destroy it with a key of the first one")))
      await destroyElsewhere();
    for (const { id, name } of usersIn(outcome, world)) {
      story.push(`== a person deletes ${name} (${id}), which uses what the run can't delete`);
      await deleteIt(world, id);
    }
    // A person runs it again when the service shows all that was done: three runs may take less time than it lags.
    world.lagMs = 0;
    await world.account.service.settings({ readLagMs: 0, listLagMs: 0 });
    if (ups === MOST_FURTHER_UPS) throw new ChaosError([`${name} still fails after ${ups} clean runs`], story);
  }
}

/** Orphans that use what a message reports as in use. */
function usersIn({ run }: StepOutcome, { foreign }: World): Thing[] {
  const refused = run.messages.filter((message) => /still uses it/.test(message));
  return [...foreign.values()].filter(({ record }) => {
    const used = [record.templateId, record.registry].filter((id) => typeof id === "string");
    return used.some((id) => refused.some((message) => message.includes(id)));
  });
}

function unprotected(program: Program): Program {
  const slots = Object.entries(program.slots).flatMap(([slot, declared]) =>
    declared === undefined ? [] : [[slot, { ...declared, options: { ...declared.options, protect: false } }]],
  );
  return { ...program, slots: Object.fromEntries(slots) };
}

async function deleteIt(world: World, id: string): Promise<void> {
  const all = [...(await look(world)).things.keys()];
  await play(world, { step: "console", act: { act: "delete", nth: all.indexOf(id) } });
}

function describe(step: Step): string {
  const { trouble = NO_TROUBLE, ...rest } = { trouble: undefined, ...step };
  return JSON.stringify({ ...rest, ...(trouble === NO_TROUBLE ? {} : { trouble }) });
}
