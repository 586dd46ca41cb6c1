import type { Secret } from "../../../client";
import { z } from "../../../common/zod";
import { declaredSecrets, referenceTo } from "../../catalog/secretReferences";
import { defineResource } from "../../lifecycle/definition";
import type { Difference } from "../../lifecycle/fields/difference";
import { secretFromConfig } from "../../lifecycle/fields/example";
import { dated, secret as hidden, internal, replaces, stable, uniqueAutoName } from "../../lifecycle/fields/fields";
import type { Properties } from "../../lifecycle/fields/values";
import { patchOf } from "../patch";
import { notReserved } from "../rules";

const MOST_VALUE_BYTES = 16_777_215;
const MOST_DESCRIPTION_BYTES = 65_535;

const NAME = /^[A-Za-z_][A-Za-z0-9_.\-/]*$/;
const NAME_RULE = "must begin with a letter or _, and go on with letters, digits, _, ., - and /";

const text = (mostBytes: number) =>
  z.string().refine((value) => Buffer.byteLength(value) <= mostBytes, `must have at most ${mostBytes} bytes`);

/** Times that differ by less than this are the same instant: the service may show one in several forms. */
const SAME_MS = 1_000;

export const secret = defineResource({
  kind: "Secret",
  noun: "Secret",
  priced: false,
  uses: [],
  adoption: { protect: false },
  orphans: "named",
  drifted: (before, after) => (isSetByOthers(after) && !isSetByOthers(before) ? [{ path: "value", secret: true }] : []),
  source: { operation: "POST /v2/account/secrets", page: "api-reference-v2/account/create-a-secret" },
  description:
    "A value that containers read from their environment when they start. The service never shows it again. Pass " +
    "`reference` as the value of a variable. A running container keeps the value that it has read.",
  inputs: z.strictObject({
    name: replaces(uniqueAutoName()),
    value: hidden(dated(text(MOST_VALUE_BYTES).min(1))).describe(
      "The value, 1 byte to 16 MiB. A value that was set outside of the program is set back by the first run after a refresh.",
    ),
    description: text(MOST_DESCRIPTION_BYTES).min(1).optional().describe("Purpose of the secret. Default: none."),
  }),
  shows: ["name", "description"],
  outputs: z.object({
    reference: stable(z.string()).describe(
      "Text that stands for the value in `env` of a pod, template, endpoint or cluster.",
    ),
    valueUpdatedAt: z.string().optional().describe("When the value was set last, RFC 3339."),
    valueSetAt: internal(z.string().optional()).describe("When a run of this program last set the value, RFC 3339."),
  }),
  examples: [
    {
      title: "A token from the stack's configuration",
      name: "hf-token",
      args: { value: secretFromConfig("hfToken", "change-me"), description: "Read access to the team's models" },
    },
  ],

  rules: ({ name }) =>
    name === undefined || NAME.test(name)
      ? notReserved("name", name)
      : [{ property: "name", reason: `${NAME_RULE}: not "${name}"` }],
  check: (context, { name }) => {
    if (typeof name === "string") declaredSecrets(context).add(name.toLowerCase());
    return [];
  },
  differences: (changes, old, next) => (isSetByOthers(old) ? [...changes, valueDifference(next)] : changes),

  create: async ({ client }, { name = "", ...body }, naming) =>
    ours(await client.secrets.create({ name, ...body }, naming)),
  list: ({ client }, options) => client.secrets.list(options),
  read: ({ client }, id): Promise<LiveSecret | undefined> => client.secrets.read(id),
  update: async ({ client }, id, inputs, { changed }): Promise<LiveSecret> => {
    const { value, ...patch } = patchOf(inputs, changed, { description: "" });
    // Two calls, the value last. One call for both could fail halfway and leave it open whether the new value is set.
    const described = Object.keys(patch).length === 0 ? undefined : await client.secrets.update(id, patch);
    if (value !== undefined) return ours(await client.secrets.update(id, { value }));
    return described ?? client.secrets.get(id);
  },
  delete: ({ client }, id) => client.secrets.delete(id),

  observe: ({ name, description }) => ({ name, description: description || undefined }),
  computed: (live: LiveSecret, _, old) => ({
    reference: live.name === undefined ? old.reference : referenceTo(live.name),
    // A read that lags behind shows an earlier time.
    valueUpdatedAt: later(updatedAt(live), old.valueUpdatedAt),
    valueSetAt: live.isOurs ? updatedAt(live) : (old.valueSetAt ?? updatedAt(live)),
  }),
});

export interface LiveSecret extends Secret {
  /** Whether the value was set by the call that returned this answer. */
  readonly isOurs?: true;
}

const ours = <Live extends Secret>(live: Live): Live & LiveSecret => ({ ...live, isOurs: true });

const updatedAt = ({ valueLastUpdatedAt, createdAt }: Secret) => valueLastUpdatedAt ?? createdAt;

const later = (time: string | undefined, other: string | undefined) =>
  Date.parse(other ?? "") > Date.parse(time ?? "") ? other : time;

/** Whether somebody else has set the value since this program last did. */
function isSetByOthers({ valueUpdatedAt, valueSetAt }: Properties): boolean {
  return Math.abs(Date.parse(String(valueUpdatedAt)) - Date.parse(String(valueSetAt))) >= SAME_MS;
}

function valueDifference({ value }: Properties): Difference {
  const facts = { writeOnly: true, secret: true } as const;
  return { path: "value", field: "value", old: undefined, next: value, replaces: false, facts };
}
