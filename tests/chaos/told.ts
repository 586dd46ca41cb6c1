import { type Fate, NO_TROUBLE, type Trouble, type Victim } from "./faults";
import { type Life, QUIET, type Step } from "./life";
import type { Declared, Program, Settings, Slot } from "./program";
import { undisturbedUp } from "./world";

const settings: Settings = { image: 1, secret: 1, size: 0, place: 0, workers: 1, members: ["chat"], shares: false };
const of = (more: Partial<Settings>, options: Declared["options"] = {}): Declared => ({
  settings: { ...settings, ...more },
  options,
});
const declared = of({});
const bigFleet = of({ members: ["chat", "code", "draw"] });
const changed = of({ image: 2, workers: 2 });

const quiet = { ...QUIET, stack: "dev" } as const;
const up = { ...undisturbedUp("dev"), refresh: false };
const destroy = { ...quiet, step: "destroy", target: undefined } as const satisfies Step;

const firstWrite = { of: "writes", nth: 1 } as const;
/** Every call of a run, or every write or delete, meets this. */
const always = (fate: Fate, of: "calls" | "writes" | "deletes" = "calls"): Trouble => ({
  faults: [{ at: { of, nth: 1 }, fate, lasts: true }],
});
const once = (fate: Fate): Trouble => ({ faults: [{ at: firstWrite, fate, lasts: false }] });
const LATE: Fate = { kind: "late", status: 408, afterMs: 20_000 };
const REFUSED: Fate = { kind: "refused", status: 422 };
/** A run that makes these edits and is killed in its first create. */
const killed = (victim: Victim, slot: Slot, to: Declared, fate: Fate = { kind: "slow", afterMs: 20_000 }): Step => ({
  ...up,
  edits: [{ slot, to }],
  trouble: { ...once(fate), kill: { victim, at: firstWrite } },
});
const dropped = (slot: Slot, thenBy?: "stays"): Step => ({ step: "state delete", stack: "dev", slot, thenBy });
/** Of the calls after the first write. */
const later = (nth: number) => ({ of: "later", nth }) as const;
const astray = (who: Extract<Fate, { kind: "elsewhere" }>["who"]) => always({ kind: "elsewhere", who });

const lifeOf = (
  slots: Program["slots"],
  steps: readonly Step[],
  { trouble = NO_TROUBLE, native = true }: { trouble?: Trouble; native?: boolean } = {},
): Life => ({ program: { stack: "dev", native, takes: {}, slots }, trouble, parallel: 1, steps });

