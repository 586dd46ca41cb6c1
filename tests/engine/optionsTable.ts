/* What Pulumi's options do: the words stand in docs/native.md, and the cases of options.test.ts prove them. */

export interface OptionRow {
  readonly resource: string;
  /** Default: the same. */
  readonly fleet?: string;
  /** Where no class of this package stands between the program and the engine. Default: the same. */
  readonly elsewhere?: string;
}

export const optionRows: Readonly<Record<string, OptionRow>> = {
  ignoreChanges: {
    resource: "keeps the recorded value; `template` means its id and its revision",
    fleet:
      "keeps that of a member (`endpoints.chat.workersMax`, `endpoints.*.workersMax`); changes of `defaults` reach no member",
    elsewhere: "the same; `templateId` and `templateRevision` each by itself",
  },
  replaceOnChanges: {
    resource: "replaces; `env.MODE` means that variable alone",
    fleet: "replaces the members that change, never the fleet",
    elsewhere: "fleet: an error in place of replacing all of it",
  },
  replacementTrigger: {
    resource: "replaces, as `replaceWith` and `--replace` do",
    fleet: "replaces all of it",
    elsewhere: "the same; `--replace`: take the name out",
  },
  protect: {
    resource: "an error in place of a deletion or replacement",
    fleet: "the same for each member, by `protectMembers`",
    elsewhere: "fleet: set `protectMembers`",
  },
  retainOnDelete: { resource: "keeps running", fleet: "all members do; for one: `released`" },
  deleteBeforeReplace: {
    resource:
      "the old one goes first; on by itself for a pod or cluster with a network volume. A Secret, Registry or Template with " +
      "a declared name needs it for `replaceWith` and `--replace`. On a volume or template that endpoints use it can't " +
      "work, which the preview says",
    fleet: "nothing: a member that is replaced is always deleted first",
    elsewhere: "`--replace` asks no provider: set it for those with a volume",
  },
  aliases: {
    resource: "renamed without a call, also as it gets a provider",
    fleet: "the same, members keep their ids",
  },
  additionalSecretOutputs: { resource: "encrypts them in the state" },
  import: {
    resource: "native: adopts the existing resource; dynamic: an error that names `adoptId`",
    fleet: "an error: `adoptId` of each member",
    elsewhere: "the same as native",
  },
  id: {
    resource: "native: reads the existing resource and leaves it alone; dynamic: an error",
    fleet: "an error",
    elsewhere: "the same as native",
  },
  dependsOn: { resource: "created after it, deleted before it", fleet: "all members at once" },
  customTimeouts: { resource: "an error that names `createTimeout`", elsewhere: "no effect" },
  deletedWith: {
    resource:
      "an error: it would stay and be billed. A SmokeJob may have it. A component of your own passes it on unseen: don't " +
      "set it there",
    elsewhere: "leaves it running, in no stack",
  },
};

/** As docs/native.md has it. */
export function optionsAsMarkdown(): string {
  const lines = Object.entries(optionRows).map(
    ([option, { resource, fleet = "the same", elsewhere = "the same" }]) =>
      `| \`${option}\` | ${resource} | ${fleet} | ${elsewhere} |`,
  );
  return ["| option | a resource | a `ServerlessFleet` | in other languages |", "|---|---|---|---|", ...lines].join(
    "\n",
  );
}
