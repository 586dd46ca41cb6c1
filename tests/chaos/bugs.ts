/*
 * Deliberate bugs: each is the mutant of a guard (tests/mutants/guards.ts), and the invariants have to find it.
 * `npm run chaos -- --bugs` shows in which life they do. One is missing on purpose: leaving a resource that never became
 * ready out of the state. The notes of creates restore it in the next run, so a person sees no difference.
 */
export interface Bug {
  /** Of the guard. */
  readonly name: string;
  /** What no longer holds. */
  readonly promise: string;
}

export const BUGS: readonly Bug[] = [
  {
    name: "any-404-is-gone",
    promise:
      "Only the service can say that a resource is gone: any 404 counts, whoever answers, and no list confirms it.",
  },
  { name: "any-2xx-deletes", promise: "Only 204 counts as deleted: any 2xx counts, whoever answers." },
  {
    name: "replaced-keys-leave",
    promise: "SSH keys that are replaced, or renamed without an alias, stay in the account's list.",
  },
  { name: "others-keys-leave", promise: "SSH keys that others have added stay when the program's own leave." },
  { name: "create-again", promise: "A create is answered once: after a lost answer it is sent again." },
  { name: "no-scale-to-zero", promise: "An endpoint with workers is scaled to 0 before its end." },
  { name: "no-redaction", promise: "No message shows a secret." },
  { name: "deleted-under-its-old-name", promise: "What another resource of the program has is not deleted." },
  {
    name: "adoption-untold",
    promise: "What a process adopts, another process of the run does not delete under its old name.",
  },
  {
    name: "other-host-is-silent",
    promise: "What a killed run has left is reported, also when the program is on the other host by then.",
  },
  { name: "no-note", promise: "The note of a create is written before the call." },
  { name: "notes-unread", promise: "The run after a killed one takes over what that had made." },
  { name: "member-left-out", promise: "A fleet's destroy deletes every member." },
  { name: "secrets-in-clear", promise: "Variables of environments are encrypted in the state." },
  { name: "candidate-awake", promise: "A gate's candidate rests at no workers once its job has ended." },
  { name: "refresh-sees-nothing", promise: "A refresh takes over what was changed outside of the program." },
  { name: "failed-delete-is-done", promise: "A delete that failed is an error." },
];