/** Lives that random choice finds too rarely. */
export const TOLD_LIVES: Readonly<Record<string, Life>> = {
  "a stack that is renamed, and a new one of its name, on both hosts": lifeOf(
    { pod: declared, volume: of({}, { dynamic: true }), fleet: bigFleet },
    [{ step: "rename" }, up, { ...destroy }, { ...up, stack: "live", edits: [{ slot: "pod", to: of({ image: 2 }) }] }],
  ),
  "an adoptId that stays, while the name goes": lifeOf(
    { pod: of({}, { named: true }), volume: of({}, { named: true, dynamic: true }), template: of({}, { named: true }) },
    [
      dropped("volume", "stays"),
      dropped("pod", "stays"),
      dropped("template", "stays"),
      up,
      { ...up, edits: (["pod", "volume", "template"] as const).map((slot) => ({ slot, to: declared })) },
    ],
  ),
  "a second run of the stack, whose lock was freed": lifeOf(
    { template: declared },
    [{ ...up, edits: [{ slot: "pod", to: declared }], meanwhile: "up" }],
    { native: false },
  ),
  "a key that is revoked in the middle of a run": lifeOf({ volume: declared, pod: declared, template: declared }, [
    {
      ...up,
      edits: [
        { slot: "pod", to: of({ image: 2 }) },
        { slot: "registry", to: declared },
      ],
      trouble: { faults: [{ at: later(1), fate: { kind: "refused", status: 401 }, lasts: true }] },
    },
    up,
  ]),
  "a refresh and a destroy behind a proxy that answers 404": lifeOf({ pod: declared, volume: declared }, [
    { ...quiet, step: "refresh", trouble: astray("page") },
    { ...destroy, trouble: astray("problem") },
  ]),
  "a destroy whose deletes a gateway answers": lifeOf({ pod: declared, volume: declared, registry: declared }, [
    { ...destroy, trouble: always({ kind: "elsewhere", who: "health" }, "deletes") },
  ]),
  "creates whose answers are lost, and a kill during the next": lifeOf(
    { pod: declared, container: declared },
    [killed("provider", "volume", declared)],
    { trouble: once({ kind: "drop", work: "done" }), native: false },
  ),
  "a pod that nobody may ask about after its create": lifeOf({ pod: of({ secret: 2 }) }, [], {
    trouble: { faults: [{ at: later(2), fate: { kind: "refused", status: 403 }, lasts: true }] },
    native: false,
  }),
  "what the program moves to another name": lifeOf(
    { pod: of({ secret: 2, shares: true }), vault: of({ secret: 2 }), shared: declared },
    [{ step: "move", stack: "dev", slot: "pod", across: false }, { ...up }],
    { native: false },
  ),
  "what the program moves to another provider": lifeOf({ pod: of({ secret: 2 }), volume: declared, vault: declared }, [
    { step: "move", stack: "dev", slot: "volume", across: true },
    { ...up },
    { step: "move", stack: "dev", slot: "pod", across: true },
    { step: "move", stack: "dev", slot: "volume", across: false },
    { ...up, native: false },
  ]),
  "a program that drops its provider, and follows the error": lifeOf(
    { registry: of({}, { named: true }), template: of({}, { named: true }), vault: of({}, { named: true }) },
    [{ ...up, native: false }],
  ),
  "a replacement whose answer is lost, and whose original is deleted meanwhile": lifeOf({ pod: declared }, [
    {
      ...up,
      edits: [{ slot: "pod", to: of({ place: 1 }) }],
      trouble: {
        faults: [
          { at: firstWrite, fate: LATE, lasts: false },
          { at: later(1), fate: REFUSED, lasts: false },
        ],
      },
    },
    { step: "console", act: { act: "delete", nth: 1 } },
    { ...quiet, step: "refresh" },
    up,
  ]),
  "a replacement that is killed, and taken back": lifeOf({ pod: declared, volume: declared }, [
    killed("engine", "pod", of({ place: 1 })),
    { ...up, edits: [{ slot: "pod", to: declared }] },
  ]),
  "a create that is killed, and declared under another name": lifeOf({ template: declared }, [
    killed("engine", "pod", of({}, { named: true })),
    { ...up, edits: [{ slot: "pod", to: declared }] },
  ]),
  "names that hold what the program has let go of": lifeOf(
    { template: of({}, { named: true }), registry: of({ image: 2 }, { named: true }) },
    [dropped("template"), dropped("registry"), up],
  ),
  "a lost state, which computecloud:existing takes over": lifeOf({ pod: declared, fleet: bigFleet }, [
    dropped("pod"),
    dropped("fleet"),
    up,
    up,
  ]),
  "a second set, beside what the program has let go of": lifeOf(
    { pod: of({ image: 2 }), volume: of({ image: 2 }) },
    [dropped("volume"), up, up],
    { native: false },
  ),
  "a pod of a killed run, beside a colleague's of its name": lifeOf(
    { template: declared },
    [killed("engine", "pod", declared), { step: "console", act: { act: "make", nth: 0 } }, up],
    { native: false },
  ),
  "a program that gets a provider after its run was killed in a create": lifeOf(
    { template: declared },
    [killed("engine", "pod", declared), { ...up, native: true }],
    { native: false },
  ),
  "a service that refuses, and quotes what it was sent": lifeOf(
    { pod: declared },
    [{ ...up }, { ...destroy, trouble: always({ kind: "refused", status: 403 }, "writes") }],
    { trouble: always({ kind: "refused", status: 400 }, "writes"), native: false },
  ),
  "creates that Ctrl-C, once and twice, and SIGTERM interrupt, and one that arrives in the next run": lifeOf(
    { template: declared },
    [
      killed("Ctrl-C", "volume", declared),
      killed("Ctrl-C twice", "registry", declared),
      killed("SIGTERM", "vault", declared),
      killed("engine", "pod", declared, { kind: "late", status: "drop", afterMs: 60_000, outlasts: true }),
      up,
    ],
    { native: false },
  ),
  "commands that follow each other before a service shows what they wrote, on both hosts": lifeOf(
    { template: declared },
    [
      { step: "lags", ms: 80_000 },
      {
        ...up,
        edits: [
          { slot: "pod", to: declared },
          { slot: "volume", to: of({}, { dynamic: true }) },
        ],
      },
      { ...quiet, step: "refresh" },
      { ...up, refresh: true },
      destroy,
      up,
    ],
  ),
  "an older state that comes back while lists lag": lifeOf({ template: declared }, [
    { step: "lags", ms: 40_000 },
    { ...up, edits: [{ slot: "pod", to: declared }] },
    { step: "import", stack: "dev", back: 1 },
    up,
    up,
  ]),
  "a page for the key's account, and another account's key": lifeOf({ pod: declared }, [
    {
      ...up,
      edits: [{ slot: "volume", to: declared }],
      otherKey: true,
      trouble: { faults: [{ at: { of: "account", nth: 1 }, fate: { kind: "elsewhere", who: "page" }, lasts: true }] },
    },
  ]),
  "a gate of requests, another project, and GraphQL's end": lifeOf(
    { gated: of({ place: 1 }), endpoint: declared, template: declared },
    [
      { ...up, stack: "cousin" },
      { step: "GraphQL ends" },
      up,
      { ...up, edits: [{ slot: "gated", to: of({ place: 1, image: 2 }) }] },
      destroy,
    ],
  ),
  "a fleet and a gate, changed outside, refreshed and destroyed": lifeOf(
    { fleet: bigFleet, gated: declared, template: declared, endpoint: declared },
    [
      { step: "console", act: { act: "change", nth: 1 } },
      { ...up, refresh: true, edits: [{ slot: "gated", to: changed }] },
      destroy,
    ],
  ),
};
