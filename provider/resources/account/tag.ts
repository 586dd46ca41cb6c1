import type { Tag } from "../../../client";
import { z } from "../../../common/zod";
import { defineResource } from "../../lifecycle/definition";
import { from } from "../../lifecycle/fields/example";
import { stable } from "../../lifecycle/fields/fields";
import { patchOf } from "../patch";
import { notReserved, trimmed } from "../rules";
import { attachedResources, attachMissing, detachOthers, observed, repeated } from "./attached";

const MOST_CHARACTERS = 191;

export const tag = defineResource({
  kind: "Tag",
  noun: "Tag",
  priced: false,
  uses: ["cluster", "networkVolume", "pod", "serverlessContainer", "serverlessEndpoint"],
  adoption: { protect: false },
  orphans: { notedAs: ({ key, value }) => (typeof key === "string" ? inOne(key, value) : undefined) },
  source: { operation: "POST /v2/tags", page: "api-reference-v2/tags/create-a-tag" },
  description:
    "A key and a value on pods, clusters, serverless endpoints and network volumes. The tag lists its resources; " +
    "the resources don't show their tags.",
  inputs: z.strictObject({
    key: z.string().min(1).max(MOST_CHARACTERS).describe("Key of the tag, 1 to 191 characters."),
    value: z.string().max(MOST_CHARACTERS).describe("Value of the tag, 0 to 191 characters."),
    resources: attachedResources(
      "The resources with this tag. Changes made outside of the program are undone by the first run after a refresh, " +
        "as far as the service shows them.",
    ),
  }),
  shows: ["key", "value"],
  outputs: z.object({ createdAt: stable(z.string()).describe("When it was created, RFC 3339.") }),
  examples: [
    {
      title: "Whose volume it is",
      name: "team",
      args: { key: "team", value: "research", resources: [{ type: "NETWORK_VOLUME", id: from("networkVolume") }] },
    },
  ],

  rules: ({ key, resources }) => [...trimmed("key", key), ...notReserved("key", key, ":"), ...repeated(resources)],
  create: ({ client }, { key, value }, naming) => client.tags.create({ key, value }, naming),
  list: async ({ client }, options) =>
    (await client.tags.list(options)).map(({ id, key, value }) => ({ id, name: inOne(key, value) })),
  read: ({ client }, id) => client.tags.read(id),
  update: async ({ client }, id, { resources, ...inputs }, { changed, old }): Promise<Tag> => {
    const patch = patchOf(inputs, new Set([...changed].filter((each) => each !== "resources")));
    if (Object.keys(patch).length > 0) await client.tags.update(id, patch);
    await detachOthers(client.tags, id, old.resources, resources);
    return (await client.tags.read(id)) ?? client.tags.get(id);
  },
  ready: ({ client }, live, { resources }) => attachMissing(client.tags, live, resources),
  delete: ({ client }, id) => client.tags.delete(id),
  observe: ({ key, value, resources }) => ({ key, value, ...observed(resources) }),
  computed: ({ createdAt }) => ({ createdAt }),
});

const inOne = (key: unknown, value: unknown): string => [key, value].filter(Boolean).join("=");
