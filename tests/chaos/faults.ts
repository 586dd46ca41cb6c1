import fc from "fast-check";

/** What happens to one call on its way between the provider and the service. */
export type Fate =
  /** The connection breaks before the work, or after it. */
  | { readonly kind: "drop"; readonly work: "none" | "done" }
  /** An edge gives up with this status, or by hanging up, and the service finishes the work later. */
  | {
      readonly kind: "late";
      readonly status: number | "drop";
      readonly afterMs: number;
      /** Not even the end of the run waits for it: it may arrive in the next one. */
      readonly outlasts?: true;
    }
  /** The answer itself comes late, and is right. */
  | { readonly kind: "slow"; readonly afterMs: number }
  /** A failure that did nothing. */
  | { readonly kind: "fails"; readonly status: number }
  /** A clean refusal that quotes what was sent: a problem document, or GraphQL's list of errors. */
  | { readonly kind: "refused"; readonly status: number }
  /** Somebody else answers: a proxy's page, its JSON, or another service of the same manners. */
  | { readonly kind: "elsewhere"; readonly who: keyof typeof ELSEWHERE_ANSWERS }
  /** The work is done; its answer is cut, no JSON, or empty. */
  | { readonly kind: "spoilt"; readonly how: "cut" | "garbage" | "empty" }
  /** This call and the next ones are told to come later. */
  | { readonly kind: "storm"; readonly calls: number };

/** Answers from a wrong place. */
export const ELSEWHERE_ANSWERS = {
  page: { status: 404, type: "text/html", body: "<html><body><h1>404 Not Found</h1></body></html>" },
  json: { status: 404, type: "application/json", body: '{"message":"no Route matched with those values"}' },
  problem: {
    status: 404,
    type: "application/problem+json",
    body: '{"type":"about:blank","title":"Not Found","status":404,"detail":"no such route"}',
  },
  signIn: { status: 200, type: "text/html", body: "<html><body><form>Sign in</form></body></html>" },
  health: { status: 200, type: "application/json", body: '{"status":"ok","data":null}' },
  empty: { status: 200, type: "application/json", body: "{}" },
} as const;

/**
 * A call of a run, from 1, counted among the writes, the deletes, the reads, all of them, those that ask whose the key is, or
 * all that come after the first write.
 */
export interface Which {
  readonly of: "writes" | "deletes" | "reads" | "calls" | "account" | "later";
  readonly nth: number;
}

export interface Fault {
  readonly at: Which;
  readonly fate: Fate;
  /** Every further call of that sort meets it as well: the wrong address, a key without rights. */
  readonly lasts: boolean;
}

/** What goes wrong in one run. Empty: nothing. */
export interface Trouble {
  readonly faults: readonly Fault[];
  /** Who is killed, or told to end, when that call arrives; the call itself goes on. */
  readonly kill?: { readonly victim: Victim; readonly at: Which } | undefined;
}

export const VICTIMS = ["engine", "provider", "Ctrl-C", "Ctrl-C twice", "SIGTERM"] as const;
export type Victim = (typeof VICTIMS)[number];

/** One of these, each as often as its weight says. */
export const weighted = <T>(...all: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]) =>
  fc.oneof(...all.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** True once in so many. */
export const seldom = (oneIn: number) => fc.integer({ min: 1, max: oneIn }).map((chance) => chance === oneIn);

export const NO_TROUBLE: Trouble = { faults: [] };

const which = weighted<Which>(
  [4, fc.record({ of: fc.constant("writes"), nth: fc.integer({ min: 1, max: 5 }) })],
  [1, fc.record({ of: fc.constant("deletes"), nth: fc.integer({ min: 1, max: 3 }) })],
  [2, fc.record({ of: fc.constant("reads"), nth: fc.integer({ min: 1, max: 8 }) })],
  [1, fc.record({ of: fc.constant("calls"), nth: fc.integer({ min: 1, max: 20 }) })],
);

const refused = fc.record({ kind: fc.constant("refused"), status: fc.constantFrom(400, 401, 403, 409, 422) });
const elsewhere = fc.record({
  kind: fc.constant("elsewhere"),
  who: fc.constantFrom(...(Object.keys(ELSEWHERE_ANSWERS) as (keyof typeof ELSEWHERE_ANSWERS)[])),
});

const fate = weighted<Fate>(
  [
    1,
    fc.record({
      kind: fc.constant("late"),
      status: fc.constantFrom(504, "drop" as const),
      // The engine ends some 30 s of the hurried time after the kill; nothing is promised of what arrives after 90.
      afterMs: fc.constantFrom(45_000, 80_000),
      outlasts: fc.constant(true),
    }),
  ],
  [3, fc.record({ kind: fc.constant("drop"), work: fc.constantFrom("none", "done") })],
  [
    3,
    fc.record({
      kind: fc.constant("late"),
      status: fc.constantFrom(504, 524, 502, 408, "drop" as const),
      afterMs: fc.constantFrom(500, 4_000, 20_000, 45_000),
    }),
  ],
  [1, fc.record({ kind: fc.constant("slow"), afterMs: fc.constantFrom(3_000, 20_000, 90_000) })],
  [2, fc.record({ kind: fc.constant("fails"), status: fc.constantFrom(500, 502, 503, 504, 520, 522, 524, 530) })],
  [2, refused],
  [3, elsewhere],
  [2, fc.record({ kind: fc.constant("spoilt"), how: fc.constantFrom("cut", "garbage", "empty") })],
  [1, fc.record({ kind: fc.constant("storm"), calls: fc.integer({ min: 1, max: 4 }) })],
);

const kill = fc.option(fc.record({ victim: fc.constantFrom(...VICTIMS), at: which }), { nil: undefined, freq: 2 });

/** Faults that would be retried for minutes occur only once. */
const fault = weighted<Fault>(
  [3, fc.record({ at: which, fate, lasts: fc.constant(false) })],
  [
    1,
    fc.record({
      at: fc.record({
        of: fc.constantFrom("calls", "reads", "writes", "deletes", "later"),
        nth: fc.integer({ min: 1, max: 3 }),
      }),
      fate: fc.oneof(elsewhere, refused),
      lasts: fc.constant(true),
    }),
  ],
  [
    1,
    fc.record({
      at: fc.record({ of: fc.constant("account"), nth: fc.constantFrom(1, 2) }),
      fate: fc.oneof(elsewhere, fc.record({ kind: fc.constant("fails"), status: fc.constantFrom(502, 503) })),
      lasts: fc.boolean(),
    }),
  ],
);

/** Half of all runs have no faults. */
export const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  fc.constant(NO_TROUBLE),
  fc.record({ faults: fc.array(fault, { maxLength: 4 }), kill }),
);
