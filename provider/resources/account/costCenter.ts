import { z } from "zod";
import type { CostCenter } from "../../client";
import { isUnknownAddress } from "../../client/rest/attachments";
import { type Context, defineResource } from "../../lifecycle/definition";
import { from } from "../../lifecycle/example";
import { replaces } from "../../lifecycle/fields";
import { attachedResources, attachMissing, detachOthers, observed, repeated, type Shown } from "./attached";

export interface LiveCostCenter extends CostCenter {
  readonly resources?: Shown;
}

export const costCenter = defineResource({
  kind: "CostCenter",
  noun: "CostCenter",
  uses: ["cluster", "networkVolume", "pod", "serverlessContainer", "serverlessEndpoint"],
  adoption: { protect: false },
  // Its name is never generated.
  orphans: "noted",
  source: { operation: "POST /v2/cost-centers", page: "api-reference-v2/cost-centers/create-a-cost-center" },
  description:
    "A label to which pods, clusters, serverless endpoints and network volumes are attributed. The service documents no " +
    "way to change or delete one. Another value creates another cost center, and one that can't be deleted is emptied.",
  inputs: z.strictObject({
    value: replaces(z.string().min(1).max(50)).describe("Name of the cost center, 1 to 50 characters."),
    resources: attachedResources(
      "The attributed resources. Changes made outside of the program are undone by the first run after a refresh.",
    ),
  }),
  shows: ["value"],
  outputs: z.object({}),
  examples: [
    {
      title: "What research pays for",
      name: "research",
      args: { value: "research", resources: [{ type: "NETWORK_VOLUME", id: from("networkVolume") }] },
    },
  ],

  rules: ({ value, resources }) => [
    ...(value === undefined || value === value.trim()
      ? []
      : [{ property: "value", reason: "must not begin or end with a space: the service removes it" }]),
    ...repeated(resources),
  ],
  create: ({ client }, { value }, naming): Promise<LiveCostCenter> => client.costCenters.create({ value }, naming),
  listedAs: ({ value }) => (typeof value === "string" ? value : undefined),
  list: async ({ client }, options) =>
    (await client.costCenters.list(options)).map(({ id, value }) => ({ id, name: value })),
  read: async (context, id): Promise<LiveCostCenter | undefined> => {
    const center = await context.client.costCenters.read(id);
    return center && withResources(context, center);
  },
  update: async (context, id, { resources }, { old }): Promise<LiveCostCenter> => {
    await detachOthers(context.client.costCenters, id, old.resources, resources);
    return withResources(context, await context.client.costCenters.get(id));
  },
  ready: async ({ client }, live, { resources }) => {
    await attachMissing(client.costCenters, live, resources);
    return live;
  },
  delete: async ({ client, log }, id, { value, resources }) => {
    try {
      return await client.costCenters.delete(id);
    } catch (error) {
      if (!isUnknownAddress(error)) throw error;
    }
    await detachOthers(client.costCenters, id, resources, []);
    log.warn(
      `CostCenter "${id}" (${value}) is empty now and stays in the account: the service does not delete cost centers. Delete it ` +
        "in the console.",
    );
    return true;
  },
  observe: ({ value, resources }) => ({ value, ...observed(resources) }),
  computed: () => ({}),
});

/** The service does not document the list of a cost center's resources. Without that list, none are shown. */
async function withResources({ client }: Context, center: CostCenter): Promise<LiveCostCenter> {
  try {
    return { ...center, resources: await client.costCenters.resources(center.id) };
  } catch (error) {
    if (isUnknownAddress(error)) return center;
    throw error;
  }
}
