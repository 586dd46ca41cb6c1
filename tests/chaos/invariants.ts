/*
 * What must hold after every run: a sentence and a check each. A check returns the violations as text; for a correct run,
 * an empty list.
 */
import { differencesIn, keysOf, namesOf, SECRET, type Slot, slotOf } from "./program";
import { essence, idsIn, type Row, type Thing } from "./view";
import type { StepOutcome, World } from "./world";

export interface Invariant {
  readonly sentence: string;
  check(outcome: StepOutcome, world: World): readonly string[] | Promise<readonly string[]>;
}

const GENERATED = /-[0-9a-f]{7}$/;

export const INVARIANTS: readonly Invariant[] = [
  {
    sentence: "Everything that is billed is named by a state or a message.",
    check(outcome, world) {
      // A killed run can't report: the next successful run of its stack has to. Exceptions: the engine starts no provider,
      // because it has no program and only components in the state; or the run is on another machine, without the notes.
      if (outcome.run.killed !== undefined || isElsewhere(outcome) || outcome.partial) return [];
      const { unspoken } = outcome.side;
      const held = idsIn(outcome.before.rows.get(outcome.stack) ?? []);
      if (outcome.command !== "up" && held.size === 0) return [];
      return strays(outcome, world)
        .filter(({ id }) => !world.notedElsewhere.has(id))
        .filter(({ id }) => isGreen(outcome) || !unspoken.has(id))
        .filter((thing) => !isNamed(thing, outcome))
        .map((thing) => `${show(thing)} is in no state, and the run did not report it`);
    },
  },
  {
    sentence: "Nothing is made twice.",
    check(outcome, world) {
      if (outcome.run.killed !== undefined) return [];
      const { maker, isNative, notedElsewhere } = world;
      const { things, rows } = outcome.after;
      const recorded = idsIn([...rows.values()].flat());
      // Without the note nothing tells a declared name from another's resource of that name.
      const isIdentifiable = ({ id, name }: Thing) => !notedElsewhere.has(id) || GENERATED.test(name);
      return strays(outcome, world)
        .filter(isIdentifiable)
        .flatMap((stray) =>
          [...things.values()]
            .filter(({ id }) => isNative.get(id) === isNative.get(stray.id))
            .filter(
              ({ id, name, collection }) => id !== stray.id && name === stray.name && collection === stray.collection,
            )
            .filter(({ id }) => maker.get(id) === maker.get(stray.id) && recorded.has(id))
            .map((twin) => `${show(stray)} was made again, as ${twin.id}`),
        );
    },
  },
  {
    sentence: "A run deletes only what belongs to its stack, and nothing protected.",
    check(outcome, { foreign, maker }) {
      const { stack, before, command, program } = outcome;
      const mine = before.rows.get(stack) ?? [];
      const released = (row: Row) => {
        const slot = slotOf(row.name);
        return command === "up" && slot !== undefined && program.slots[slot]?.options.protect === false;
      };
      const shielded = idsIn(mine.filter((row) => row.protect && !released(row)));
      const stackIds = idsIn(mine);
      return lost(outcome).flatMap((thing) => {
        if (foreign.has(thing.id)) return [`${show(thing)} does not belong to this stack, but was deleted`];
        // A member of a fleet that moves to another template leaves its own behind, which the protection does not name.
        if (shielded.has(thing.id) && !mine.some((row) => isOwnTemplate(row, thing)))
          return [`${show(thing)} is protected, but was deleted`];
        if (!stackIds.has(thing.id) && maker.get(thing.id) !== stack)
          return [`${show(thing)} belongs to another stack, but was deleted`];
        return [];
      });
    },
  },
  {
    sentence: "A run changes only what belongs to its stack.",
    check({ after, stack, before, program, existing, drifted }, { foreign, maker }) {
      const taken = new Set(Object.values(program.takes).map(({ id }) => id));
      // With this setting a resource takes over what has its generated name.
      for (const { name, ids } of existing === "adopt" ? (after.rows.get(stack) ?? []) : [])
        for (const id of ids) if (after.things.get(id)?.name.startsWith(`${name}-`)) taken.add(id);
      const others = [...before.things.values()].filter(({ id }) => (maker.get(id) ?? stack) !== stack);
      return [...foreign.values(), ...others].flatMap((previous) => {
        const current = after.things.get(previous.id);
        if (
          current === undefined ||
          taken.has(previous.id) ||
          drifted.has(previous.id) ||
          essence(current) === essence(previous)
        )
          return [];
        return [`${show(previous)} was changed: ${essence(previous)} -> ${essence(current)}`];
      });
    },
  },
  {
    sentence:
      "Another account's key makes, changes and deletes nothing in either account, and removes nothing from a state.",
    check({ otherKey, stack, before, after, run }, { foreign }) {
      const held = idsIn(before.rows.get(stack) ?? []);
      const inOthers = [...held].some((id) => before.others.has(id));
      // A stack that has nothing yet, or only components, may begin in the other account.
      if (otherKey === inOthers || held.size === 0) return [];
      // A key that may not ask whose it is leaves nothing to compare.
      if (run.met.some((line) => /^GET \/v2\/account \{"kind":"refused","status":403/.test(line))) return [];
      const ofKey = otherKey ? "others" : "things";
      const created = [...after[ofKey].values()].filter(({ id }) => !before[ofKey].has(id) && !foreign.has(id));
      const recorded = idsIn(after.rows.get(stack) ?? []);
      // The engine itself lets go of what is retained, and asks nobody.
      const retained = idsIn((before.rows.get(stack) ?? []).filter((row) => row.retainOnDelete));
      const forgotten = [...held].filter((id) => !recorded.has(id) && !retained.has(id));
      return [
        // Without a preview, the first step may be a create: the next one fails, and the state names what was made, unless
        // the run was killed in that create. Then the next run has to name it.
        ...created
          .filter(
            ({ id }) => run.planned.length > 0 || isGreen({ run }) || (!recorded.has(id) && run.killed === undefined),
          )
          .map((thing) => `${show(thing)} was made in the key's account`),
        ...forgotten.flatMap((id) => {
          const thing = after.things.get(id) ?? after.others.get(id);
          return thing === undefined ? [] : [`the state lost ${show(thing)}`];
        }),
      ];
    },
  },
  {
    sentence: "No secret appears in a state, its copies and history, an event log, or the output of a command.",
    async check({ side, run }, { account, other }) {
      const texts = await side.stack.written();
      texts.set("what the command printed", run.output);
      const secrets = [SECRET, account.emulator.apiKey, other.emulator.apiKey].flatMap((secret) => [
        secret,
        Buffer.from(secret).toString("base64").slice(0, -4),
      ]);
      return [...texts].flatMap(([where, text]) =>
        secrets
          .map((secret) => text.indexOf(secret))
          .filter((at) => at >= 0)
          .map((at) => `${where}: …${text.slice(Math.max(0, at - 200), at + 60)}…`),
      );
    },
  },
  {
    sentence: "A green up leaves what the program declares, in the state and field by field in the account.",
    check(outcome) {
      const { command, run, partial, program, after, stack, drifted, deletedAtConsole } = outcome;
      if (command !== "up" || !isGreen(outcome) || partial || isElsewhere(outcome)) return [];
      const rows = after.rows.get(stack) ?? [];
      const leaving = rows.filter((row) => row.leaving);
      if (leaving.length > 0) return leaving.map(({ urn }) => `${urn} was replaced, but not yet deleted`);
      const names = [...new Set(rows.map(({ name }) => nameOfSlot(name)))].sort().join();
      const wanted = namesOf(program).sort().join();
      if (names !== wanted) return [`the state names ${names}, the program ${wanted}`];
      const unseen = (id: string) => drifted.has(id) || deletedAtConsole.has(id);
      const missing = rows.flatMap(({ urn, ids }) =>
        ids.filter((id) => !after.things.has(id) && !unseen(id)).map((id) => `${urn}: ${id} is gone`),
      );
      const differing = (Object.keys(program.slots) as Slot[]).flatMap((slot) => {
        const slotRows = rows.filter(({ name }) => slotOf(name) === slot);
        if (slotRows.some(({ ids }) => ids.some(unseen))) return [];
        return differencesIn(program, slot, (collection, member) => {
          const ids = slotRows
            .filter(({ name }) => name === nameOfSlot(name))
            .flatMap((row) =>
              member === undefined ? row.ids : [String(Reflect.get(Object(row.outputs.ids), member))],
            );
          const live = ids.map((id) => after.things.get(id)).find((thing) => thing?.collection === collection);
          return live?.record;
        });
      });
      return run.killed === undefined ? [...missing, ...differing] : missing;
    },
  },
  {
    sentence: "After a green run a candidate can start no workers, or the run says so.",
    check(outcome) {
      if (outcome.command !== "up" || !isGreen(outcome) || isElsewhere(outcome) || outcome.partial) return [];
      const rows = (outcome.after.rows.get(outcome.stack) ?? []).filter(({ name }) => name.endsWith("-candidate"));
      return (
        rows
          .flatMap(({ ids }) => ids.flatMap((id) => outcome.after.things.get(id) ?? []))
          .filter(({ id, record }) => Reflect.get(Object(record.workers), "max") > 0 && !outcome.side.drifted.has(id))
          // Its job has passed, so the run is green; that the scaling back was refused is a warning.
          .filter(({ id }) => !outcome.run.messages.some((each) => each.includes(`${id} could not be scaled back`)))
          .map((thing) => `${show(thing)} may still start workers: ${JSON.stringify(thing.record.workers)}`)
      );
    },
  },
  {
    sentence: "A green refresh keeps in the state what exists, and nothing else.",
    check(outcome) {
      const { command, after, before, stack, run, deletedAtConsole } = outcome;
      if (command !== "refresh" || !isGreen(outcome) || isElsewhere(outcome)) return [];
      const now = idsIn(after.rows.get(stack) ?? []);
      const awaited = idsIn((after.rows.get(stack) ?? []).filter((row) => row.awaited));
      // As of a delete that was done, and whose answer was lost.
      const isReported = (id: string) =>
        run.messages.some((message) => message.includes(`"${id}" is new, and the service`));
      const isExpected = (id: string) =>
        after.things.has(id) || deletedAtConsole.has(id) || awaited.has(id) || isReported(id);
      // Where reads lag, they still show what somebody has just deleted.
      const gone = outcome.lagging ? [] : [...now].filter((id) => !isExpected(id));
      const forgotten = [...idsIn(before.rows.get(stack) ?? [])].filter((id) => !now.has(id) && after.things.has(id));
      return [
        ...gone.map((id) => `the state names ${id}, which is gone`),
        ...forgotten.map((id) => `the state lost ${id}, which exists`),
      ];
    },
  },
  {
    sentence: "A green destroy leaves nothing of its stack in the state or the account, except what is retained.",
    check(outcome) {
      const { command, partial, after, before, stack } = outcome;
      if (command !== "destroy" || !isGreen(outcome) || isElsewhere(outcome) || partial) return [];
      const rows = after.rows.get(stack) ?? [];
      const retained = idsIn((before.rows.get(stack) ?? []).filter((row) => row.retainOnDelete));
      const left = [...idsIn(before.rows.get(stack) ?? [])].filter((id) => after.things.has(id) && !retained.has(id));
      return [
        ...rows.map(({ urn }) => `${urn} is still in the state`),
        ...left.map((id) => `${id} is still in the account`),
      ];
    },
  },
  {
    sentence: "An undisturbed destroy succeeds.",
    check(outcome, { foreign }) {
      const { command, calm, partial, before, stack, run } = outcome;
      if (command !== "destroy" || !calm || partial || isElsewhere(outcome) || isGreen(outcome)) return [];
      // Protected resources stay, and the service may refuse to delete what other people's resources use.
      if ((before.rows.get(stack) ?? []).some((row) => row.protect) || foreign.size > 0) return [];
      return [`it failed: ${run.messages.join("; ")}`];
    },
  },
  {
    sentence: "An up does what its preview says.",
    check(outcome) {
      const { run } = outcome;
      if (run.planned.length === 0 || !outcome.calm || !isGreen(outcome) || outcome.otherKey) return [];
      // The run may see what its preview did not see yet.
      if (outcome.lagging && outcome.refreshes) return [];
      const list = (ops: StepOutcome["run"]["done"]) =>
        ops
          .filter(({ op }) => op !== "refresh" && op !== "read")
          .map(({ op, urn }) => `${op} ${urn}`)
          .sort();
      const [planned, done] = [list(run.planned), list(run.done)];
      return [
        ...planned.filter((op) => !done.includes(op)).map((op) => `not done: ${op}`),
        ...done.filter((op) => !planned.includes(op)).map((op) => `not announced: ${op}`),
      ];
    },
  },
  {
    sentence: "A preview announces every deletion of its up.",
    check(outcome) {
      const { run, before, stack } = outcome;
      if (run.planned.length === 0 || !outcome.calm || outcome.otherKey) return [];
      const announced = run.planned.filter(({ op }) => /delete|replace/.test(op)).map(({ urn }) => urn);
      return lost(outcome).flatMap((thing) => {
        const row = (before.rows.get(stack) ?? []).find(({ ids }) => ids.includes(thing.id));
        if (row === undefined || announced.includes(row.urn)) return [];
        const member = Object.entries(Object(row.outputs.ids)).find(([, id]) => id === thing.id)?.[0];
        const plan = run.planned.find(({ urn, op }) => urn === row.urn && op === "update");
        const isAnnounced = member !== undefined && plan?.paths.some((path) => path.includes(member));
        return isAnnounced || isOwnTemplate(row, thing)
          ? []
          : [`${show(thing)} of ${row.urn} was deleted, but the preview did not say so`];
      });
    },
  },
  {
    sentence: "After a green run, a second run without changes in between changes nothing.",
    check(outcome) {
      if (outcome.command !== "up" || !outcome.repeated || !outcome.calm || outcome.otherKey || outcome.partial)
        return [];
      if (outcome.run.exitCode !== 0) return [`it failed: ${outcome.run.messages.join("; ")}`];
      return outcome.run.done
        .filter(({ op }) => !["same", "refresh", "read"].includes(op))
        .map(({ op, urn, paths }) => `${op} ${urn} (${paths})`);
    },
  },
  {
    sentence: "No message advises deleting or adopting what a state holds.",
    check({ run, before, after, stack, forced }) {
      if (forced) return [];
      const remaining = idsIn([...(after.rows.get(stack) ?? [])].filter((row) => !row.leaving));
      const held = [...idsIn(before.rows.get(stack) ?? [])].filter((id) => remaining.has(id));
      // Errors of a fleet's members are lines of one message.
      const advice = run.messages
        .flatMap((message) => message.split("\n"))
        .filter((line) => /killed run may have left|may exist|made by a run that was/.test(line));
      return advice.flatMap((line) =>
        held.filter((id) => line.includes(id)).map((id) => `the state holds ${id}: ${line.slice(0, 400)}`),
      );
    },
  },
];

export const isGreen = ({ run }: Pick<StepOutcome, "run">): boolean => run.exitCode === 0;

/** Whether the run's key, or a resource in the state, belongs to the other account, about which little is recorded here. */
function isElsewhere({ otherKey, before, after, stack }: StepOutcome): boolean {
  const held = [before, after].flatMap(({ rows }) => [...idsIn(rows.get(stack) ?? [])]);
  return otherKey || held.some((id) => before.others.has(id) || after.others.has(id));
}

/** What runs of this stack have made and no state holds. Nobody pays for a key that is left. */
export function strays({ after, stack }: StepOutcome, { foreign, maker }: World): Thing[] {
  const recorded = idsIn([...after.rows.values()].flat());
  return [...after.things.values()].filter(
    ({ id, collection }) =>
      collection !== "sshKeys" && !recorded.has(id) && !foreign.has(id) && maker.get(id) === stack,
  );
}

/** Whether the run's messages name the thing by its id, or by the name under which a person can find it. */
export function isNamed({ id, name }: Thing, { run }: Pick<StepOutcome, "run">): boolean {
  const text = run.messages.join("\n");
  return text.includes(id) || text.includes(`"${name}"`) || new RegExp(`\\b${name}\\b`).test(text);
}

/**
 * What existed before the run and is gone, except what somebody deleted in the console, and keys that a list leaves out: a
 * program declares the whole list.
 */
function lost({ before, after, deletedAtConsole, command, program }: StepOutcome): Thing[] {
  const isLeftOut = ({ collection, id }: Thing) =>
    command === "up" && collection === "sshKeys" && keysOf(program).length > 0 && !keysOf(program).includes(id);
  return [...before.things.values()].filter(
    (thing) => !after.things.has(thing.id) && !deletedAtConsole.has(thing.id) && !isLeftOut(thing),
  );
}

/** Whether it is the template of a fleet's member, which comes and goes with what the member declares. */
function isOwnTemplate({ outputs }: Row, { id }: Thing): boolean {
  return Object.values(Object(outputs.templateIds)).includes(id);
}

/** A component's children count as the component. */
const nameOfSlot = (name: string): string => name.replace(/-(candidate|gate)$/, "");

const show = ({ collection, name, id }: Thing): string => `${name} of ${collection} (${id})`;
