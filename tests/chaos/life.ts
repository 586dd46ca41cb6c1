import fc from "fast-check";
import { NO_TROUBLE, seldom, type Trouble, trouble, weighted } from "./faults";
import { declared, type Edit, edit, edited, type Program, type Slot, slot, type Taking } from "./program";

/**
 * A stack and its place: `prod` is another stack of the same project in the same backend; `twin` has the name of
 * `dev` in another backend, so it generates the same names; `live` was called `dev` before; `cousin` is another project's
 * `dev` in the same backend. All are in one account.
 */
export const STACKS = ["dev", "prod", "twin", "live", "cousin"] as const;
export type StackName = (typeof STACKS)[number];

/** Somebody at the service's console. */
export type ConsoleAct =
  /** Deletes the nth of what the account holds. */
  | { readonly act: "delete"; readonly nth: number }
  /** Gives the nth another image, or other workers. */
  | { readonly act: "change"; readonly nth: number }
  /** Makes something with the nth's name. */
  | { readonly act: "make"; readonly nth: number };

interface Command {
  readonly stack: StackName;
  readonly trouble: Trouble;
  /** With the key of another account. */
  readonly otherKey: boolean;
  /** At the first write of the run. `up`: a second one of the same stack, whose lock somebody frees. */
  readonly meanwhile: ConsoleAct | "up" | undefined;
}

/** Of a command: without any trouble, and with the key of its own. */
export const QUIET = { trouble: NO_TROUBLE, otherKey: false, meanwhile: undefined } as const;

/** What a person does. Plain data, so that a life can be printed, and shrunk piece by piece. */
export type Step =
  | (Command & {
      readonly step: "up";
      readonly edits: readonly Edit[];
      /** Switches to the plugin, or back. */
      readonly native: boolean | undefined;
      readonly refresh: boolean;
      readonly target: Slot | undefined;
      readonly replace: Slot | undefined;
      readonly continueOnError: boolean;
    })
  | (Command & { readonly step: "refresh" })
  | (Command & { readonly step: "destroy"; readonly target: Slot | undefined; readonly continueOnError?: true })
  /** Removes a resource from the state; afterwards the program adopts it again, or it is somebody else's. */
  | {
      readonly step: "state delete";
      readonly stack: StackName;
      readonly slot: Slot;
      readonly thenBy: Taking["by"] | undefined;
    }
  /** Puts the state back to what it was so many commands ago. */
  | { readonly step: "import"; readonly stack: StackName; readonly back: number }
  /** `dev` becomes `live`, and a new stack gets its name. */
  | { readonly step: "rename" }
  /** Gives a resource another logical name, with `adoptId` in place of an alias; or under the other `Provider`, too. */
  | { readonly step: "move"; readonly stack: StackName; readonly slot: Slot; readonly across: boolean }
  | { readonly step: "console"; readonly act: ConsoleAct }
  /** Another machine from now on: the notes of creates are gone. */
  | { readonly step: "another machine" }
  /** Reads and lists show so late what was written, from now on. */
  | { readonly step: "lags"; readonly ms: number }
  | { readonly step: "GraphQL ends" }
  /** The service's clock, or this machine's, goes ahead of the other by so much. */
  | { readonly step: "clock"; readonly whose: "service" | "machine"; readonly aheadMs: number };

export interface Life {
  readonly program: Program;
  /** Of the first `up`, which makes most of the resources. */
  readonly trouble: Trouble;
  /** Resources under way at the same time; 1 makes every replay of a life identical. */
  readonly parallel: 1 | 4;
  readonly steps: readonly Step[];
}

const stack = weighted<StackName>([10, fc.constant("dev")], [1, fc.constantFrom("prod", "twin", "cousin")]);
/** Undefined but once in eight. */
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
  seldom(8).chain((isNow) => (isNow ? arbitrary : fc.constant(undefined)));

const act: fc.Arbitrary<ConsoleAct> = fc.record({
  act: fc.constantFrom("delete", "change", "make"),
  nth: fc.integer({ min: 0, max: 7 }),
});
const command = { stack, trouble, otherKey: seldom(12), meanwhile: sometimes(act) };

const step = weighted<Step>(
  [
    8,
    fc.record({
      step: fc.constant("up"),
      ...command,
      edits: fc.array(edit, { maxLength: 3 }),
      native: fc.integer({ min: 1, max: 8 }).map((chance) => (chance < 7 ? undefined : chance === 8)),
      refresh: seldom(4),
      target: sometimes(slot),
      replace: sometimes(slot),
      continueOnError: seldom(3),
    }),
  ],
  [3, fc.record({ step: fc.constant("refresh"), ...command })],
  [2, fc.record({ step: fc.constant("destroy"), ...command, target: sometimes(slot) })],
  [
    2,
    fc.record({
      step: fc.constant("state delete"),
      stack,
      slot,
      thenBy: fc.constantFrom("adoptId", "stays", "import", undefined),
    }),
  ],
  [1, fc.record({ step: fc.constant("move"), stack, slot, across: fc.boolean() })],
  [2, fc.record({ step: fc.constant("console"), act })],
  [1, fc.record({ step: fc.constantFrom("another machine", "rename", "GraphQL ends") })],
  [1, fc.record({ step: fc.constant("import"), stack, back: fc.integer({ min: 1, max: 3 }) })],
  // The engine needs some 20 s of the hurried time for a command.
  [2, fc.record({ step: fc.constant("lags"), ms: fc.constantFrom(0, 10_000, 40_000) })],
  [
    1,
    fc.record({
      step: fc.constant("clock"),
      whose: fc.constantFrom("service", "machine"),
      aheadMs: fc.constantFrom(30_000, 600_000, 7_200_000, 86_400_000),
    }),
  ],
);

const first: fc.Arbitrary<Program> = fc
  .record({ native: fc.boolean(), edits: fc.array(fc.record({ slot, to: declared }), { minLength: 2, maxLength: 6 }) })
  .map(({ native, edits }) => edits.reduce<Program>(edited, { stack: "dev", native, slots: {}, takes: {} }));

export const life: fc.Arbitrary<Life> = fc.record({
  program: first,
  trouble,
  parallel: fc.constantFrom(1, 1, 4),
  steps: fc.array(step, { minLength: 3, maxLength: 8 }),
});
