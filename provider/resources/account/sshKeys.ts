import { createHash } from "node:crypto";
import { z } from "../../../common/zod";
import { type Context, defineResource } from "../../lifecycle/definition";
import { internal } from "../../lifecycle/fields/fields";

/** Id of the account's only list of keys. The service has no id for it. */
export const SSH_KEYS_ID = "account";

// A key read from a file ends in a line feed.
const key = z
  .string()
  .trim()
  .regex(
    /^(ssh|ecdsa|sk)-[^\s]+ [^\s]+([ \t][^\n\r]*)?$/,
    'must be one public key in OpenSSH form, such as "ssh-ed25519 AAAA… name"',
  );

const lines = z.array(z.string());

export const sshKeys = defineResource({
  kind: "SshKeys",
  noun: "SshKeys",
  priced: false,
  uses: [],
  adoption: {
    protect: false,
    only: { id: SSH_KEYS_ID, name: "ssh-keys" },
    // An empty list is not worth adopting.
    idsOfKind: async ({ client }) => new Set((await client.sshKeys.get()).length === 0 ? [] : [SSH_KEYS_ID]),
    elsewhere: ["AccountSshKeys"],
  },
  // The list of keys always exists.
  orphans: "none",
  // The old resource's keys would be those of others to the new one.
  deletesFirst: "always",
  source: {
    operation: "PUT /v2/account/ssh-keys",
    page: "api-reference-v2/account/replace-registered-ssh-public-keys",
  },
  description:
    "The account's SSH keys, for pods that are created later with `startSsh`. An account has one list, so declare it once. " +
    `If the list has other keys, \`adoptId: "${SSH_KEYS_ID}"\` adopts it. Deleting the resource removes its keys; keys that ` +
    "others have added stay.",
  inputs: z.strictObject({
    keys: z
      .array(key)
      .describe(
        "The account's whole list of public keys, in OpenSSH form and in order. A line feed at the end of a key is ignored.",
      ),
  }),
  shows: ["keys"],
  outputs: z.object({
    own: internal(lines.optional()).describe("Digests of the keys that the program has set, which a delete removes."),
  }),
  examples: [
    {
      title: "The keys of a team",
      name: "team",
      args: { keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ6BjJHuWMn5fM2qv5b5kVx0Z6Cq3kWDH9m3c6X5V9oE ops"] },
    },
  ],

  create: async (context, { keys }) => {
    const wayOut = `set adoptId: "${SSH_KEYS_ID}" to adopt the list as it is declared here`;
    refuseLoss(await context.client.sshKeys.get(), keys, wayOut);
    return put(context, keys);
  },
  // The list always exists. It is read anyway, because `doctor` checks the right to read it.
  list: async ({ client }, options) => {
    await client.sshKeys.get(options);
    return [{ id: SSH_KEYS_ID }];
  },
  read: async ({ client }, id): Promise<LiveKeys | undefined> =>
    id === SSH_KEYS_ID ? { id, keys: await client.sshKeys.get() } : undefined,
  update: async (context, _, { keys }, { differences }) => {
    const recorded = differences.flatMap(({ old }) => lines.safeParse(old).data ?? []);
    const wayOut = "run `pulumi refresh`, then `pulumi up`, whose preview shows what it removes";
    refuseLoss(await context.client.sshKeys.get(), [...recorded, ...keys], wayOut);
    return put(context, keys);
  },
  delete: async (context, _, { own, keys }) => {
    const removed = digestsIn(own) ?? digestsIn(keys) ?? [];
    const listed = await context.client.sshKeys.get();
    // mutant others-keys-leave: []
    const others = listed.filter((each) => !removed.includes(digest(each)));
    if (others.length < listed.length) await put(context, others);
    return true;
  },
  observe: ({ keys }) => ({ keys }),
  // A refresh records the keys of others, too.
  computed: ({ digests }, _, old) => ({ own: digests ?? digestsIn(old.own) ?? digestsIn(old.keys) }),
});

export interface LiveKeys {
  readonly id: string;
  readonly keys: string[];
  /** Known after they were set. */
  readonly digests?: string[];
}

/** @throws Error if the account holds keys besides these: nobody has asked to remove them */
function refuseLoss(listed: readonly string[], keys: readonly string[], wayOut: string): void {
  const others = listed.filter((each) => !keys.includes(each));
  // mutant keys-of-others-removed: true
  if (others.length === 0) return;
  throw new Error(
    `SshKeys: the account holds ${others.length} other keys (${others.map(comment).join(", ")}), and saving this list would ` +
      `remove them. List them too, or ${wayOut}.`,
  );
}

async function put({ client }: Context, keys: string[]): Promise<LiveKeys> {
  return { id: SSH_KEYS_ID, keys: await client.sshKeys.put(keys), digests: keys.map(digest) };
}

/** Of recorded keys or digests. */
function digestsIn(value: unknown): string[] | undefined {
  return lines.safeParse(value).data?.map((each) => (each.includes(" ") ? digest(each) : each));
}

const digest = (line: string): string => createHash("sha256").update(line).digest("hex").slice(0, 16);

const comment = (line: string): string => line.split(/\s+/, 3)[2] ?? `${line.slice(0, 24)}…`;
