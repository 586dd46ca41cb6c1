/*
 * Deliberate bugs: each breaks one promise in one place, and the invariants have to find it. `npm run chaos -- --bugs`
 * shows in which life they do. One bug is missing on purpose: leaving a resource that never became ready out of the state.
 * The notes of creates restore it in the next run, so a person sees no difference. Its mutants are in
 * tests/mutants/guards.ts.
 */
import type { Edit } from "../mutants/copy";

export interface Bug {
  readonly name: string;
  /** What no longer holds. */
  readonly promise: string;
  readonly edits: readonly Edit[];
}

export const BUGS: readonly Bug[] = [
  {
    name: "any-404-is-gone",
    promise:
      "Only the service can say that a resource is gone: any 404 counts, whoever answers, and no list confirms it.",
    edits: [
      {
        file: "client/outcomes/failures.ts",
        from: 'return quota === "graphql" || !own;',
        to: "return own && false;",
      },
      {
        file: "client/rest/absence.ts",
        from: "async confirm(id: string): Promise<void> {",
        to: "async confirm(id: string): Promise<void> {\n    if (id !== undefined) return;",
      },
    ],
  },
  {
    name: "any-2xx-deletes",
    promise: "Only 204 counts as deleted: any 2xx counts, whoever answers.",
    edits: [
      {
        file: "client/rest/rest.ts",
        from: "answer.status === 204 ? undefined",
        to: "answer.status < 300 ? undefined",
      },
    ],
  },
  {
    name: "replaced-keys-leave",
    promise: "SSH keys that are replaced, or renamed without an alias, stay in the account's list.",
    edits: [
      {
        file: "provider/lifecycle/lifecycle.ts",
        from: 'if (adoption !== "none" && adoption.only !== undefined)',
        to: 'if (adoption !== "none" && adoption.only?.id === "")',
      },
    ],
  },
  {
    name: "others-keys-leave",
    promise: "SSH keys that others have added stay when the program's own leave.",
    edits: [
      {
        file: "provider/resources/account/sshKeys.ts",
        from: "listed.filter((each) => !removed.includes(each))",
        to: "listed.filter((each) => removed.length < 0 && each)",
      },
    ],
  },
  {
    name: "create-again",
    promise: "A create is answered once: after a lost answer it is sent again.",
    edits: [
      {
        file: "client/outcomes/retry.ts",
        from: 'create: { untouched: "retry", doubtful: "reconcile", unreadable: "reconcile"',
        to: 'create: { untouched: "retry", doubtful: "retry", unreadable: "retry"',
      },
    ],
  },
  {
    name: "no-scale-to-zero",
    promise: "An endpoint with workers is scaled to 0 before its end.",
    edits: [
      {
        file: "provider/resources/serverless/deleteEndpoint.ts",
        from: "if (mayWork(live)) {",
        to: "if (live.workersMin === -1) {",
      },
    ],
  },
  {
    name: "no-redaction",
    promise: "No message shows a secret.",
    edits: [
      {
        file: "common/redact.ts",
        from: "return masked(text, found);",
        to: "return found.length < 0 ? masked(text, found) : text;",
      },
    ],
  },
  {
    name: "no-owner-check",
    promise: "What another resource of the program has is not deleted.",
    edits: [
      {
        file: "provider/memory/holders.ts",
        from: "if (this.#adopted.has(id) || [...(",
        to: "if (id === undefined || [...(",
      },
      {
        file: "provider/memory/holders.ts",
        from: ".some((each) => each !== place)",
        to: ".some(() => place === null)",
      },
    ],
  },
  {
    name: "adoption-untold",
    promise: "What a process adopts, another process of the run does not delete under its old name.",
    edits: [
      {
        file: "provider/memory/holders.ts",
        from: "return this.run?.tell({ holds, ...(account !== undefined && { account }) }) ?? true;",
        to: "return holds !== account;",
      },
    ],
  },
  {
    name: "other-host-silent",
    promise: "What a killed run has left is reported, also when the program is on the other host by then.",
    edits: [
      {
        file: "provider/memory/createJournal.ts",
        from: "(isOwn(note) || !isLeftToOther)",
        to: "isOwn(note)",
      },
    ],
  },
  {
    name: "note-after-call",
    promise: "The note of a create is written before the call.",
    edits: [
      {
        file: "provider/lifecycle/make/namedCreates.ts",
        from: "    this.journal.begin(seed, { kind: this.kind.kind, name, begun, before, account });\n",
        to: "    const note = () => this.journal.begin(seed, { kind: this.kind.kind, name, begun, before, account });\n",
      },
      {
        file: "provider/lifecycle/make/namedCreates.ts",
        from: "send((until) => this.journal.lost(seed, until)),",
        to: "send((until) => this.journal.lost(seed, until)).finally(note),",
      },
    ],
  },
  {
    name: "notes-unread",
    promise: "The run after a killed one takes over what that had made.",
    edits: [
      {
        file: "provider/lifecycle/make/namedCreates.ts",
        from: "if (begun === undefined || begun.kind !== this.kind.kind",
        to: "if (begun === undefined || begun.kind !== undefined || this.kind === null",
      },
    ],
  },
  {
    name: "member-left-out",
    promise: "A fleet's destroy deletes every member.",
    edits: [
      {
        file: "provider/resources/fleet/fleetLifecycle.ts",
        from: "const { problems } = await this.#bringTo(membersIn(state), argumentsOf(state), {});",
        to: "const { problems } = await this.#bringTo(new Map([...membersIn(state)].slice(0, 2)), argumentsOf(state), {});",
      },
    ],
  },
  {
    name: "secrets-in-clear",
    promise: "Variables of environments are encrypted in the state.",
    edits: [
      {
        file: "sdk/internal/resource.ts",
        from: "if (value !== undefined) given.set(key, secretly(value));",
        to: "if (value === null) given.set(key, secretly(value));",
      },
    ],
  },
  {
    name: "candidate-awake",
    promise: "A gate's candidate rests at no workers once its job has ended.",
    edits: [
      {
        file: "provider/resources/serverless/wakened.ts",
        from: "withMost(endpoint, 0)",
        to: "withMost(endpoint, workersMax)",
      },
    ],
  },
  {
    name: "refresh-sees-nothing",
    promise: "A refresh takes over what was changed outside of the program.",
    edits: [
      {
        file: "provider/lifecycle/readings.ts",
        from: "const observed = refreshed(schema, declared, definition.observe(live, old));",
        to: "const observed = refreshed(schema, declared, definition.observe(live, old) && declared);",
      },
    ],
  },
  {
    name: "failed-delete-is-done",
    promise: "A delete that failed is an error.",
    edits: [
      {
        file: "provider/lifecycle/lifecycle.ts",
        from: "if (await isGone(this.definition, context, id, state, error)) return undefined;\n      throw error;",
        to: "await isGone(this.definition, context, id, state, error);\n      return undefined;",
      },
    ],
  },
];
